package query

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	tests := []struct{ query, want string }{
		{`handler`, `text:handler`},
		{`"error handling"`, `text:"error handling"`},
		{`"a \"quoted\" \\ b\n"`, `text:"a \"quoted\" \\ b\\n"`},
		{`title:x`, `title:x`},
		{`path:x file_path:y lang:go symbol_name:z`, `(file_path:x AND file_path:y AND language:go AND symbol:z)`},
		{`TITLE:x`, `title:x`},
		{`a b`, `(text:a AND text:b)`},
		{`a AND b`, `(text:a AND text:b)`},
		{`a OR b AND c`, `(text:a OR (text:b AND text:c))`},
		{`a b OR c d`, `((text:a AND text:b) OR (text:c AND text:d))`},
		{`NOT a b`, `((NOT text:a) AND text:b)`},
		{`NOT a OR b`, `((NOT text:a) OR text:b)`},
		{`NOT NOT a`, `(NOT (NOT text:a))`},
		{`NOT (a b)`, `(NOT (text:a AND text:b))`},
		{`NOT(a)AND(b)`, `((NOT text:a) AND text:b)`},
		{`-a`, `(NOT text:a)`},
		{`-file_path:test`, `(NOT file_path:test)`},
		{`-"a b" -(c d)`, `((NOT text:"a b") AND (NOT (text:c AND text:d)))`},
		{`+a -b`, `(text:a AND (NOT text:b))`},
		{`+a b OR c`, `((text:a AND text:b) OR text:c)`},
		{`text:handler AND tags:go`, `(text:handler AND tags:go)`},
		{`text:(a OR b)`, `(text:a OR text:b)`},
		{`title:(a text:b)`, `(title:a AND text:b)`},
		{`(a OR b) AND NOT c`, `((text:a OR text:b) AND (NOT text:c))`},
		{`text:Prov*`, `text:Prov*`},
		{`*mutex* te?t`, `(text:*mutex* AND text:te?t)`},
		{`te\*t`, `text:te\*t`},
		{`term~1 term~ term~2 term~0`, `(text:term~1 AND text:term~1 AND text:term~2 AND text:term)`},
		{`a^2 "b c"^0.5 (d e)^3`, `(text:a^2 AND text:"b c"^0.5 AND (text:d^3 AND text:e^3))`},
		{`term~2^3`, `text:term~2^3`},
		{`and or not if for`, `(text:and AND text:or AND text:not AND text:if AND text:for)`},
		{`\AND`, `text:AND`},
		{`ORDER ANDROID NOTE`, `(text:ORDER AND text:ANDROID AND text:NOTE)`},
		{`text:NOT`, `text:NOT`},
		{`std::vector`, `text:std::vector`},
		{`text::x`, `text:text::x`},
		{`text:std::vector`, `text:std::vector`},
		{`http://x.org/y`, `text:http://x.org/y`},
		{`TODO: fix`, `(text:TODO: AND text:fix)`},
		{`a.b.c`, `text:a.b.c`},
		{`sync.RWMutex`, `text:sync.RWMutex`},
		{`@decorator #include $var`, `(text:@decorator AND text:#include AND text:$var)`},
		{`--flag`, `text:--flag`},
		{`--* --?at`, `(text:--* AND text:--?at)`},
		{`---flag`, `(NOT text:--flag)`},
		{`- -flag`, `error`},
		{`/path/like/this`, `text:/path/like/this`},
		{`/path/like/this/`, `text:/path/like/this/`},
		{`/usr /usr/lib /app/[slug]/page /[slug] /users/{id}`, `(text:/usr AND text:/usr/lib AND text:/app/[slug]/page AND text:/[slug] AND text:/users/{id})`},
		{`/config.*`, `text:/config.*`},
		{`/^read.*er$/ x`, `(text:/^read.*er$/ AND text:x)`},
		{`symbol:/a(b|c)\/d/^2 OR -/x/`, `(symbol:/a(b|c)\/d/^2 OR (NOT text:/x/))`},
		{`(/[/ ]+x/)`, `text:/[/ ]+x/`},
		{`/a /b/`, `(text:/a AND text:/b/)`},
		{`//x`, `text://x`},
		{`\/x/`, `text:/x/`},
		{`Foo<Bar>`, `text:Foo<Bar>`},
		{`a^b x~y ~z`, `(text:a\^b AND text:x\~y AND text:\~z)`},
		{`main() f(x)`, `(text:main AND text:f\(x\))`},
		{`Fingerprint(ctx`, `text:Fingerprint\(ctx`},
		{`f( OR b`, `(text:f\( OR text:b)`},
		{`a().b OR c(d`, `(text:a.b OR text:c\(d)`},
		{`(f(x) OR y) z`, `((text:f\(x\) OR text:y) AND text:z)`},
		{`f(g(x), y) z`, `(text:f\(g\(x\), AND text:y\) AND text:z)`},
		{`f( x ) y`, `(text:f\( AND text:x AND text:y)`},
		{`symbol:f(x`, `symbol:f\(x`},
		{`f(a OR b)`, `(text:f AND (text:a OR text:b))`},
		{`f(title:a)`, `(text:f AND title:a)`},
		{`🚀 日本語 привет`, `(text:🚀 AND text:日本語 AND text:привет)`},
		{`a\ b \(x\)`, `(text:a\ b AND text:\(x\))`},
		{`foo\:bar`, `text:foo:bar`},
		{`add:to:`, `text:add:to:`},
		{`localhost8:80`, `text:localhost8:80`},
		{`localhost:80 C:\\temp`, `(text:localhost:80 AND text:C:\\temp)`},
		{"a\tb\u00a0c\n", `(text:a AND text:b AND text:c)`},
		{`symbol:*`, `symbol:*`},
		{`don't`, `text:don't`},
	}
	for _, tt := range tests {
		node, err := Parse(tt.query, 1)
		got := "error"
		if err == nil {
			got = node.String()
		}
		if got != tt.want {
			t.Errorf("Parse(%q)\n got %s (%v)\nwant %s", tt.query, got, err, tt.want)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		query    string
		position int
		problem  string
		advice   string
	}{
		{``, 1, "expected a term", "phrase"},
		{`  `, 3, "expected a term", "phrase"},
		{`text:foo AND `, 14, "expected a term after AND", `\AND`},
		{`a AND AND b`, 7, "expected a term after AND", ""},
		{`a OR`, 5, "expected a term after OR", ""},
		{`a OR )`, 6, "expected a term after OR", ""},
		{`AND a`, 1, "expected a term before AND", `\AND`},
		{`a (OR b)`, 4, "expected a term before OR", ""},
		{`NOT`, 4, "expected a term after NOT", ""},
		{`a NOT AND b`, 7, "expected a term after NOT", ""},
		{`(a b`, 1, "not closed", `\(`},
		{`x (`, 3, "not closed", ""},
		{`a b)`, 4, "without an opening", `\)`},
		{`)`, 1, "without an opening", ""},
		{`a ()`, 4, "expected a term before )", ""},
		{`"a b`, 1, "quote is not closed", ""},
		{`größe "b`, 7, "quote is not closed", ""},
		{`titel:3`, 1, `unknown field "titel"`, "did you mean title?"},
		{`titel:x`, 1, `unknown field "titel"`, "did you mean title?"},
		{`type:function seek`, 1, `unknown field "type"`, "did you mean symbol_type?"},
		{`File:vo.c frame`, 1, `unknown field "File"`, "did you mean file_path?"},
		{`book path:!*.kt`, 11, "! does not exclude a path", "write NOT path:*.kt"},
		{`tests:no foo`, 1, `unknown field "tests"`, "--tests at a terminal"},
		{`foo Limit:5`, 5, `unknown field "Limit"`, "--limit at a terminal"},
		{`path_filter:lib foo`, 1, `unknown field "path_filter"`, "did you mean file_path?"},
		{`foo:bar baz`, 1, `unknown field "foo"`, `quote "foo:bar"`},
		{`a (b OR foo:bar)`, 9, `unknown field "foo"`, `quote "foo:bar"`},
		{`title:`, 7, "expected a term after title:", ""},
		{`title: x`, 7, "expected a term after title:", ""},
		{`term~3`, 5, "too many edits", "~2"},
		{`te*m~1`, 1, "wildcards and ~", ""},
		{`"a b"~1`, 6, "~ after a phrase", ""},
		{`a^0`, 2, "expected a number", ""},
		{`(a b)^x`, 6, "expected a number", ""},
		{`-`, 2, "expected a term after -", ""},
		{`a - b`, 4, "expected a term after -", ""},
		{`a + b`, 4, "expected a term after +", ""},
		{`a && b`, 3, "no letter or digit", "write AND"},
		{`a || b`, 3, "no letter or digit", "write OR"},
		{`==`, 1, "no letter or digit", ""},
		{`??`, 1, "no letter or digit", "a letter beside the wildcard"},
		{`a ?? b`, 3, "no letter or digit", ""},
		{`symbol:*?`, 8, "no letter or digit", "* alone"},
		{`//`, 1, "no letter or digit", ""},
		{`x /a(b/`, 4, "regular expression: missing closing )", "quote it"},
		{`/größe[z-a]/`, 8, "regular expression: invalid character class range \"z-a\"", "quote it"},
		{`/a b/`, 3, "one word at a time", "quote it"},
		{`/(?-i)Read/`, 7, "case never matters", ""},
		{`/x{900}y{900}/`, 2, "at most 1000 are allowed", ""},
		{`/` + strings.Repeat("a", 1001) + `/`, 1002, "at most 1000 are allowed", ""},
		{`/[a-z/`, 2, "regular expression: missing closing ]", "quote it"},
		{`x text:/a[b/ y`, 10, "regular expression: missing closing ]", "quote it"},
		{`/[a-z]+`, 8, "regular expression without a closing /", "write / at its end"},
		{`größe /get_\d+ x`, 15, "regular expression without a closing /", "quote it"},
		{`/[^a]`, 6, "regular expression without a closing /", ""},
		{`/* comment */`, 2, "missing argument to repetition operator", ""},
		{`/x/^0`, 4, "expected a number", ""},
		{`""`, 1, "no letter or digit", ""},
		{`a\`, 2, `expected a character after \`, ""},
		{`+a OR b`, 1, "+ requires", ""},
		{`a OR +b`, 6, "+ requires", ""},
		{strings.Repeat("(", 100) + "a", 33, "nested more than", ""},
		{strings.Repeat("NOT ", 100) + "a", 257, "nested more than", ""},
		{strings.Repeat("-", 101) + "(a)", 65, "nested more than", ""},
		{strings.Repeat("a ", 300), 513, "more than 256 terms", ""},
		{`"` + strings.Repeat("a ", 1025) + `"`, 1, "more than 1024 words", ""},
		{strings.Repeat("a.", 600) + " " + strings.Repeat("b.", 600), 1202, "more than 1024 words", ""},
		{strings.Repeat("a", maxLength+1), maxLength + 1, "bytes", ""},
	}
	for _, tt := range tests {
		_, err := Parse(tt.query, 1)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("Parse(%.40q): error %v, want an *Error", tt.query, err)
			continue
		}
		if e.Position != tt.position || !strings.Contains(e.Problem, tt.problem) || !strings.Contains(e.Suggestion, tt.advice) {
			t.Errorf("Parse(%.40q): got %q (%q) at %d, want %q (%q) at %d", tt.query, e.Problem, e.Suggestion, e.Position, tt.problem, tt.advice, tt.position)
		}
		if e.Query != tt.query {
			t.Errorf("Parse(%.40q): error is about %.40q", tt.query, e.Query)
		}
	}
}

func TestStringParsesBack(t *testing.T) {
	for _, q := range []string{`a b OR -c`, `title:(x OR "y z"^2) AND foo~1`, `a\*b* \(c\)`, `std::vector x^3`, `a\\b`} {
		node, err := Parse(q, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(node.String(), 1)
		if err != nil {
			t.Errorf("Parse(%q), the canonical form of %q: %v", node, q, err)
		} else if again.String() != node.String() {
			t.Errorf("%q gives %q, and that %q", q, node, again)
		}
	}
}

func TestWalkLeavesOutNegated(t *testing.T) {
	node, err := Parse(`a OR (b -c) NOT (d OR e)`, 1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	Walk(node, func(term *Term) { got = append(got, term.Text) })
	if want := "a b"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, q := range []string{`a AND (b OR -"c d")^2`, `title:x~1 *y?`, `std::vector http://x --flag`, `((((`, `\`, `"`, `+-+-a`, `text:(a b)`, "日本 \xff", `/a(b|c)*/ OR -/\/[/]x/^3`} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		node, err := Parse(q, 1)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Position < 1 || e.Position > utf8.RuneCountInString(q)+1 || e.Problem == "" {
				t.Fatalf("Parse(%q): error %#v", q, err)
			}
			return
		}
		for _, term := range Terms(node) {
			if term.Start < 0 || term.End > len(q) || term.Start >= term.End || term.Boost <= 0 {
				t.Fatalf("Parse(%q): term %+v", q, term)
			}
			for _, w := range term.Wild {
				if c := term.Text[w]; c != '*' && c != '?' {
					t.Fatalf("Parse(%q): wildcard at %d of %q", q, w, term.Text)
				}
			}
		}
	})
}

func TestPointerShowsThePlaceOfAFault(t *testing.T) {
	for _, tt := range []struct {
		query    string
		position int
		want     string
	}{
		{"a AND", 6, "  a AND\n       ^"},
		{"a\n\t(b\nc", 4, "   (b\n   ^"},
		{"日本 (x", 4, "  日本 (x\n       ^"},
		{"", 1, "  \n  ^"},
		{strings.Repeat("a", 100) + "(" + strings.Repeat("b", 100), 101, "  " + strings.Repeat("a", 60) + "(" + strings.Repeat("b", 59) + "\n  " + strings.Repeat(" ", 60) + "^"},
		{"a", 99, "  a\n   ^"},
	} {
		if got := (&Error{Query: tt.query, Position: tt.position}).Pointer(); got != tt.want {
			t.Errorf("%q at %d:\n%s\nwant\n%s", tt.query, tt.position, got, tt.want)
		}
	}
}

// TestParseAny parses each query by itself, within the bounds of one.
func TestParseAny(t *testing.T) {
	node, err := ParseAny([]string{"/healthz", "docs/", "a OR b c"}, 1)
	if want := "(text:/healthz OR text:docs/ OR (text:a OR (text:b AND text:c)))"; err != nil || node.String() != want {
		t.Errorf("%v, %v, want %s", node, err, want)
	}
	for _, tt := range []struct {
		queries  []string
		fault    string
		position int
	}{
		{[]string{"a", "b ("}, "b (", 3},
		{[]string{strings.Repeat("a ", maxTerms-1), "b c"}, "b c", 3},
		{[]string{strings.Repeat("(", maxDepth/4) + "a" + strings.Repeat(")", maxDepth/4), strings.Repeat("(", maxDepth/4) + "a"}, strings.Repeat("(", maxDepth/4) + "a", maxDepth / 4},
	} {
		_, err := ParseAny(tt.queries, 1)
		var fault *Error
		if !errors.As(err, &fault) || fault.Query != tt.fault || fault.Position != tt.position {
			t.Errorf("%.50q: %v", tt.queries, err)
		}
	}
}

func TestAdvice(t *testing.T) {
	for text, want := range map[string]string{
		`"function\s+queueJob"`: `words that follow each other are a phrase: "function queueJob"`,
		`queueJob|queueFlush`:   "OR joins alternatives: queueJob OR queueFlush",
		`"queueJob|queueFlush"`: "OR joins alternatives: queueJob OR queueFlush",
		`"queue job|flush"`:     `OR joins alternatives: "queue job" OR flush`,
		`"a\|b\|c"`:             "OR joins alternatives: a OR b OR c",
		`"func.*Open"`:          "a regular expression stands between slashes, /like.*this/, and matches single words",
		`"get[A-Z]\w+"`:         "a regular expression stands between slashes, /like.*this/, and matches single words",
		`get.*id`:               "a regular expression stands between slashes, /like.*this/, and matches single words",
		`/get.*id/`:             "", `"a || b"`: "", `"i++"`: "", `"a[i] * b"`: "", `"C:\temp"`: "", `"open a.txt: [3] left"`: "", `Prov*`: "", `lib/**/a.go`: "", `path:a|b`: "", `"x | y"`: "OR joins alternatives: x OR y",
		`"...args"`: "", `"a... b"`: "", `"[a-z]"`: "a regular expression stands between slashes, /like.*this/, and matches single words",
	} {
		n, err := Parse(text, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.(*Term).Advice(); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestSignOfCode(t *testing.T) {
	for text, want := range map[string]string{
		"go test -race": "-", "-z": "-", "(a -b) OR c": "-", "a (b OR -c)": "-", "a * b": "*",
		`"go test -race"`: "", "a NOT b": "", "a -path:b": "", `a -"b"`: "", "a-b": "", "*": "", "a symbol:*": "", "a*": "", "a --b": "", "a -(b c)": "",
		"operator==": "=", "Vec ~Element": "~", "p->next": "->", "@Override": "@", "C#": "#", "List<String>": "<", `"a==b"`: "", "symbol:operator==": "", "a.b": "", "std::sort": "", "fo~1": "", "fo^2": "",
	} {
		n, err := Parse(text, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := SignOfCode(n); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

// A phrase with a sign that tells it from others with the same words is found as it is written.
func TestLiteralPhrases(t *testing.T) {
	for text, want := range map[string]bool{
		"err != nil": true, "i++": true, "a->b": true, "return -1": true, "return -EINVAL": true, "(-1)": true, "@Injectable({": true, "(void)": true, "...args": true,
		"a / b": true, "a ? b : c": true, "a?.b": true, "100%": true, "#define X": true, `C:\\temp`: true, "x[0]": true, "--verbose": true,
		"error handling": false, "e.g. this, that: and more": false, "well-known": false, "read/write": false, "src/a.c": false, "std::sort": false, "why? because": false, "don't": false, "load()": false, "a.load()": false, "x = load()": true,
	} {
		n, err := Parse(`"`+text+`"`, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.(*Term).Literal != nil; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
