package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNothingHiddenIsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb größer":                      "a\tb größer",
		"a\x1b[2Jb\n":                      "a\uFFFD[2Jb\uFFFD",
		"\u009bx\u202Eevil\u2066\x7f":      "\uFFFDx\uFFFDevil\uFFFD\uFFFD",
		"\u061C\u200E":                     "\uFFFD\uFFFD",
		"a\u2028b\u2029c\u0085d\re":        "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe",
		"\u200Ba\u200C\u200D\u200F":        "\uFFFDa\uFFFD\uFFFD\uFFFD",
		"\u2060\u2064\u2065\u2069":         "\uFFFD\uFFFD\uFFFD\uFFFD",
		"\uFEFFpackage a":                  "\uFFFDpackage a",
		"x\u00ADy\u180Ez\u3164":            "x\uFFFDy\uFFFDz\uFFFD",
		"tag\U000E0041\uFFF9":              "tag\uFFFD\uFFFD",
		"not UTF-8 \xff\xc3":               "not UTF-8 \uFFFD\uFFFD",
		"\u0600 日本 e\u0301 ❤\uFE0F \u00A0": "\u0600 日本 e\u0301 ❤\uFE0F \u00A0",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestLinesKeepTheirEnds(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                "plain",
		"a\n\tb\x1b\u2028\r\n": "a\n\tb\uFFFD\uFFFD\uFFFD\n",
	} {
		if got := CleanLines(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := Clean("a\nb"); got != "a\uFFFDb" {
		t.Errorf("got %q", got)
	}
}

func TestPathsAreRelativeToTheReader(t *testing.T) {
	for _, tt := range []struct {
		view             View
		tree, path, want string
	}{
		{View{}, "", "binding/json.go", "binding/json.go"},
		{View{}, "gin", "gin:binding/json.go", "binding/json.go"},
		{View{Trees: true}, "gin", "gin:binding/json.go", "gin:binding/json.go"},
		{View{Dir: "/r", Root: "/r"}, "", "binding/json.go", "binding/json.go"},
		{View{Dir: "/r/binding", Root: "/r"}, "", "binding/json.go", "json.go"},
		{View{Dir: "/r/binding", Root: "/r"}, "gin", "gin:binding/json.go", "json.go"},
		{View{Dir: "/r/binding", Root: "/r"}, "", "render/json.go", "../render/json.go"},
		{View{Dir: "/r/binding", Root: "/r"}, "", "bindings/json.go", "../bindings/json.go"},
		{View{Dir: "/r/binding/x", Root: "/r"}, "", "binding", ".."},
		{View{Dir: "/elsewhere", Root: "/r"}, "", "gin.go", "../r/gin.go"},
		{View{Dir: "/", Root: "/r"}, "", "gin.go", "r/gin.go"},
		{View{Dir: "/r/binding", Root: "/r", Trees: true}, "", "binding/a:b.go", "a:b.go"},
		{View{Dir: "/r/binding", Root: "/r", Trees: true}, "gin", "gin:binding/json.go", "gin:binding/json.go"},
	} {
		if got := tt.view.Path(tt.tree, tt.path); got != tt.want {
			t.Errorf("%+v: %s is %q, want %q", tt.view, tt.path, got, tt.want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, text := range []string{"", "abc", strings.Repeat("a", 20)} {
		if got := Short(text, 20); got != text {
			t.Errorf("%q: got %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"abcdefghijklmnopqrstuvwxyz":                      "abcdefghijkl … uvwxyz",
		"éééééééééééééééé":                                "éééééé … ééé",
		"\xff\xff\xffdefghijklmnopqrstuvwxyz\xbf\xbf\xbf": "\xff\xff\xffdefghijkl … xyz\xbf\xbf\xbf",
	} {
		if got := Short(text, 23); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for most := range 40 {
		if got := Short(strings.Repeat("é", 30), most); !utf8.ValidString(got) || len(got) > max(most, len(gap)) {
			t.Errorf("%d: %q", most, got)
		}
	}
}
