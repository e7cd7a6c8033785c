package mask

import "testing"

func TestPlainAnnotations(t *testing.T) {
	for _, c := range [][2]string{
		{"@A\n@B\nprivate fun f() {}\n", "@[A\nB]private fun\nf() {}\n"},
		{"@A @B private val a = 1\n", "@[A B]private val a = 1\n"},
		{"@A(\")\", (1))\n  @b.C(2) // d\n@D\r\nfun f()", "@[A(\")\", (1))  \nb.C(2) // d\n D]\nfun f()"},
		{"x\n@A\n@B\n\n@C\nclass D {\n  @A\n  @B\n  fun f()", "x\n@[A\nB\n\n C]class\nD {\n  @A\n  @B\n  fun f()"},
		{"@A\nconst val a = 1\n@A @B\nconst val b = 1", "@A\n      val a = 1\n@[A B]      val\nb = 1"},
		{"@A(1)\n@B\nenum class C\n@A @B\nfun interface C", "@[A(1)\nB]enum class\nC\n@[A B]fun interface\nC"},
		{"@A\nfun f()\n@file:A\n@B\nfun f()\n@A\n@get:B\nval a = 1\n@A\n@B", ""},
		{"@A\n@B\nfun", ""}, {"@A\n@B\na b c d", ""}, {"@A @", ""}, {"@A(", ""}, {"@", ""}, {"@A\n@B(\"\\", ""}, {"@A@B fun f()", ""},
	} {
		want := c[1]
		if want == "" {
			want = c[0]
		}
		if got := PlainAnnotations(c[0]); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", c[0], got, want)
		}
	}
}
