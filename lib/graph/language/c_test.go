package language

import (
	"slices"
	"testing"
)

// TestNamesOfCAreSorted since they are looked for by halves.
func TestNamesOfCAreSorted(t *testing.T) {
	for name, list := range map[string][]string{"standardHeaders": standardHeaders, "builtinC": builtinC, "builtinMembersC": builtinMembersC, "standardC": standardC} {
		if !slices.IsSorted(list) {
			t.Errorf("%s is not sorted", name)
		}
		if n := len(slices.Compact(slices.Clone(list))); n != len(list) {
			t.Errorf("%s has names twice", name)
		}
	}
}

func TestPlainNamesOfC(t *testing.T) {
	for name, want := range map[string]string{
		"a::b": "a.b", "::a": "a", "Base<T, ns::U>::m": "Base.m", "typename Base<A<B>>::Part": "Base.Part", "Base::operator<": "Base.operator<",
		"Base<T>::operator->": "Base.operator->", "boost::operators::less": "boost.operators.less", "a<": "a", "": "",
	} {
		if got := plainC(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
