package corpus

import "testing"

func TestQualifiedNames(t *testing.T) {
	for name, want := range map[string][2]string{
		"a": {"", "a"}, "a.b.c": {"a.b", "c"}, "A::b": {"A", "b"}, "A#b": {"A", "b"}, "a.A::b": {"a.A", "b"}, "": {"", ""},
		"Shelf.addBook:atIndex:": {"Shelf", "addBook"}, "addBook:": {"", "addBook"}, "A.B.sum::": {"A.B", "sum"},
	} {
		if got := [2]string{Qualifier(name), LastComponent(name)}; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"a.b.c": "b", "A::b": "A", "c": "", "A.B.addBook:atIndex:": "B"} {
		if got := Owner(name); got != want {
			t.Errorf("owner of %s: got %q, want %q", name, got, want)
		}
	}
}
