package token

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// show writes tokens as term[from,to), with a + before parts and a ! before sigils.
func show(text string) string {
	var out []string
	Scan(text, func(t Token) {
		mark := map[Kind]string{Whole: "", Part: "+", Sigil: "!"}[t.Kind]
		out = append(out, fmt.Sprintf("%s%s[%d,%d)", mark, t.Term, t.From, t.To))
	})
	return strings.Join(out, " ")
}

func TestScan(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{" -> {}", ""},
		{"if NOT for", "if[0,1) not[1,2) for[2,3)"},
		{"getUserByID", "getuserbyid[0,4) +get[0,1) +user[1,2) +by[2,3) +id[3,4)"},
		{"x := getUser(a)", "x[0,1) getuser[1,3) +get[1,2) +user[2,3) a[3,4)"},
		{"HTTPServer", "httpserver[0,2) +http[0,1) +server[1,2)"},
		{"sync.RWMutex", "sync[0,1) rwmutex[1,3) +rw[1,2) +mutex[2,3)"},
		{"MAX_SIZE", "max_size[0,2) +max[0,1) +size[1,2)"},
		{"__init__", "__init__[0,1) +init[0,1)"},
		{"_x", "_x[0,1) +x[0,1)"},
		{"kebab-case", "kebab[0,1) case[1,2)"},
		{"utf8Reader", "utf8reader[0,3) +utf8[0,2) +utf[0,1) +8[1,2) +reader[2,3)"},
		{"utf8", "utf8[0,2) +utf[0,1) +8[1,2)"},
		{"sha256sum", "sha256sum[0,3) +sha[0,1) +256[1,2) +sum[2,3)"},
		{"2024", "2024[0,1)"},
		{"URLs", "urls[0,1)"},
		{"IDsByName", "idsbyname[0,3) +ids[0,1) +by[1,2) +name[2,3)"},
		{"PascalCase iOS", "pascalcase[0,2) +pascal[0,1) +case[1,2) ios[2,4) +i[2,3) +os[3,4)"},
		{"std::vector<int>", "std[0,1) vector[1,2) int[2,3)"},
		{"@decorator", "decorator[0,1) !@decorator[0,1)"},
		{"#include <x.h>", "include[0,1) !#include[0,1) x[1,2) h[2,3)"},
		{"$myVar", "myvar[0,2) !$myvar[0,2) +my[0,1) +var[1,2)"},
		{"--dry-run", "dry[0,1) !--dry[0,1) run[1,2)"},
		{"a--b", "a[0,1) b[1,2)"},
		{"---- x ---y", "x[0,1) y[1,2)"},
		{"me@host.org", "me[0,1) host[1,2) org[2,3)"},
		{"ÜberGröße ΣΊΣΥΦΟΣ", "übergröße[0,2) +über[0,1) +größe[1,2) σίσυφοσ[2,3)"},
		{"cafe\u0301 café", "café[0,1) café[1,2)"},
		{"日本語 text", "日[0,1) 本[1,2) 語[2,3) text[3,4)"},
		{"go🚀fast ❤️", "go[0,1) 🚀[1,2) fast[2,3) ❤[3,4)"},
		{"┌──┐ │x│", "x[0,1)"},
		{"привет_мир", "привет_мир[0,2) +привет[0,1) +мир[1,2)"},
		{"\xff\xfeab\xff", "ab[0,1)"},
	}
	for _, tt := range tests {
		if got := show(tt.text); got != tt.want {
			t.Errorf("Scan(%q)\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestScanOffsets(t *testing.T) {
	text := "a --fooBar(ÜX) utf8Reader"
	Scan(text, func(tok Token) {
		if got := Fold(text[tok.Start:tok.End]); got != tok.Term {
			t.Errorf("bytes %d to %d are %q, term %q", tok.Start, tok.End, got, tok.Term)
		}
	})
}

func TestLongWords(t *testing.T) {
	word := strings.Repeat("aB", 10_000)
	var tokens []Token
	Scan(word, func(tok Token) { tokens = append(tokens, tok) })
	if len(tokens) != 1 || len(tokens[0].Term) != MaxTerm || tokens[0].End != len(word) {
		t.Errorf("a word of %d bytes gives %d tokens, the first of %d bytes", len(word), len(tokens), len(tokens[0].Term))
	}
	if got := Fold(strings.Repeat("ü", 200)); len(got) > MaxTerm || !utf8.ValidString(got) {
		t.Errorf("fold cut a character: %d bytes", len(got))
	}
}

func TestWords(t *testing.T) {
	var got []string
	for _, w := range Words("@app.route --flag fooBar") {
		got = append(got, w.Term)
	}
	if want := "@app route --flag foobar"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzScan checks what the index and the snippets rely on.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{"getUserByID", "a.b::c", "--x @y $z", "日本 ❤️", "utf8_Reader9X", "\xffA\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		next, start := 0, 0
		positions := Scan(text, func(tok Token) {
			if tok.Term == "" && tok.Start == tok.End || tok.Start < 0 || tok.End > len(text) || tok.Start > tok.End {
				t.Fatalf("%q: token %+v", text, tok)
			}
			if tok.From < 0 || tok.To <= tok.From || len(tok.Term) > MaxTerm+2 {
				t.Fatalf("%q: token %+v", text, tok)
			}
			if tok.Kind == Whole {
				if tok.From != next || tok.Start < start {
					t.Fatalf("%q: token %+v does not follow position %d", text, tok, next)
				}
				next, start = tok.To, tok.End
			} else if tok.To > next {
				t.Fatalf("%q: %+v is outside its word", text, tok)
			}
		})
		if positions != next {
			t.Fatalf("%q: %d positions, tokens end at %d", text, positions, next)
		}
	})
}

// checkScanFor compares ScanFor with Scan.
func checkScanFor(t *testing.T, text string, terms []string) {
	t.Helper()
	set := NewSet()
	for _, term := range terms {
		set.Add(term)
	}
	var got, want []Token
	ScanFor(text, set, func(token Token) { got = append(got, token) })
	Scan(text, func(token Token) {
		if token.From, token.To = 0, 0; slices.Contains(terms, token.Term) {
			want = append(want, token)
		}
	})
	if !slices.Equal(got, want) {
		t.Errorf("ScanFor(%q, %q)\n got %v\nwant %v", text, terms, got, want)
	}
}

func TestScanFor(t *testing.T) {
	const text = "getUserByID HTTPServer MAX_SIZE _x utf8Reader sha256sum URLs @decorator --dry-run $myVar x ÜberGröße go\u200dfast cafe\u0301Bar 日本語 ab日cd 🚀fast foo—bar \xffab\xff a"
	Scan(text, func(token Token) { checkScanFor(t, text, []string{token.Term}) })
	checkScanFor(t, text, []string{"user", "size", "8", "@decorator", "--dry", "gofast", "cafébar", "fast", "bar"})
	checkScanFor(t, text, nil)
}

func FuzzScanFor(f *testing.F) {
	f.Add("getUserByID --x @y URLs", "user id --x")
	f.Add("日本 cafe\u0301 utf8_Reader9X", "utf reader9 9 x cafe\u0301")
	f.Fuzz(func(t *testing.T, text, terms string) {
		var list []string
		Scan(terms, func(token Token) {
			if token.Term != "" {
				list = append(list, token.Term)
			}
		})
		checkScanFor(t, text, list)
	})
}

func TestFirst(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " {": "", "  func (r *Reader) Next()": "func", "_x1.y": "_x1", "* @param name": "@param", "--dry-run": "--dry", "a@b": "a", "Größe x": "", "— x": "", "x — y": "x", "e\u0301": "",
	} {
		if got := First(text); got != want {
			t.Errorf("First(%q) = %q, want %q", text, got, want)
		}
		if words := Words(text); want != "" && words[0].Term != Fold(want) {
			t.Errorf("First(%q) = %q, and Words begins with %q", text, want, words[0].Term)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	text := strings.Repeat("func (r *Reader) readLine() ([]byte, error) {\n\tpart, err := r.r.ReadSlice('\\n')\n\tif err != bufio.ErrBufferFull {\n", 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Scan(text, func(Token) {})
	}
}

func TestNameAt(t *testing.T) {
	for _, tt := range []struct {
		text, name string
		want       int
	}{
		{"a.max(b)", "max", 2}, {"maximum, max", "max", 9}, {"maxmax", "max", -1}, {"_max é", "max", -1}, {"éa a", "a", 4},
		{"a==b", "==", 1}, {"x", "", -1}, {"", "x", -1},
	} {
		if got := NameAt(tt.text, tt.name); got != tt.want {
			t.Errorf("%q in %q: got %d, want %d", tt.name, tt.text, got, tt.want)
		}
	}
}
