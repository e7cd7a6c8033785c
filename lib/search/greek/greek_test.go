package greek

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestForms checks that the forms of a word have the same stem, and different words different stems.
func TestForms(t *testing.T) {
	s := New()
	of := map[string]string{}
	for _, line := range []string{
		"διακομιστής διακομιστή διακομιστές διακομιστών ΔΙΑΚΟΜΙΣΤΗΣ",
		"αρχείο αρχεία αρχείου αρχείων αρχειο",
		"σφάλμα σφάλματα σφάλματος σφαλμάτων",
		"κώδικα κωδίκων",
		"λειτουργίες λειτουργίας",
		"γράφω γράφεις γράφει γράφουν γράφαμε",
		"διαβάζω διαβάζει διαβάζουν",
		"γεγονός γεγονότα γεγονότων",
		"φως φωτός φώτα",
		"παιδάκι παιδάκια",
		"μαϊμού μαϊμούδες",
		"χρήστης χρήστες χρηστών",
	} {
		words := strings.Fields(line)
		want := s.Stem(words[0])
		for _, w := range words[1:] {
			if got := s.Stem(w); got != want {
				t.Errorf("%s: %q, of %s %q", w, got, words[0], want)
			}
		}
		if other := of[want]; other != "" {
			t.Errorf("%s and %s: one stem %q", words[0], other, want)
		}
		of[want] = words[0]
	}
}

// TestStems compares single steps with the published algorithm.
func TestStems(t *testing.T) {
	s := New()
	for word, want := range map[string]string{
		"και": "κα", "το": "το", "ακαδημαϊκός": "ακαδημαικ", "σκάγια": "σκα", "δανείζω": "δανει", "αρχίζουμε": "αρχ", "κλείσω": "κλει",
		"μαγισσών": "μαγισσ", "οντότητα": "οντοτητ", "ελληνικά": "ελλην", "καλύτερος": "καλ", "ουδες": "ουδεσ", "αγά": "αγα", "server": "server", "x": "x", "": "",
	} {
		if got := s.Stem(word); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// FuzzStem checks that a stem is no longer than its word, apart from what exceptions append.
func FuzzStem(f *testing.F) {
	s := New()
	for _, word := range []string{"διακομιστών", "ισα", "ναυλοχαγα", "ψοφαγα", "\xff\xfeα", "Σίσυφος"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		stem := s.Stem(word)
		if utf8.RuneCountInString(stem) > utf8.RuneCountInString(word)+1 {
			t.Errorf("%q: %q", word, stem)
		}
	})
}
