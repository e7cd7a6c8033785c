package parse

import (
	"slices"
	"strings"
	"testing"
)

func TestMasks(t *testing.T) {
	comment := mask{match: `//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"`}
	tests := []struct {
		name, text, want string
		masks            []mask
	}{
		{"nothing", "a b", "a b", []mask{{match: `x`, as: "y"}}},
		{"padded", "throws(E) x", "throws    x", []mask{{match: `throws\(\w+\)`, as: "throws"}}},
		{"filled", "a ${k}$ b", "a xxxxx b", []mask{{match: `\$\{\w+\}\$`, fill: 'x'}}},
		{"line ends stay", "a(\n)b", "a \n b", []mask{{match: `\([^)]*\)`, as: " "}}},
		{"ends replaced", "[dbo].[T]", `"dbo"."T"`, []mask{{match: `\[\w+\]`, as: `"…"`}}},
		{"inside blanked", "$x$ a\nb $x$;", "'    \n    ';", []mask{{match: `\$\w*\$`, paired: true, as: "'…'", blank: true}}},
		{"pair without end", "$x$ a $y$", "$x$ a $y$", []mask{{match: `\$\w*\$`, paired: true, as: "'…'", blank: true}}},
		{"comments kept", "x // x\n/* x\nx */ x \"x\\\"x\" x", "y // x\n/* x\nx */ y \"x\\\"x\" y", []mask{comment, {match: `\bx\b`, as: "y"}}},
		{"first mask wins", "ab", "12", []mask{{match: `ab`, as: "12"}, {match: `a`, as: "3"}}},
		{"leftmost wins", "ab", "3b", []mask{{match: `b\b`, as: "4"}, {match: `ab?`, as: "3b"}}},
		{"start of a line", "GO\nxGO\nGO GO", "; \nxGO\n;  GO", []mask{{match: `(?m)^GO`, as: ";"}}},
		{"boundary", "in inn xin", "IN inn xin", []mask{{match: `\bin\b`, as: "IN"}}},
		{"boundary behind a match", "'a'in", "'a'IN", []mask{{match: `'[^']*'`}, {match: `\bin\b`, as: "IN"}}},
		{"any case", "Procedure procedures", "FUNCTION  procedures", []mask{{match: `(?i)\bPROCEDURE\b`, as: "FUNCTION"}}},
		{"flags for all alternatives", "A b", "x x", []mask{{match: `(?i)\ba\b|\bB\b`, as: "x"}}},
		{"directly behind", "t(a) (b)", "t    (b)", []mask{{match: `\bt\b`}, {match: `\A\([^)]*\)`, as: " "}}},
		{"beyond ASCII", "é«x»é", "é\"  x  \"é", []mask{{match: `«[^»]*»`, as: "\" …  \""}}},
		{"gap of blanks", "a\\\n \t[x]\\\n[[ \\\n\n[", "a\\\n \t_x]\\\n_[ \\\n\n[", []mask{{match: `\\\n[ \t]*\[`, as: "…_"}}},
		{"gap to the end", "a: ", "a: ", []mask{{match: `:[ \t]*=`, as: "="}}},
		{"to the end", "a // b", "a !   ", []mask{{match: `//[^\n]*`, as: "!"}}},
		{"behind blanks", "\n \tasm\n x\n\t end", "\n \tASM\n x\n\t END", []mask{{match: `(?i)\bASM\b`, as: "ASM"}, {match: `\n[ \t]*end`, as: "\n\t END"}}},
		{"blanks or an end", "a  b a \n", "c  b c \n", []mask{{match: `a\s*b?`, as: "c …"}}},
		{"blanks alone", "x  ;x ,", "x  ;y ,", []mask{{match: `x[ \t]*,`, as: "y…,"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := newMasker(test.masks).mask(test.text)
			if len(got) != len(test.text) {
				t.Errorf("%d bytes of %d", len(got), len(test.text))
			}
			if test.name != "beyond ASCII" && got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestAlternatives(t *testing.T) {
	for match, want := range map[string]string{
		`a|b`:                `a b`,
		`(a|b)|[|]|[^]|]|\|`: `(a|b) [|] [^]|] \|`,
		`(?mi)^a|b`:          `(?mi)^a (?mi)b`,
		`(?:a|b)`:            `(?:a|b)`,
	} {
		if got := alternatives(match); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q", match, got)
		}
	}
}

// Every mask of the table keeps the length of hostile texts and comes to an end.
func TestMasksOfAllLanguages(t *testing.T) {
	texts := []string{"", "\n", "\x00\xff", strings.Repeat("$", 999), strings.Repeat("{{", 999), strings.Repeat("/*", 999), strings.Repeat("BEGIN SET ", 300), strings.Repeat("\n     &a", 500)}
	for _, g := range grammars() {
		for _, m := range []*masker{g.masker(), g.retrier()} {
			for _, text := range texts {
				if got := m.mask(text); len(got) != len(text) {
					t.Errorf("%s: %d bytes of %d", g.name, len(got), len(text))
				}
			}
		}
	}
}
