package render

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph"
	"cortex/lib/terminal"
)

// tree is a graph with a test, an interface, something outside, and names that would break out of a drawing or steer a terminal.
const tree = `{"_metadata":{"version":1}}
{"node":"cmd/main.go","kind":"file","name":"main.go","language":"go","package":"main"}
{"edge":"imports","from":"cmd/main.go","module":"x/server","lines":[4],"by":"import","confidence":0.95,"to":["server/"]}
{"node":"cmd/main.go#main","kind":"function","name":"main","start_line":6,"end_line":12,"signature":"func main()"}
{"edge":"calls","from":"cmd/main.go#main","name":"Println","receiver":"fmt","lines":[8],"by":"external","confidence":0.9,"external":"fmt.Println"}
{"edge":"calls","from":"cmd/main.go#main","name":"Run","receiver":"(server.Server)","lines":[9,10],"by":"receiver","confidence":0.95,"to":["server/server.go#Server.Run"]}
{"edge":"calls","from":"cmd/main.go#main","name":"operator","lines":[11],"by":"candidates","confidence":0.25,"to":["server/server.go#operator\"<<\\]\u001b[2J"]}
{"node":"server/server.go","kind":"file","name":"server.go","language":"go","package":"server"}
{"edge":"imports","from":"server/server.go","module":"fmt","lines":[3],"by":"external","confidence":0.9,"external":"fmt"}
{"node":"server/server.go#Runner","kind":"interface","name":"Runner","start_line":4,"end_line":6}
{"node":"server/server.go#Runner.Run","kind":"method","name":"Run","start_line":5,"end_line":5}
{"node":"server/server.go#Server","kind":"struct","name":"Server","start_line":8,"end_line":9}
{"edge":"implements","from":"server/server.go#Server","by":"methods","confidence":0.95,"to":["server/server.go#Runner"]}
{"node":"server/server.go#Server.Run","kind":"method","name":"Run","start_line":11,"end_line":20,"signature":"func (s *Server) Run()"}
{"node":"server/server.go#all","kind":"function","name":"all","start_line":22,"end_line":25}
{"edge":"calls","from":"server/server.go#all","name":"Run","receiver":"(Runner)","lines":[23],"by":"receiver","confidence":0.95,"to":["server/server.go#Runner.Run"]}
{"node":"server/server.go#operator\"<<\\]\u001b[2J","kind":"function","name":"operator\"<<\\]\u001b[2J","start_line":30,"end_line":31}
{"node":"server/server_test.go","kind":"file","name":"server_test.go","language":"go","package":"server","test":true}
{"node":"server/server_test.go#TestRun","kind":"function","name":"TestRun","start_line":5,"end_line":9}
{"edge":"calls","from":"server/server_test.go#TestRun","name":"Run","receiver":"(Server)","lines":[6],"by":"receiver","confidence":0.95,"to":["server/server.go#Server.Run"]}
`

func answer(t *testing.T, req graph.Request) *graph.Answer {
	t.Helper()
	lines, err := graph.ReadLines(strings.NewReader(tree))
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.FromLines(lines)
	if err != nil {
		t.Fatal(err)
	}
	req.Lines = func(path string, first, last int) ([]string, error) {
		var all []string
		for range last - first + 1 {
			all = append(all, "code of "+path)
		}
		return all, nil
	}
	a, err := g.Query(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	a.Metadata.TookMS = 0.5
	return a
}

// TestForms compares the answers in all forms with testdata/NAME.FORM; UPDATE_GOLDEN=1 writes them.
func TestForms(t *testing.T) {
	for name, req := range map[string]graph.Request{
		"callers":      {Operation: graph.Callers, Target: "Server.Run", Context: 1},
		"callees":      {Operation: graph.Callees, Target: "main"},
		"dependents":   {Operation: graph.Dependents, Target: "server"},
		"dependencies": {Operation: graph.Dependencies, Target: "cmd/main.go", Depth: 2},
		"impact":       {Operation: graph.Impact, Target: "Runner.Run"},
		"path":         {Operation: graph.Path, Target: "all", To: "Server.Run"},
		"ambiguous":    {Operation: graph.Callers, Target: "Run"},
		"missing":      {Operation: graph.Callers, Target: "Servr"},
		"up":           {Operation: graph.Implementations, Target: "Server"},
	} {
		a := answer(t, req)
		for _, format := range Formats {
			var b strings.Builder
			if err := Answer(&b, a, Options{Format: format, View: terminal.View{Dir: "/tree/below", Root: "/tree"}}); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+"."+string(format))
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
			if format != JSON && strings.ContainsRune(b.String(), '\x1b') {
				t.Errorf("%s: an escape reaches the terminal", file)
			}
		}
	}
}

func TestColorsAreTheOnlyDifference(t *testing.T) {
	a := answer(t, graph.Request{Operation: graph.Callers, Target: "Server.Run", Context: 1})
	var plain, colored strings.Builder
	for b, color := range map[*strings.Builder]bool{&plain: false, &colored: true} {
		if err := Answer(b, a, Options{Format: Pretty, Color: color}); err != nil {
			t.Fatal(err)
		}
	}
	bare := colored.String()
	for _, style := range []string{pathStyle, lineStyle, nameStyle, dimStyle, ""} {
		bare = strings.ReplaceAll(bare, "\x1b["+style+"m", "")
	}
	if bare = strings.ReplaceAll(bare, "\x1b[0m", ""); bare != plain.String() || colored.Len() == plain.Len() {
		t.Errorf("plain %q, coloured %q", plain.String(), colored.String())
	}
}

// TestFit keeps answers to their size, and tells what is missing.
func TestFit(t *testing.T) {
	for _, format := range []Format{JSON, Pretty} {
		for _, tokens := range []int{100, 150, 250, 10_000} {
			a := answer(t, graph.Request{Operation: graph.Impact, Target: "Runner", Context: 2})
			found := len(a.Results) + len(a.Tests)
			frame := *a
			frame.Results, frame.Tests = []graph.Hit{}, nil
			opts := Options{Format: format}
			text, err := json.Marshal(frame)
			if err != nil {
				t.Fatal(err)
			}
			a.Fit(tokens, len(text), func(h *graph.Hit) int { return len(Hit(h, opts)) + 1 })
			var b strings.Builder
			if err := Answer(&b, a, opts); err != nil {
				t.Fatal(err)
			}
			whole := len(a.Results)+len(a.Tests) == found && a.Note == ""
			if b.Len() > 4*tokens && len(a.Results) > 1 || tokens == 100 && whole || tokens == 10_000 && !whole || whole == a.Truncated {
				t.Errorf("%s in %d tokens: %d bytes, %d of %d, %q", format, tokens, b.Len(), len(a.Results)+len(a.Tests), found, a.Note)
			}
		}
	}
}
