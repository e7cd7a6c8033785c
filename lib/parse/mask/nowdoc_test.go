package mask

import "testing"

func TestPlainNowdocs(t *testing.T) {
	for _, c := range [][2]string{
		{"$a = <<<'SQL'\n  it's \\ SQL\n  SQLS\n  SQL . $b;\n", "$a = '       \n  it s   SQL\n  SQLS\n    ' . $b;\n"},
		{"[<<<'A'\r\n\r\nA => 1, <<<'B'\nB]", "['     \r\n\r\n' => 1, '     \n']"},
		{"f(<<<'A'\na\nA, <<<'B'\nB );\n<<<'C'\nC\n;<<<\"D\"\nD . 1;", ""},
		{"<<<'A", ""}, {"<<<'A'", ""}, {"<<<'A'\n", ""}, {"<<<'A'\nA", ""}, {"<<<''\n . 1", ""}, {"<<<'A' . <<<'B'\nC\n", ""},
	} {
		want := c[1]
		if want == "" {
			want = c[0]
		}
		if got := PlainNowdocs(c[0]); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", c[0], got, want)
		}
	}
}
