package shell

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/lineartest"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		// Values
		"x=${(f)list} y=\"a ${x:h} b\"\n":                       "x=\"________\" y=\"a ______ b\"\n",
		"print $x[1,-1] $+x $#x[@] $1 $? $$":                    "print \"______\" \"_\" \"____\" $1 $? $$",
		"x=${${(f)\"$(ls \"$y\")\"}[1]}":                        "x=\"_______$(ls \"$y\")_____\"",
		"echo \"${x:-it's} and ${y}\" 'a'":                      "echo \"__________ and ____\" 'a'",
		"x \"${(e):-\"\\}\"}\" ${y:h}":                          "x \"____________\" \"____\"",
		"x=$(( $#a + 1 ))":                                      "x=\"____________\"",
		"ls *.c(.N) **/(a|b) data-<1-9>":                        "ls *.c\"__\" **/\"___\" data-\"___\"",
		"diff =(ls a) <(ls b)":                                  "diff <(ls a) <(ls b)",
		"x=( a|b *(N) # (\n )":                                  "x=( a_b *\"_\" # (\n )",
		"cache[$a/$b]=1 x":                                      "cache[_____]=1 x",
		"cat <<E <<'F'\n${(j: :)a}\nE\n${(j: :)a}\nF\ny=${z:h}": "cat <<E <<'F'\n__________\nE\n${(j: :)a}\nF\ny=\"____\"",
		// Conditions
		"[[ $a == (b|c)* ]] && d":             "\"________________\" && d",
		"(( $+commands[git] )) || return":     "\"___________________\" || return",
		"if [[ -n $(ls a) ]] then b; fi":      "if \"_____$(ls a)__\";then b; fi",
		"if (( a )) { b } else { c }":         "   \"_____\";{ b;};     { c;}",
		"if [[ a ]] { b } elif [[ c ]] { d }": "   \"_____\";{ b;};     \"_____\";{ d;}",
		"while (( a )) { b }":                 "      \"_____\";{ b;}",
		"if a; then { b; } else { c; }; fi":   "if a; then { b; } else { c; }; fi",
		// Loops
		"for x ($list) { b $x }":         "\"___________\";{ b $x;}",
		"for x ($(ls)); do b; done":      "while \"$(ls)\"; do b; done",
		"for k v in a b; do c; done":     "while \"______\"; do c; done",
		"for x in *(N); do c; done":      "for x in *\"_\"; do c; done",
		"for x in a b; { c }":            "\"__________\"; { c;}",
		"for ((i = $#a; i; i--)) { b }":  "\"_____________________\";{ b;}",
		"repeat 3 b":                     "\"______\";b",
		"repeat 3; do b; done":           "while \"\"; do b; done",
		"case $x in\n(a|b)*) c ;|\nd) ;": "case $x in\n\"____\") c ;;\n_) ;",
		"case x in (a | b) c;; esac; d":  "case x in (\"___\") c;; esac; d",
		// Groups and functions
		"f() { ls $1 }\ng () { h }":      "f() { ls $1;}\ng () { h;}",
		"f() {ls 'a' 'b'}":               "f(){ ls 'a' \"\";}",
		"f() {\n  ls \\\n}\n":            "f() {\n  ls  \n}\n",
		"echo {a,b} {} }":                "echo {a,b} {} }",
		"() { ls } $a b\nc":              "   { ls;}     \nc",
		"function { ls }":                "         { ls;}",
		"function a b() { c }":           "function a  () { c;}",
		"{ a } always { b }":             "{ a;};       { b;}",
		"a &| b >! c; d >| e &> f &!":    "a &  b >  c; d >  e &> f & ",
		"a() { ls # }\n}\nb 'c }' \"}\"": "a() { ls # }\n}\nb 'c }' \"}\"",
		"x=`ls ${(f)a}`; y=$'it\\'s' {":  "x=`ls ${(f)a}`; y=$'it\\'s' {",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
	}
}

// A script cut off anywhere, or begun anywhere, comes out in its length, with its ends of lines.
func TestPlainKeepsLengthAndLines(t *testing.T) {
	script := "f() { for k v (${(kv)a}) { [[ $k == (b|\"$(c)\")* ]] && x[$k]=(d <<E) }\n${e}\nE\ncase $1 in (f|g)*) `h`;| esac } always { (( i++ )) &| }\r\n"
	for i := range script {
		for _, text := range []string{script[:i], script[i:]} {
			got := Plain(text)
			if len(got) != len(text) {
				t.Fatalf("%q becomes %q", text, got)
			}
			for at := range text {
				if (text[at] == '\n') != (got[at] == '\n') {
					t.Fatalf("%q becomes %q", text, got)
				}
			}
		}
	}
}

func TestPlainLeavesWhatNestsTooDeep(t *testing.T) {
	for _, opening := range []string{"$(", "${", "{ ", "( ", "x=(<(", "case a in b) ", "\"${\"${"} {
		if text := strings.Repeat(opening, 2*maxShellDepth); Plain(text) != text {
			t.Errorf("%q, many times, becomes another text", opening)
		}
	}
}

func TestPlainTakesLinearTime(t *testing.T) {
	n := lineartest.Size(t)
	for _, s := range []string{"$(", "${", "{ ", "(", "((", "[[ ", "a[", "a[ ", ";a[", "$a[", "'", "\"", "`", "\"${", "${'", "${'\n", "<<E\n", "<<E ", "cat <<-E\n\t", "f (  ", "f() { ",
		"} ", "{ } ", "{a}", "case a in b) c;; ", "case a in (b", "for a b ", "for a in ", "repeat ", "if [[ a ]] {", "function a ", "a=(", "a=( ", "x ", "x\\\n", "# \n", "<1-", ">", "&> ", "$(a) ", "[[ $(a) ]] ", "${x$(a)} "} {
		lineartest.Check(t, fmt.Sprintf("%q", s), n, func(n int) func() {
			text := lineartest.Repeat(s, n)
			return func() {
				if got := Plain(text); len(got) != len(text) {
					t.Errorf("%q: %d bytes of %d", s, len(got), len(text))
				}
			}
		})
	}
}
