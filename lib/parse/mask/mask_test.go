package mask

import (
	"slices"
	"strings"
	"testing"
)

func TestMasks(t *testing.T) {
	comment := Mask{Match: `//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"`}
	tests := []struct {
		name, text, want string
		masks            []Mask
	}{
		{"nothing", "a b", "a b", []Mask{{Match: `x`, As: "y"}}},
		{"padded", "throws(E) x", "throws    x", []Mask{{Match: `throws\(\w+\)`, As: "throws"}}},
		{"filled", "a ${k}$ b", "a xxxxx b", []Mask{{Match: `\$\{\w+\}\$`, Fill: 'x'}}},
		{"line ends stay", "a(\n)b", "a \n b", []Mask{{Match: `\([^)]*\)`, As: " "}}},
		{"ends replaced", "[dbo].[T]", `"dbo"."T"`, []Mask{{Match: `\[\w+\]`, As: `"…"`}}},
		{"inside blanked", "$x$ a\nb $x$;", "'    \n    ';", []Mask{{Match: `\$\w*\$`, Paired: true, As: "'…'", Blank: true}}},
		{"pair without end", "$x$ a $y$", "$x$ a $y$", []Mask{{Match: `\$\w*\$`, Paired: true, As: "'…'", Blank: true}}},
		{"comments kept", "x // x\n/* x\nx */ x \"x\\\"x\" x", "y // x\n/* x\nx */ y \"x\\\"x\" y", []Mask{comment, {Match: `\bx\b`, As: "y"}}},
		{"first mask wins", "ab", "12", []Mask{{Match: `ab`, As: "12"}, {Match: `a`, As: "3"}}},
		{"leftmost wins", "ab", "3b", []Mask{{Match: `b\b`, As: "4"}, {Match: `ab?`, As: "3b"}}},
		{"start of a line", "GO\nxGO\nGO GO", "; \nxGO\n;  GO", []Mask{{Match: `(?m)^GO`, As: ";"}}},
		{"boundary", "in inn xin", "IN inn xin", []Mask{{Match: `\bin\b`, As: "IN"}}},
		{"boundary behind a match", "'a'in", "'a'IN", []Mask{{Match: `'[^']*'`}, {Match: `\bin\b`, As: "IN"}}},
		{"any case", "Procedure procedures", "FUNCTION  procedures", []Mask{{Match: `(?i)\bPROCEDURE\b`, As: "FUNCTION"}}},
		{"flags for all alternatives", "A b", "x x", []Mask{{Match: `(?i)\ba\b|\bB\b`, As: "x"}}},
		{"directly behind", "t(a) (b)", "t    (b)", []Mask{{Match: `\bt\b`}, {Match: `\A\([^)]*\)`, As: " "}}},
		{"beyond ASCII", "é«x»é", "é\"  x  \"é", []Mask{{Match: `«[^»]*»`, As: "\" …  \""}}},
		{"gap of blanks", "a\\\n \t[x]\\\n[[ \\\n\n[", "a\\\n \t_x]\\\n_[ \\\n\n[", []Mask{{Match: `\\\n[ \t]*\[`, As: "…_"}}},
		{"gap to the end", "a: ", "a: ", []Mask{{Match: `:[ \t]*=`, As: "="}}},
		{"to the end", "a // b", "a !   ", []Mask{{Match: `//[^\n]*`, As: "!"}}},
		{"behind blanks", "\n \tasm\n x\n\t end", "\n \tASM\n x\n\t END", []Mask{{Match: `(?i)\bASM\b`, As: "ASM"}, {Match: `\n[ \t]*end`, As: "\n\t END"}}},
		{"blanks or an end", "a  b a \n", "c  b c \n", []Mask{{Match: `a\s*b?`, As: "c …"}}},
		{"blanks alone", "x  ;x ,", "x  ;y ,", []Mask{{Match: `x[ \t]*,`, As: "y…,"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := New(test.masks).Mask(test.text)
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
