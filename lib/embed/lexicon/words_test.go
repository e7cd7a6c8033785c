package lexicon

import (
	"strings"
	"testing"
)

// wordsOf lists the words of a text as they are counted, each with its kind.
func wordsOf(text string) []string {
	s := NewCounter()
	text = Normal(text)
	s.Reset(len(text))
	s.Scan(text, 0, len(text), 1)
	kinds := map[Kind]string{Part: "", Whole: "=", Number: "#", Ideograph: "%"}
	var words []string
	for _, w := range s.Words() {
		words = append(words, kinds[w.Kind]+strings.ToLower(text[w.Start:w.End]))
	}
	return words
}

func TestWords(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{" \t+-*/\n", ""},
		{"the reader", "the reader"},
		{"getUserByID", "get user by id =getuserbyid"},
		{"get_user_by_id", "get user by id =get_user_by_id"},
		{"MAX_CHUNK_SIZE", "max chunk size =max_chunk_size"},
		{"HTTPServer", "http server =httpserver"},
		{"parseURLs", "parse urls =parseurls"},
		{"IDsOf", "ids of =idsof"},
		{"sync.RWMutex", "sync rw mutex =rwmutex"},
		{"utf8 sha256sum", "utf #8 =utf8 sha #256 sum =sha256sum"},
		{"x", ""},
		{"_private __init__", "private init"},
		{"a_b", "=a_b"},
		{"don't", "don"},
		{"naïve Größe ÉCOLE", "naïve größe école"},
		{"re\u0301sume\u0301 résumé", "résumé"},
		{"ПриветМир", "привет мир =приветмир"},
		{"日本語", "%日 %本 %日本 %語 %本語"},
		{"Go言語x2", "go %言 %語 %言語 #2 =x2"},
		{"\xff\xfeabc\x80def", "abc def"},
		{"word word Word", "word"},
	} {
		if got := strings.Join(wordsOf(test.text), " "); got != test.want {
			t.Errorf("words of %q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// A word that first occurs in an identifier keeps one entry, with the position of the word itself.
func TestWholeIdentifierMeetsWord(t *testing.T) {
	if got := strings.Join(wordsOf("read_line readline"), " "); got != "read line readline" {
		t.Errorf("got %q", got)
	}
}

func TestHashOfWords(t *testing.T) {
	s := NewCounter()
	const text = "readLine Größe x86 日本"
	s.Reset(len(text))
	s.Scan(text, 0, len(text), 1)
	for _, w := range s.Words() {
		word := strings.ToLower(strings.ReplaceAll(text[w.Start:w.End], "_", ""))
		if w.Hash != Hash(word) {
			t.Errorf("%q has hash %x, not that of %q", text[w.Start:w.End], w.Hash, word)
		}
	}
}
