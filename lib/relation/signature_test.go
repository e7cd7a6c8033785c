package relation

import "testing"

func TestWithoutArguments(t *testing.T) {
	for name, want := range map[string]string{
		"Server.Handle": "", "f()": "f", "ns::f(int, char*)": "ns::f", "get<T>": "get", "Map<K, List<V>>.get(K key)": "Map.get", "Box[T].Get": "Box.Get",
		"(*T).M": "", "(*T).M(x)": "(*T).M", "operator<": "", "operator()": "operator", "a<b": "", "lib/a.go:12": "", "when(it fails) then": "", "é<x>(y)": "é", "": "",
	} {
		if want == "" {
			want = name
		}
		if got := withoutArguments(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestDeclaredName(t *testing.T) {
	for signature, want := range map[string]string{
		"get() const": "get", "uint32_t X::get() const": "X::get", "virtual void on(Packet* p) = 0;": "on", "char *name(int i)": "name",
		"func (s *Server) Handle(w Writer) (int, error)": "Server.Handle", "func (b Box[T]) Get() T": "Box.Get", "func F() error": "F",
		"def run(self, x: int) -> Dict[str, int]": "run", "public <T> List<T> all(Class<T> c) throws E": "all", "get(key: string): Promise<void>": "get",
		"class Foo extends Bar": "class Foo extends Bar", "a b": "a b", "": "", ")": ")",
	} {
		if got := declaredName(signature); got != want {
			t.Errorf("%s: %q, want %q", signature, got, want)
		}
	}
}
