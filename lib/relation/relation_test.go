package relation

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

// A document is found by the end of its path, if there is one such document.
func TestDocumentIsNamedByTheEndOfItsPath(t *testing.T) {
	query := func(_ context.Context, req table.Request) (*table.Answer, error) {
		return &table.Answer{NotFound: req.Target, Query: req.Target, Document: req.Target == "docs/a.md"}, nil
	}
	for _, tt := range []struct {
		target, want string
		paths        []string
	}{{"a.md", "docs/a.md", []string{"docs/a.md", "docs/a.md"}}, {"a.md", "a.md", []string{"docs/a.md", "b/a.md"}}, {"a.md", "a.md", nil}, {"run", "run", nil}} {
		exact := func(_ context.Context, req answer.Request) (*answer.Response, error) {
			r := &answer.Response{TotalFound: len(tt.paths)}
			for _, p := range tt.paths {
				h := answer.Hit{}
				h.Chunk.Metadata.FilePath = p
				r.Results = append(r.Results, h)
			}
			if req.Filter.Path != "**/"+tt.target && req.Filter.Path != "" {
				t.Errorf("asked for the path %q", req.Filter.Path)
			}
			return r, nil
		}
		a, err := Ask(t.Context(), table.Request{Target: tt.target}, "", Source{Query: query, Exact: exact})
		if err != nil || a.NotFound != tt.want || a.Document != (tt.want == "docs/a.md") {
			t.Errorf("%s in %q: %+v, %v", tt.target, tt.paths, a, err)
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
		a, err := Ask(t.Context(), table.Request{Target: target[0], To: target[1]}, "", Source{Query: query, Exact: exact})
		if err != nil || strings.Join(asked, ";") != want || (a.NotFound != "") != (target[0] == "h(a)") || a.NotFound == "h" {
			t.Errorf("%q: asked %q, want %q; %+v, %v", target, asked, want, a, err)
		}
	}
}
