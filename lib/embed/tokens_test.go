package embed

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"cortex/lib/embed/provider"
)

func TestEstimateTokens(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, " ": 0, "a": 1, "word": 1, "words": 2, "two words": 3, "getUserById": 4, "HTTPServer": 3, "1234": 2, "a, b": 3,
		"é": 1, "日本": 4, "\n\n": 2, "        deep": 2, "x != nil": 4,
	} {
		if got := EstimateTokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}

// A cut text keeps to the bound, is as long as possible, and ends at the boundary of a character.
func TestCutTokens(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("abcdeXYZ019 \t\n.,_é日\U0001F600\uFFFD")
	for range 3000 {
		var b strings.Builder
		for range random.IntN(60) {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
		text := b.String()
		if random.IntN(10) == 0 {
			text += "\xff\xfe"
		}
		most := random.IntN(40)
		short := CutTokens(text, most)
		if !strings.HasPrefix(text, short) || EstimateTokens(short) > most {
			t.Fatalf("%q at %d tokens: %q", text, most, short)
		}
		if short == text {
			continue
		}
		_, size := utf8.DecodeRuneInString(text[len(short):])
		if EstimateTokens(text[:len(short)+size]) <= most {
			t.Fatalf("%q at %d tokens: %q could be longer", text, most, short)
		}
	}
}

func TestCutBytes(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{{"abc", 2, "ab"}, {"aé", 2, "a"}, {"日本", 1, "日"}, {"", 0, ""}, {"ab", 9, "ab"}} {
		if got := cutBytes(test.text, test.n); got != test.want {
			t.Errorf("%q at %d: %q", test.text, test.n, got)
		}
	}
}

// Every provider has a summary, and no provider claims the models of another.
func TestProviders(t *testing.T) {
	seen := map[string]bool{}
	table := providers()
	for _, p := range table {
		if p.name == "" || p.summary == "" || strings.HasSuffix(p.summary, ".") || p.open == nil || p.made == nil || seen[p.name] {
			t.Errorf("row %q is not whole", p.name)
		}
		seen[p.name] = true
		if _, ok := p.made("", provider.Config{}); ok {
			t.Errorf("%s takes a store without a model", p.name)
		}
		if _, ok := p.made("of-the-future@1", provider.Config{}); ok {
			t.Errorf("%s takes any store", p.name)
		}
	}
	if table[0].remote {
		t.Error("the default opens connections")
	}
	for _, p := range table {
		if want := p.name == "ollama" || p.name == "openai" || p.name == "http"; p.remote != want {
			t.Errorf("%s: remote is %v", p.name, p.remote)
		}
	}
}
