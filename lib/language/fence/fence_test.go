package fence

import "testing"

func TestFences(t *testing.T) {
	for _, test := range []struct {
		markup, opening string
		ends, inside    []string
	}{
		{"markdown", "```", []string{"```", "````", "```  ", "  ```\r\n", "> ```"}, []string{"", "``", "~~~", "```go", "``` ```", "`` `"}},
		{"markdown", "````md", []string{"````", "`````"}, []string{"```", "````md"}},
		{"markdown", "~~~ ```x", []string{"~~~"}, []string{"```", "~~"}},
		{"markdown", "> - 1. ```go", []string{"```", "> ```"}, []string{"- ```"}},
		{"asciidoc", "----", []string{"----", "---- "}, []string{"---", "-----", "```"}},
		{"asciidoc", "```", []string{"```"}, []string{"----"}},
		{"html", `<div><pre class="x">a`, []string{"</pre>", "b</PRE></div>"}, []string{"", "```", "<b>"}},
		{"org", "#+BEGIN_SRC go", []string{"#+end_src", "  #+END_SRC"}, []string{"#+end_example", "```"}},
	} {
		f, ok := Open(test.opening, "", test.markup)
		if !ok || !f.IsCode() {
			t.Errorf("%s: %q opens no code", test.markup, test.opening)
		}
		for _, line := range test.ends {
			if !f.Closes(line) {
				t.Errorf("%s: %q does not close %q", test.markup, line, test.opening)
			}
		}
		for _, line := range test.inside {
			if f.Closes(line) {
				t.Errorf("%s: %q closes %q", test.markup, line, test.opening)
			}
		}
	}
	for _, line := range []string{"", " ", ">", "- ", "``", "``` a ``` b", "text ```", "----", "#+begin_src", "12345678901. ```"} {
		if _, ok := Open(line, "", "markdown"); ok {
			t.Errorf("%q opens a block", line)
		}
	}
	if _, ok := Open("<pre>a</pre>", "", "html"); ok {
		t.Error("a line with all of an element opens a block")
	}
	if f, ok := Open("#+begin_quote", "", "org"); !ok || f.IsCode() {
		t.Error("a quote of Org is no block without code")
	}
}

func TestUnderlines(t *testing.T) {
	for _, test := range []struct {
		title, line string
		level       int
	}{
		{"Guide", "=====", 1}, {"Überblick", "---------", 2}, {"Use it", "~~~~~~~", 3}, {"Ends", "^^^\r\n", 4}, {"Last", "++++", 5},
		{"", "----", 0}, {"};", "---", 0}, {"Some text:", "----", 0}, {".Listing", "--------", 0}, {"[TIP]", "====", 0},
		{"  code", "------", 0}, {"is", "+", 0}, {"Other", "*****", 0}, {"Mixed", "==-==", 0},
	} {
		if level := Underlines(test.line, test.title); level != test.level {
			t.Errorf("%q under %q: level %d, want %d", test.line, test.title, level, test.level)
		}
		if _, ok := Open(test.line, test.title, "asciidoc"); test.level > 0 && ok {
			t.Errorf("%q under %q opens a block", test.line, test.title)
		}
	}
	if _, ok := Open("----", "Some text:", "asciidoc"); !ok {
		t.Error("a delimiter below a longer text opens no block")
	}
}
