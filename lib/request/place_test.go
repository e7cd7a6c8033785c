package request

import (
	"context"
	"strings"
	"testing"

	"cortex/lib/graph/table"
	"cortex/lib/search/answer"
)

// TestPlaceBeyondTheEndOfTheFile has targets as users type them and as answers print places.
func TestPlaceBeyondTheEndOfTheFile(t *testing.T) {
	for query, refused := range map[string]bool{"a.go:7": false, "a.go:11": true, "a.go:7-9": false, "a.go:11-12": true, "a.go:11,15-16": true, "a.go": false} {
		a := &table.Answer{Query: query, Target: &table.Symbol{FilePath: "a.go", Kind: table.FileKind}}
		err := checkPlaces(a, func(string) (int, error) { return 10, nil })
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "the file has 10 lines") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

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

// A target that is copied from a signature is found, and a name that has signs of its own is asked for as it is.
func TestGraphIsAskedWithoutArguments(t *testing.T) {
	var asked []string
	query := func(_ context.Context, req table.Request) (*table.Answer, error) {
		asked = append(asked, req.Target+" "+req.To)
		for _, name := range []string{req.Target, req.To} {
			if name != "" && name != "f" && name != "g(x)" {
				return &table.Answer{NotFound: name, Query: name}, nil
			}
		}
		return &table.Answer{}, nil
	}
	exact := func(context.Context, answer.Request) (*answer.Response, error) { return &answer.Response{}, nil }
	for target, want := range map[[2]string]string{
		{"f(int)", "g(x)"}: "f(int) g(x);f g(x)", {"g(x)", "f<T>"}: "g(x) f<T>;g(x) f", {"f(a)", "f(b)"}: "f(a) f(b);f f(b);f f", {"h(a)", ""}: "h(a) ;h ", {"int f(a) const", ""}: "int f(a) const ;f ",
	} {
		asked = nil
		a, err := AskGraph(t.Context(), table.Request{Target: target[0], To: target[1]}, "", GraphSource{Query: query, Exact: exact})
		if err != nil || strings.Join(asked, ";") != want || (a.NotFound != "") != (target[0] == "h(a)") || a.NotFound == "h" {
			t.Errorf("%q: asked %q, want %q; %+v, %v", target, asked, want, a, err)
		}
	}
}
