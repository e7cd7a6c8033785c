package mask

import (
	"regexp"
	"strings"
	"testing"
)

// TestPlainItems: «X» is to be blanked, «X|Y» is to be replaced by Y.
func TestPlainItems(t *testing.T) {
	marks := regexp.MustCompile(`«([^«»|]*)(?:\|([^«»]*))?»`)
	for _, marked := range []string{
		"cfg_if! {\n «if #[cfg(a)] {»\n  fn f() { if #[x] { } }\n «}» «else if #[cfg(b)] {»\n  fn g() {}\n «}» «else {»\n  fn h() {}\n «}»\n}\nif #[a] {}",
		"x! { «if #[cfg(any(a, feature = \"]{\"))] {» mod b; «}» fn f() {} }",
		"bitflags! { pub «struct|enum  » A«: u8 »{ «const» B = 1«;|,» #[x] «const» C = Self::B.bits()«;|,» «const» «_ = !0;» } impl A { const D: u8 = 1; } }",
		"p! {\n #[test]\n fn f(a «in|:!»« 0..9u8», mut b «in|:!»« any::<Map<u8, u8>>()», c: u8, (d, e) «in|:!»« g(1, 2)») { for x in y {} }\n}",
		"fn f(a in b) { x! { '{', '\\'', 'é', r#\"}\"#, \"\\\"}\", /* } /* */ */ // }\n fn g<'a>(b in c) } }",
		"x! { fn f(a «in|:!» b", "}}) x! { if #[a", "x!{ struct A: B", "x! { struct A; struct B<T> { c: T } }",
	} {
		text := marks.ReplaceAllString(marked, "$1")
		want := marks.ReplaceAllStringFunc(marked, func(m string) string {
			parts := marks.FindStringSubmatch(m)
			if parts[2] != "" {
				return parts[2]
			}
			return strings.Repeat(" ", len(parts[1]))
		})
		if got := PlainItems(text); got != want {
			t.Errorf("%s\nis\n%s\nnot\n%s", text, got, want)
		}
	}
}
