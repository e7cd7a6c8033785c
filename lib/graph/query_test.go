package graph

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/excerpt"
	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/record"
)

// example is a small tree in Go and Python: an interface with two implementations behind a server, a class hierarchy, and names that occur twice.
const example = `{"_metadata":{"version":1}}
{"node":"c/main.go","kind":"file","name":"main.go","language":"go","package":"main"}
{"edge":"imports","from":"c/main.go","module":"fmt","lines":[3],"by":"external","confidence":0.9,"external":"fmt"}
{"edge":"imports","from":"c/main.go","module":"x/server","lines":[4],"by":"import","confidence":0.95,"to":["server/"]}
{"node":"c/main.go#main","kind":"function","name":"main","start_line":6,"end_line":12}
{"edge":"calls","from":"c/main.go#main","name":"Println","receiver":"fmt","lines":[8],"by":"external","confidence":0.9,"external":"fmt.Println"}
{"edge":"instantiates","from":"c/main.go#main","name":"Server","receiver":"server","lines":[7],"by":"import","confidence":0.95,"to":["server/server.go#Server"]}
{"edge":"calls","from":"c/main.go#main","name":"Run","receiver":"(server.Server)","lines":[9,10],"by":"receiver","confidence":0.95,"to":["server/server.go#Server.Run"]}
{"node":"py/a/twin.py","kind":"file","name":"twin.py","language":"python"}
{"node":"py/a/twin.py#same","kind":"function","name":"same","start_line":3,"end_line":9}
{"node":"py/b/twin.py","kind":"file","name":"twin.py","language":"python"}
{"node":"py/base.py","kind":"file","name":"base.py","language":"python"}
{"node":"py/base.py#Base","kind":"class","name":"Base","start_line":1,"end_line":9}
{"node":"py/base.py#Base.__init__","kind":"method","name":"__init__","start_line":2,"end_line":3}
{"node":"py/base.py#Base.run","kind":"method","name":"run","start_line":5,"end_line":6}
{"node":"py/base.py#Base.rest","kind":"method","name":"rest","start_line":8,"end_line":9}
{"node":"py/sub.py","kind":"file","name":"sub.py","language":"python"}
{"edge":"imports","from":"py/sub.py","name":"Base","module":"base","lines":[1],"by":"import","confidence":0.95,"to":["py/base.py","py/base.py#Base"]}
{"node":"py/sub.py#Sub","kind":"class","name":"Sub","start_line":3,"end_line":9}
{"edge":"extends","from":"py/sub.py#Sub","name":"Base","lines":[3],"by":"import","confidence":0.95,"to":["py/base.py#Base"]}
{"node":"py/sub.py#Sub.__init__","kind":"method","name":"__init__","start_line":4,"end_line":5}
{"node":"py/sub.py#Sub.run","kind":"method","name":"run","start_line":7,"end_line":8}
{"node":"py/use.py","kind":"file","name":"use.py","language":"python"}
{"edge":"imports","from":"py/use.py","name":"Base","module":"base","lines":[1],"by":"import","confidence":0.95,"to":["py/base.py","py/base.py#Base"]}
{"node":"py/use.py#go","kind":"function","name":"go","start_line":3,"end_line":9}
{"edge":"instantiates","from":"py/use.py#go","name":"Base","lines":[4],"by":"import","confidence":0.95,"to":["py/base.py#Base"]}
{"edge":"calls","from":"py/use.py#go","name":"run","receiver":"(Base)","lines":[5],"by":"receiver","confidence":0.95,"to":["py/base.py#Base.run"]}
{"edge":"calls","from":"py/use.py#go","name":"Run","receiver":"…","lines":[7],"by":"candidates","confidence":0.25,"to":["py/base.py#Base.run","py/sub.py#Sub.run"]}
{"node":"server/server.go","kind":"file","name":"server.go","language":"go","package":"server"}
{"edge":"imports","from":"server/server.go","module":"x/store","lines":[3],"by":"import","confidence":0.95,"to":["store/"]}
{"typing":"server/server.go#Server","name":"store","value":"(store.Store)","line":7}
{"node":"server/server.go#Server","kind":"struct","name":"Server","start_line":6,"end_line":9,"signature":"type Server struct","exported":true}
{"edge":"uses","from":"server/server.go#Server","name":"Store","receiver":"store","lines":[7],"by":"import","confidence":0.95,"to":["store/store.go#Store"]}
{"node":"server/server.go#Server.Handle","kind":"method","name":"Handle","start_line":11,"end_line":20,"signature":"func (s *Server) Handle()","exported":true}
{"edge":"calls","from":"server/server.go#Server.Handle","name":"Get","receiver":"(Server).store","lines":[12,14],"by":"receiver","confidence":0.95,"to":["store/store.go#Store.Get"]}
{"edge":"calls","from":"server/server.go#Server.Handle","name":"lost","receiver":"x","lines":[13]}
{"node":"server/server.go#Server.Run","kind":"method","name":"Run","doc_line":21,"start_line":22,"end_line":25}
{"edge":"calls","from":"server/server.go#Server.Run","name":"Handle","receiver":"(Server)","lines":[23],"by":"receiver","confidence":0.95,"to":["server/server.go#Server.Handle"]}
{"node":"server/server.go#idle","kind":"function","name":"idle","start_line":27,"end_line":28}
{"node":"server/server_test.go","kind":"file","name":"server_test.go","language":"go","package":"server","test":true}
{"node":"server/server_test.go#TestHandle","kind":"function","name":"TestHandle","start_line":5,"end_line":9}
{"edge":"calls","from":"server/server_test.go#TestHandle","name":"Handle","receiver":"(Server)","lines":[6],"by":"receiver","confidence":0.95,"to":["server/server.go#Server.Handle"]}
{"edge":"passes","from":"server/server_test.go#TestHandle","name":"idle","lines":[7],"by":"package","confidence":0.9,"to":["server/server.go#idle"]}
{"node":"store/disk.go","kind":"file","name":"disk.go","language":"go","package":"store"}
{"node":"store/disk.go#Disk","kind":"struct","name":"Disk","start_line":3,"end_line":3}
{"edge":"implements","from":"store/disk.go#Disk","by":"methods","confidence":0.95,"to":["store/store.go#Store"]}
{"node":"store/disk.go#Disk.Get","kind":"method","name":"Get","start_line":5,"end_line":9}
{"edge":"calls","from":"store/disk.go#Disk.Get","name":"path","lines":[6],"by":"package","confidence":0.9,"to":["store/store.go#path"]}
{"node":"store/memory.go","kind":"file","name":"memory.go","language":"go","package":"store"}
{"node":"store/memory.go#Memory","kind":"struct","name":"Memory","start_line":3,"end_line":3}
{"edge":"implements","from":"store/memory.go#Memory","by":"methods","confidence":0.95,"to":["store/store.go#Store"]}
{"node":"store/memory_more.go","kind":"file","name":"memory_more.go","language":"go","package":"store"}
{"node":"store/memory_more.go#Memory.Get","kind":"method","name":"Get","start_line":3,"end_line":5}
{"node":"store/store.go","kind":"file","name":"store.go","language":"go","package":"store"}
{"node":"store/store.go#Store","kind":"interface","name":"Store","start_line":3,"end_line":6,"exported":true}
{"node":"store/store.go#Store.Get","kind":"method","name":"Get","start_line":4,"end_line":4}
{"node":"store/store.go#path","kind":"function","name":"path","start_line":8,"end_line":10}
`

// short returns an answer on one line: results with their lines, and the other fields.
func short(a *table.Answer) string {
	var parts []string
	show := func(list []table.Hit) string {
		var all []string
		for _, h := range list {
			s := h.Symbol.Symbol
			if len(h.Lines) > 0 {
				s += ":" + strings.Trim(strings.ReplaceAll(fmt.Sprint(h.Lines), " ", ","), "[]")
			}
			if h.Distance > 1 {
				s += fmt.Sprintf("@%d", h.Distance)
			}
			if h.Through != "" {
				s += " through " + h.Through
			}
			if h.Up {
				s = "^" + s
			}
			all = append(all, s)
		}
		return strings.Join(all, ", ")
	}
	parts = append(parts, show(a.Results))
	if len(a.Tests) > 0 {
		parts = append(parts, "tests: "+show(a.Tests))
	}
	names := func(list []table.Symbol) string {
		var all []string
		for _, s := range list {
			all = append(all, s.Symbol)
		}
		return strings.Join(all, ", ")
	}
	if len(a.Candidates) > 0 {
		parts = append(parts, "candidates: "+names(a.Candidates))
	}
	if a.NotFound != "" {
		parts = append(parts, "no "+a.NotFound+", near: "+names(a.Near))
	}
	if len(a.Also) > 0 {
		parts = append(parts, fmt.Sprintf("also %s of %d", names(a.Also), a.AlsoFound))
	}
	if a.Reversed {
		parts = append(parts, "reversed")
	}
	if o := a.Omitted; o != nil {
		parts = append(parts, fmt.Sprintf("omitted: %+v", *o))
	}
	return strings.Join(parts, "; ")
}

func TestOperations(t *testing.T) {
	g := load(t, []byte(example))
	for _, tt := range []struct {
		op     table.Operation
		target string
		to     string
		depth  int
		least  float64
		want   string
	}{
		{op: table.Callers, target: "Server.Handle", want: "Server.Run:23, TestHandle:6"},
		{op: table.Callers, target: "Server.Handle", depth: 2, want: "Server.Run:23, TestHandle:6, main:9,10@2"},
		{op: table.Callers, target: "Store.Get", want: "Server.Handle:12,14"},
		// A call of the interface may run either; Memory has its methods in another file.
		{op: table.Callers, target: "Disk.Get", want: "Server.Handle:12,14 through Store.Get"},
		{op: table.Callers, target: "Memory.Get", want: "Server.Handle:12,14 through Store.Get"},
		{op: table.Callers, target: "Sub.run", least: .5, want: "go:5 through Base.run"},
		{op: table.Callers, target: "Sub.run", want: "go:5,7 through Base.run, go:7"},
		{op: table.Callers, target: "Base.run", want: "go:5,7"},
		// A constructor never runs in place of another.
		{op: table.Callers, target: "Sub.__init__", want: ""},
		{op: table.Callers, target: "Server", want: "main:7, main:9,10, TestHandle:6"},
		{op: table.Callers, target: "path", want: "Disk.Get:6"},
		{op: table.Callers, target: "fmt.Println", want: "main:8"},
		{op: table.Callers, target: "fmt", want: "main:8"},
		{op: table.Callers, target: "server/server.go", want: "main:7, main:9,10, TestHandle:6"},
		{op: table.Callees, target: "main", want: "Server:7, Server.Run:9,10, fmt.Println:8"},
		{op: table.Callees, target: "main", depth: 3, want: "Server:7, Server.Run:9,10, fmt.Println:8, Server.Handle:23@2, Store.Get:12,14@3"},
		{op: table.Callees, target: "c/main.go:9", want: "Server:7, Server.Run:9,10, fmt.Println:8"},
		{op: table.Implementations, target: "Store", want: "Disk, Memory"},
		{op: table.Implementations, target: "Store.Get", want: "Disk.Get, Memory.Get"},
		{op: table.Implementations, target: "Disk", want: "^Store"},
		{op: table.Implementations, target: "Disk.Get", want: "^Store.Get"},
		{op: table.Implementations, target: "Base", want: "Sub:3"},
		{op: table.Implementations, target: "Sub", want: "^Base:3"},
		{op: table.Implementations, target: "Base.run", want: "Sub.run"},
		{op: table.Dependencies, target: "c/main.go", want: "server/:4, fmt:3, server/server.go:7,9,10"},
		{op: table.Dependencies, target: "server", want: "store/:3, store/store.go:7,12,14"},
		{op: table.Dependencies, target: "c", depth: 2, want: "server/:4, fmt:3, server/server.go:7,9,10, store/:3@2, store/store.go:7,12,14@2"},
		{op: table.Dependencies, target: "Server.Handle", want: "Store.Get:12,14"},
		{op: table.Dependents, target: "store/", want: "server/server.go:3"},
		{op: table.Dependents, target: "store.go", want: "server/server.go:7,12,14, store/disk.go:6, store/memory.go"},
		{op: table.Dependents, target: "py/base.py", want: "py/sub.py:1, py/use.py:1"},
		{op: table.TypeUsages, target: "Store", want: "Server:7, Disk, Memory"},
		{op: table.TypeUsages, target: "Base", want: "Sub:3, go:4"},
		{op: table.References, target: "Base", want: "Sub:3, go:4, py/sub.py:1, py/use.py:1"},
		{op: table.References, target: "Store.Get", want: "Server.Handle:12,14"},
		{op: table.Impact, target: "Disk.Get", want: "Server.Handle:12,14 through Store.Get, Server.Run:23@2, main:9,10@3; tests: TestHandle:6@2"},
		{op: table.Impact, target: "Disk.Get", depth: 1, want: "Server.Handle:12,14 through Store.Get"},
		// A change of a method's signature reaches the methods that implement or override it, and their callers.
		{op: table.Impact, target: "Store.Get", depth: 1, want: "Server.Handle:12,14, Disk.Get, Memory.Get"},
		{op: table.Impact, target: "Base.run", depth: 1, want: "go:5,7, Sub.run"},
		{op: table.Impact, target: "Sub.run", depth: 1, want: "go:5,7 through Base.run"},
		{op: table.Impact, target: "Base.__init__", want: ""},
		{op: table.Impact, target: "store/store.go", depth: 1, want: "Server:7, Server.Handle:12,14, Disk, Memory, Disk.Get:6"},
		{op: table.Path, target: "main", to: "Store.Get", want: "Server.Run:9,10, Server.Handle:23@2, Store.Get:12,14@3"},
		{op: table.Path, target: "main", to: "path", want: "Server.Run:9,10, Server.Handle:23@2, Store.Get:12,14@3, Disk.Get@4, path:6@5"},
		{op: table.Path, target: "main", to: "path", depth: 4, want: ""},
		{op: table.Path, target: "path", to: "Server.Handle", want: "Store.Get:12,14, Disk.Get@2, path:6@3; reversed"},
		{op: table.Path, target: "go", to: "main", want: ""},
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: tt.op, Target: tt.target, To: tt.to, Depth: tt.depth, MinConfidence: tt.least})
		if err != nil {
			t.Errorf("%s %s: %v", tt.op, tt.target, err)
			continue
		}
		if got := short(a); got != tt.want {
			t.Errorf("%s %s %s depth %d:\n got %s\nwant %s", tt.op, tt.target, tt.to, tt.depth, got, tt.want)
		}
	}
}

// TestAnswerSaysWhereItEnds: a chain that goes on beyond the depth is told of.
func TestAnswerSaysWhereItEnds(t *testing.T) {
	g := load(t, []byte(example))
	for _, tt := range []struct {
		op     table.Operation
		target string
		depth  int
		want   string
	}{
		{table.Impact, "Disk.Get", 1, "ends at distance 1, and there is more beyond; raise depth"},
		{table.Impact, "Disk.Get", 2, "ends at distance 2, and there is more beyond; raise depth"},
		{table.Impact, "Disk.Get", 0, ""},
		{table.Callers, "Store.Get", 1, ""}, // who asks for callers knows that they have callers
		{table.Callers, "Store.Get", 2, "ends at distance 2, and there is more beyond; raise depth"},
		{table.Callers, "Store.Get", 3, ""},
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: tt.op, Target: tt.target, Depth: tt.depth})
		if err != nil || a.Note != tt.want || a.Beyond != (tt.want != "") || a.Truncated {
			t.Errorf("%s %s depth %d: %v, %q, beyond %v, truncated %v", tt.op, tt.target, tt.depth, err, a.Note, a.Beyond, a.Truncated)
		}
	}
}

// TestHelpersOfTestsAreNoTests: among what a change reaches, what tests call is listed with the code.
func TestHelpersOfTestsAreNoTests(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a.go","kind":"file","name":"a.go","language":"go"}
{"node":"a.go#f","kind":"function","name":"f","start_line":1,"end_line":2}
{"node":"a_test.go","kind":"file","name":"a_test.go","language":"go","test":true}
{"node":"a_test.go#TestF","kind":"function","name":"TestF","start_line":1,"end_line":2}
{"edge":"calls","from":"a_test.go#TestF","name":"check","lines":[2],"by":"package","confidence":0.95,"to":["a_test.go#check"]}
{"node":"a_test.go#check","kind":"function","name":"check","start_line":4,"end_line":5}
{"edge":"calls","from":"a_test.go#check","name":"f","lines":[5],"by":"package","confidence":0.95,"to":["a.go#f"]}
{"node":"lib.js","kind":"file","name":"lib.js","language":"javascript"}
{"node":"lib.js#h","kind":"function","name":"h","start_line":1,"end_line":2}
{"node":"spec.js","kind":"file","name":"spec.js","language":"javascript","test":true}
{"edge":"calls","from":"spec.js","name":"build","lines":[3],"by":"import","confidence":0.95,"to":["tools.js#build"]}
{"node":"tools.js","kind":"file","name":"tools.js","language":"javascript","test":true}
{"node":"tools.js#build","kind":"function","name":"build","start_line":1,"end_line":2}
{"edge":"calls","from":"tools.js#build","name":"h","lines":[2],"by":"import","confidence":0.95,"to":["lib.js#h"]}
{"node":"b.py","kind":"file","name":"b.py","language":"python"}
{"node":"b.py#g","kind":"function","name":"g","start_line":1,"end_line":2}
{"node":"test_b.py","kind":"file","name":"test_b.py","language":"python","test":true}
{"edge":"imports","from":"test_b.py","name":"g","module":"b","lines":[1],"by":"import","confidence":0.95,"to":["b.py#g"]}
{"node":"test_b.py#BTest","kind":"class","name":"BTest","start_line":3,"end_line":9}
{"node":"test_b.py#BTest.setUp","kind":"method","name":"setUp","start_line":4,"end_line":5}
{"edge":"calls","from":"test_b.py#BTest.setUp","name":"g","lines":[5],"by":"import","confidence":0.95,"to":["b.py#g"]}
{"node":"test_b.py#BTest.test_g","kind":"method","name":"test_g","start_line":7,"end_line":8}
{"edge":"calls","from":"test_b.py#BTest.test_g","name":"g","lines":[8],"by":"import","confidence":0.95,"to":["b.py#g"]}
{"node":"test_b.py#test_around","kind":"function","name":"test_around","start_line":11,"end_line":14}
{"node":"test_b.py#test_around.test_inner","kind":"function","name":"test_inner","start_line":12,"end_line":13}
{"edge":"calls","from":"test_b.py#test_around.test_inner","name":"g","lines":[13],"by":"import","confidence":0.95,"to":["b.py#g"]}
`))
	for target, want := range map[string]string{
		"f": "check:5; tests: TestF:2@2",
		"h": "build:2; tests: spec.js:3@2",
		"g": "BTest.setUp:5, test_around.test_inner:13, test_b.py:1; tests: BTest.test_g:8",
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Impact, Target: target})
		if err != nil {
			t.Fatal(err)
		}
		if got := short(a); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}

// TestChainIsAsSureAsItsWeakestStep: steps behind a guess have at most its confidence, and of two chains to a node the
// surer one counts.
func TestChainIsAsSureAsItsWeakestStep(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a.go","kind":"file","name":"a.go","language":"go"}
{"node":"a.go#goal","kind":"function","name":"goal","start_line":1,"end_line":2}
{"node":"b.go","kind":"file","name":"b.go","language":"go"}
{"node":"b.go#guess","kind":"function","name":"guess","start_line":1,"end_line":2}
{"edge":"calls","from":"b.go#guess","name":"goal","lines":[2],"by":"candidates","confidence":0.25,"to":["a.go#goal"]}
{"node":"b.go#sure","kind":"function","name":"sure","start_line":4,"end_line":5}
{"edge":"calls","from":"b.go#sure","name":"goal","lines":[5],"by":"package","confidence":0.9,"to":["a.go#goal"]}
{"node":"c.go","kind":"file","name":"c.go","language":"go"}
{"node":"c.go#both","kind":"function","name":"both","start_line":1,"end_line":9}
{"edge":"calls","from":"c.go#both","name":"guess","lines":[2],"by":"scope","confidence":1,"to":["b.go#guess"]}
{"edge":"calls","from":"c.go#both","name":"sure","lines":[3],"by":"package","confidence":0.9,"to":["b.go#sure"]}
{"node":"c.go#far","kind":"function","name":"far","start_line":11,"end_line":12}
{"edge":"calls","from":"c.go#far","name":"one","lines":[12],"by":"scope","confidence":1,"to":["c.go#one"]}
{"node":"c.go#one","kind":"function","name":"one","start_line":14,"end_line":15}
{"edge":"calls","from":"c.go#one","name":"guess","lines":[15],"by":"package","confidence":0.9,"to":["b.go#guess"]}
`))
	for _, tt := range []struct {
		op     table.Operation
		target string
		least  float64
		want   string
	}{
		{table.Impact, "goal", 0, "sure 0.9 guess 0.25 both 0.9 one 0.25/0.9 far 0.25/1"},
		{table.Callers, "goal", 0, "sure 0.9 guess 0.25 both 0.9 one 0.25/0.9 far 0.25/1"},
		{table.Impact, "goal", .5, "sure 0.9 both 0.9"},
		{table.Callees, "far", 0, "one 1 guess 0.9 goal 0.25"},
		{table.Dependents, "a.go", 0, "b.go 0.9 c.go 0.9/1"},
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: tt.op, Target: tt.target, Depth: 3, MinConfidence: tt.least})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range a.Results {
			text := fmt.Sprintf("%s %g", h.Symbol.Symbol, math.Round(h.Confidence*100)/100)
			if h.EdgeConfidence > 0 {
				text += fmt.Sprintf("/%g", math.Round(h.EdgeConfidence*100)/100)
			}
			got = append(got, text)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s of %s, at least %g: %s, want %s", tt.op, tt.target, tt.least, got, tt.want)
		}
	}
}

// TestFunctionAsValueIsAReference: code that passes a function as a value is no caller; it is counted if there are no
// callers.
func TestFunctionAsValueIsAReference(t *testing.T) {
	g := load(t, []byte(example))
	for _, op := range []table.Operation{table.References, table.Impact, table.Callers} {
		a, err := g.Query(t.Context(), table.Request{Operation: op, Target: "idle"})
		if err != nil {
			t.Fatal(err)
		}
		want := "TestHandle:7"
		switch op {
		case table.Impact:
			want = "; tests: TestHandle:7"
		case table.Callers:
			want = ""
		}
		if got := short(a); got != want || (a.Passed == 1) != (op == table.Callers) {
			t.Errorf("%s: %s, passed %d", op, got, a.Passed)
		}
		if op == table.Callers && a.Note != "given away as a value by 1, to be called elsewhere; ask for references" {
			t.Errorf("note %q", a.Note)
		}
	}
}

func TestTargets(t *testing.T) {
	g := load(t, []byte(example))
	for query, want := range map[string]string{
		"server/server.go#Server.Run": "server/server.go:22 Server.Run",
		"server/server.go:13":         "server/server.go:11 Server.Handle",
		"server/server.go:13-20":      "server/server.go:11 Server.Handle",
		"server/server.go:22-25":      "server/server.go:22 Server.Run",
		"server/server.go:22-21":      "no server/server.go:22-21, near: server/server.go, Server",
		"server.go:23":                "server/server.go:22 Server.Run",
		"server.go:21":                "server/server.go:22 Server.Run",
		"server/server.go:1":          "server/server.go:1 server/server.go",
		"server/server.go:10":         "server/server.go:1 server/server.go",
		"server.go":                   "server/server.go:1 server/server.go",
		"./server/server.go":          "server/server.go:1 server/server.go",
		"server/":                     "server/ server/",
		"server/server.go:Handle":     "server/server.go:11 Server.Handle",
		"server.go:Server.Handle()":   "server/server.go:11 Server.Handle",
		"server.go::Server":           "server/server.go:6 Server",
		"server.go#idle":              "server/server.go:27 idle",
		"server.go:handle":            "server/server.go:11 Server.Handle",
		"store/store.go:Handle":       "no store/store.go:Handle, near: store/store.go",
		"twin.py:same":                "py/a/twin.py:3 same",
		"twin.py":                     "candidates: py/a/twin.py, py/b/twin.py",
		"twin.py:3":                   "candidates: same, py/b/twin.py",
		"b/twin.py":                   "py/b/twin.py:1 py/b/twin.py",
		"py":                          "py/ py/",
		"Server::Run":                 "server/server.go:22 Server.Run",
		"Server#Run()":                "server/server.go:22 Server.Run",
		"func Server.Run":             "server/server.go:22 Server.Run",
		"struct Server":               "server/server.go:6 Server",
		"the Server":                  "no the Server, near: ",
		"server.Server.Run":           "server/server.go:22 Server.Run",
		"x/server.Server.Run":         "no x/server.Server.Run, near: Server.Run, Base.run",
		"Disk.gett":                   "no Disk.gett, near: Disk.Get",
		"Memory.gett":                 "no Memory.gett, near: Memory.Get, Disk.Get",
		"Memroy->gett()":              "no Memroy->gett(), near: Memory.Get, Disk.Get",
		"x/server.go:Server.Hendle":   "no x/server.go:Server.Hendle, near: Server.Handle",
		"server/server.Server.Run":    "server/server.go:22 Server.Run",
		"handle":                      "server/server.go:11 Server.Handle",
		"SERVER.HANDLE":               "server/server.go:11 Server.Handle",
		"Get":                         "candidates: Store.Get, Disk.Get, Memory.Get",
		"get":                         "candidates: Store.Get, Disk.Get, Memory.Get",
		"store.Get":                   "store/store.go:4 Store.Get",
		"run":                         "candidates: Base.run, Sub.run",
		"Hendle":                      "no Hendle, near: Server.Handle",
		"Hnadle":                      "no Hnadle, near: Server.Handle",
		"Serv":                        "no Serv, near: Server, server/server.go, server/server_test.go",
		"nowhere/at/all.go:3":         "no nowhere/at/all.go:3, near: ",
		"nowhere/servers.go":          "no nowhere/servers.go, near: server/server.go",
		"nowhere/server.go:3":         "no nowhere/server.go:3, near: server/server.go, Server",
		"fmt.Println":                 "fmt.Println fmt.Println",
		"Sub.rest":                    "py/base.py:8 Base.rest",
		"sub.Rest()":                  "py/base.py:8 Base.rest",
		"Sub.work":                    "no Sub.work, near: ",
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.References, Target: query})
		if err != nil {
			t.Errorf("%q: %v", query, err)
			continue
		}
		a.Results, a.Omitted = nil, nil
		got := strings.TrimPrefix(short(a), "; ")
		if a.Target != nil {
			got = a.Target.Place() + " " + a.Target.Symbol
		}
		if got != want {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
		if len(a.Candidates) > 0 && strings.Contains(a.Note, "results shown") {
			t.Errorf("%q: candidates are told of as results: %s", query, a.Note)
		}
	}
}

// TestPathSaysWhereItMayBeBroken: where no path was found, the answer names the guess that would complete one, or a call of a member on a receiver of unknown type.
func TestPathSaysWhereItMayBeBroken(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"step.py","kind":"file","name":"step.py","language":"python"}
{"node":"step.py#Guess","kind":"class","name":"Guess","start_line":1,"end_line":3}
{"node":"step.py#Guess.jump","kind":"method","name":"jump","start_line":2,"end_line":3}
{"edge":"calls","from":"step.py#Guess.jump","name":"near","lines":[3],"by":"scope","confidence":1,"to":["step.py#near"]}
{"node":"step.py#Step","kind":"class","name":"Step","start_line":5,"end_line":7}
{"node":"step.py#Step.step","kind":"method","name":"step","start_line":6,"end_line":7}
{"edge":"calls","from":"step.py#Step.step","name":"near","lines":[7],"by":"scope","confidence":1,"to":["step.py#near"]}
{"node":"step.py#far","kind":"function","name":"far","start_line":9,"end_line":10}
{"node":"step.py#near","kind":"function","name":"near","start_line":12,"end_line":13}
{"edge":"calls","from":"step.py#near","name":"far","lines":[13],"by":"scope","confidence":1,"to":["step.py#far"]}
{"node":"use.py","kind":"file","name":"use.py","language":"python"}
{"node":"use.py#elsewhere","kind":"function","name":"elsewhere","start_line":1,"end_line":2}
{"edge":"calls","from":"use.py#elsewhere","name":"step","receiver":"x","lines":[2],"unlisted":["python"]}
{"node":"use.py#middle","kind":"function","name":"middle","start_line":4,"end_line":5}
{"edge":"calls","from":"use.py#middle","name":"step","receiver":"x","lines":[5],"unlisted":["python"]}
{"node":"use.py#other","kind":"function","name":"other","start_line":7,"end_line":8}
{"edge":"calls","from":"use.py#other","name":"jump","receiver":"x","lines":[8],"by":"candidates","confidence":0.3,"to":["step.py#Guess.jump"]}
{"node":"use.py#start","kind":"function","name":"start","start_line":10,"end_line":11}
{"edge":"calls","from":"use.py#start","name":"middle","lines":[11],"by":"scope","confidence":1,"to":["use.py#middle"]}
`))
	for from, want := range map[string]string{
		"start": "on the way may be .step on a receiver of unknown type: use.py:5",
		"other": "there is one by a guess, that other leads to Guess.jump; min_confidence 0 shows it",
		"Guess": "",
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Path, Target: from, To: "far", MinConfidence: table.DefaultMinConfidence})
		if err != nil || a.TotalFound > 0 != (from == "Guess") || a.Note != want {
			t.Errorf("%s: %v, %s, note %q, want %q", from, err, short(a), a.Note, want)
		}
	}
	g.MaxSteps = 1
	if a, err := g.Query(t.Context(), table.Request{Operation: table.Path, Target: "Step.step", To: "far"}); err != nil || a.Note != "only the first 1 edges were followed, there is more; a path to something between the two is found sooner" {
		t.Errorf("%v, note %q", err, a.Note)
	}
}

// TestAnswerNamesWhatElseHasTheName: an answer for one of several things of a name names the others, the most used first.
func TestAnswerNamesWhatElseHasTheName(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a.rs","kind":"file","name":"a.rs","language":"rust"}
{"node":"a.rs#Effect","kind":"struct","name":"Effect","start_line":1,"end_line":2}
{"node":"a.rs#Effect.stop","kind":"method","name":"stop","start_line":3,"end_line":4}
{"node":"a.rs#Scope","kind":"struct","name":"Scope","start_line":5,"end_line":6}
{"node":"a.rs#Scope.stop","kind":"method","name":"stop","start_line":7,"end_line":8}
{"node":"a.rs#stop","kind":"function","name":"stop","start_line":9,"end_line":10}
{"node":"a.rs#Scope.halt","kind":"field","name":"stop","start_line":11,"end_line":11}
{"node":"common.rs","kind":"file","name":"common.rs","language":"rust"}
{"node":"common.rs#work","kind":"module","name":"work","start_line":1,"end_line":1}
{"node":"dir/x.rs","kind":"file","name":"x.rs","language":"rust"}
{"node":"dir/x.rs#stop","kind":"function","name":"stop","start_line":1,"end_line":2,"test":true}
{"node":"filter/vector.rs","kind":"file","name":"vector.rs","language":"rust"}
{"node":"filter/vector.rs#check","kind":"function","name":"check","start_line":1,"end_line":2}
{"node":"filter/vector.rs#IndexFilter.check","kind":"method","name":"check","start_line":3,"end_line":4}
{"node":"filter/vector.rs#Index.check","kind":"method","name":"check","start_line":5,"end_line":6}
{"node":"filter/vector.rs#check.work","kind":"function","name":"work","start_line":7,"end_line":8}
{"node":"s.java","kind":"file","name":"s.java","language":"java"}
{"node":"s.java#Service.save","kind":"method","name":"save","start_line":1,"end_line":2}
{"node":"s.java#Service.drop","kind":"method","name":"drop","start_line":3,"end_line":4}
{"node":"s.java#Service.idle","kind":"method","name":"idle","start_line":5,"end_line":6}
{"node":"s.ts","kind":"file","name":"s.ts","language":"typescript"}
{"node":"s.ts#Service.save","kind":"method","name":"save","start_line":1,"end_line":2}
{"node":"s.ts#Service.drop","kind":"method","name":"drop","start_line":3,"end_line":4}
{"node":"s.ts#Service.idle","kind":"method","name":"idle","start_line":5,"end_line":6}
{"node":"use.rs","kind":"file","name":"use.rs","language":"rust"}
{"node":"use.rs#one","kind":"function","name":"one","start_line":1,"end_line":9}
{"edge":"calls","from":"use.rs#one","name":"stop","lines":[2],"by":"receiver","confidence":0.95,"to":["a.rs#Scope.stop"]}
{"edge":"calls","from":"use.rs#one","name":"save","lines":[3],"by":"receiver","confidence":0.95,"to":["s.java#Service.save"]}
{"edge":"calls","from":"use.rs#one","name":"drop","lines":[4],"by":"receiver","confidence":0.95,"to":["s.java#Service.drop"]}
{"node":"use.rs#two","kind":"function","name":"two","start_line":11,"end_line":19}
{"edge":"calls","from":"use.rs#two","name":"stop","lines":[12],"by":"import","confidence":0.95,"to":["a.rs#stop"]}
{"edge":"calls","from":"use.rs#two","name":"drop","lines":[12],"by":"receiver","confidence":0.95,"to":["s.ts#Service.drop"]}
{"node":"use_test.rs","kind":"file","name":"use_test.rs","language":"rust","test":true}
{"node":"use_test.rs#a","kind":"function","name":"a","start_line":1,"end_line":2}
{"edge":"calls","from":"use_test.rs#a","name":"save","lines":[1],"by":"receiver","confidence":0.95,"to":["s.ts#Service.save"]}
{"node":"use_test.rs#b","kind":"function","name":"b","start_line":3,"end_line":4}
{"edge":"calls","from":"use_test.rs#b","name":"save","lines":[3],"by":"receiver","confidence":0.95,"to":["s.ts#Service.save"]}
`))
	for _, tt := range []struct {
		op     table.Operation
		target string
		want   string
	}{
		{table.Callers, "stop", "a.rs:9 stop; also Scope.stop, Effect.stop of 2"},
		{table.Callers, "Scope.stop", "a.rs:7 Scope.stop"},
		{table.Callers, "a.rs#stop", "a.rs:9 stop"},
		{table.Callers, "a.rs:9", "a.rs:9 stop"},
		// The folder stands for the type that is not there.
		{table.Callers, "Filter.check", "filter/vector.rs:1 check; also IndexFilter.check of 1"},
		// What has no callers gives way to what may have some.
		{table.Callers, "work", "filter/vector.rs:7 check.work"},
		{table.Callees, "work", "filter/vector.rs:7 check.work"},
		{table.References, "work", "common.rs:1 work; also check.work of 1"},
		// Of one name in two languages, that with most callers outside of tests.
		{table.Callers, "Service.save", "s.java:1 Service.save; also Service.save of 1"},
		{table.Callers, "Service.drop", "s.java:3 Service.drop; also Service.drop of 1"},
		{table.Callers, "Service.idle", "candidates: Service.idle, Service.idle"},
		{table.Callers, "save", "s.java:1 Service.save; also Service.save of 1"},
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: tt.op, Target: tt.target})
		if err != nil {
			t.Fatal(err)
		}
		a.Results, a.Omitted = nil, nil
		got := strings.TrimPrefix(short(a), "; ")
		if a.Target != nil {
			got = strings.TrimSuffix(a.Target.Place()+" "+a.Target.Symbol+"; "+got, "; ")
		}
		if got != tt.want {
			t.Errorf("%s %q is %q, want %q", tt.op, tt.target, got, tt.want)
		}
	}
}

// TestNamespacesAreNoPartOfWhatANameMeans asks for names whose qualified form has the namespace in one language and not
// in another.
func TestNamespacesAreNoPartOfWhatANameMeans(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"S.java","kind":"file","name":"S.java","language":"java"}
{"node":"S.java#Cache","kind":"class","name":"Cache","start_line":7,"end_line":8}
{"node":"S.java#Idle","kind":"class","name":"Idle","start_line":9,"end_line":9}
{"node":"S.java#Slice","kind":"class","name":"Slice","start_line":1,"end_line":5}
{"node":"S.java#Slice.Slice","kind":"method","name":"Slice","start_line":2,"end_line":2}
{"node":"S.java#Slice.size","kind":"method","name":"size","start_line":3,"end_line":3}
{"edge":"uses","from":"S.java#Slice.size","name":"Cache","lines":[3],"by":"package","confidence":0.95,"to":["S.java#Cache"]}
{"node":"S.java#use","kind":"function","name":"use","start_line":6,"end_line":6}
{"edge":"uses","from":"S.java#use","name":"Slice","lines":[6],"by":"package","confidence":0.95,"to":["S.java#Slice"]}
{"edge":"uses","from":"S.java#use","name":"Cache","lines":[6],"by":"package","confidence":0.95,"to":["S.java#Cache"]}
{"node":"c.hs","kind":"file","name":"c.hs","language":"haskell"}
{"node":"c.hs#.","kind":"function","name":".","start_line":2,"end_line":2}
{"node":"m.h","kind":"file","name":"m.h","language":"cpp"}
{"node":"m.h#db","kind":"module","name":"db","start_line":1,"end_line":99}
{"node":"m.h#db.Cache","kind":"class","name":"Cache","start_line":30,"end_line":31}
{"node":"m.h#db.Idle","kind":"class","name":"Idle","start_line":40,"end_line":41}
{"node":"m.h#db.Slice","kind":"class","name":"Slice","start_line":2,"end_line":9}
{"node":"m.h#db.Slice.Slice","kind":"method","name":"Slice","start_line":3,"end_line":3}
{"node":"m.h#db.Slice.size","kind":"method","name":"size","start_line":4,"end_line":4}
{"node":"m.h#db.Table","kind":"class","name":"Table","start_line":10,"end_line":19}
{"node":"m.h#db.Table.Inner","kind":"class","name":"Inner","start_line":12,"end_line":15}
{"node":"m.h#db.Table.Inner.Inner","kind":"method","name":"Inner","start_line":13,"end_line":13}
{"node":"m.h#db.Table.Table","kind":"method","name":"Table","start_line":11,"end_line":11}
{"node":"m.h#db.Table.get","kind":"method","name":"get","start_line":18,"end_line":18}
{"node":"m.h#db.one","kind":"function","name":"one","start_line":20,"end_line":21}
{"edge":"uses","from":"m.h#db.one","name":"Slice","lines":[20],"by":"scope","confidence":1,"to":["m.h#db.Slice"]}
{"edge":"uses","from":"m.h#db.one","name":"Cache","lines":[21],"by":"scope","confidence":1,"to":["m.h#db.Cache"]}
{"edge":"calls","from":"m.h#db.one","name":"size","lines":[21],"by":"receiver","confidence":0.95,"to":["m.h#db.Slice.size"]}
{"node":"m.h#db.two","kind":"function","name":"two","start_line":22,"end_line":23}
{"edge":"uses","from":"m.h#db.two","name":"Slice","lines":[22],"by":"scope","confidence":1,"to":["m.h#db.Slice"]}
{"edge":"calls","from":"m.h#db.two","name":"get","lines":[23],"by":"receiver","confidence":0.95,"to":["m.h#db.Table.get"]}
{"node":"m.h#other.get","kind":"function","name":"get","start_line":60,"end_line":61}
{"node":"m.h#other","kind":"module","name":"other","start_line":50,"end_line":99}
{"node":"m.rb","kind":"file","name":"m.rb","language":"ruby"}
{"node":"m.rb#Tools","kind":"module","name":"Tools","start_line":1,"end_line":9}
{"node":"m.rb#Tools.mix","kind":"method","name":"mix","start_line":2,"end_line":3}
{"node":"m.rb#Mixer","kind":"class","name":"Mixer","start_line":10,"end_line":19}
{"node":"m.rb#Mixer.mix","kind":"method","name":"mix","start_line":12,"end_line":13}
`))
	for _, tt := range []struct{ target, want string }{
		{"Slice", "m.h:2 db.Slice; also Slice of 1"},
		{"db::Slice", "m.h:2 db.Slice"},
		{"m.Slice", "m.h:2 db.Slice"},
		{"slice", "m.h:2 db.Slice; also Slice of 1"},
		{"…Table.Table", "m.h:11 db.Table.Table"},
		{"Slice.size", "m.h:4 db.Slice.size; also Slice.size of 1"},
		{"S.java:Slice", "S.java:1 Slice"},
		// As many use the one as the other.
		{"Cache", "S.java:7 Cache; also db.Cache of 1"},
		// Nothing uses either; the one has the whole name.
		{"Idle", "S.java:9 Idle; also db.Idle of 1"},
		// A class and its constructor are one thing.
		{"Table", "m.h:10 db.Table"},
		{"Inner", "m.h:12 db.Table.Inner"},
		{"Table.Inner", "m.h:12 db.Table.Inner"},
		{"Table::Table", "m.h:11 db.Table.Table"},
		// A method that is used more than the function of another namespace may be meant.
		{"get", "candidates: db.Table.get, other.get"},
		{"other.get", "m.h:60 other.get"},
		// Modules of methods are mixed into classes, and no namespaces.
		{"mix", "candidates: Mixer.mix, Tools.mix"},
		// An operator has no parts.
		{"c.hs:2", "c.hs:2 ."},
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.TypeUsages, Target: tt.target})
		if err != nil {
			t.Fatal(err)
		}
		a.Results, a.Omitted = nil, nil
		got := strings.TrimPrefix(short(a), "; ")
		if a.Target != nil {
			if inDB := strings.HasPrefix(a.Target.Symbol, "db."); inDB != (a.Namespace == "db.") || !inDB && a.Namespace != "" && a.Namespace != "other." {
				t.Errorf("%q is in namespace %q", tt.target, a.Namespace)
			}
			got = strings.TrimSuffix(a.Target.Place()+" "+a.Target.Symbol+"; "+got, "; ")
		}
		if got != tt.want {
			t.Errorf("%q is %q, want %q", tt.target, got, tt.want)
		}
	}
}

// TestTestCodeDoesNotHideNames asks for names whose only full matches are in test code, or whose only callers are there.
func TestTestCodeDoesNotHideNames(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a.go","kind":"file","name":"a.go","language":"go"}
{"node":"a.go#Stack.Push","kind":"method","name":"Push","start_line":1,"end_line":2}
{"node":"a.go#Open","kind":"function","name":"Open","start_line":4,"end_line":5}
{"node":"a.go#File.Open","kind":"method","name":"Open","start_line":7,"end_line":8}
{"node":"a_test.go","kind":"file","name":"a_test.go","language":"go","test":true}
{"node":"a_test.go#Push","kind":"variable","name":"Push","start_line":1,"end_line":1}
{"node":"a_test.go#Open","kind":"variable","name":"Open","start_line":2,"end_line":2}
{"node":"a_test.go#Only","kind":"variable","name":"Only","start_line":3,"end_line":3}
{"node":"a_test.go#Fake.Seek","kind":"method","name":"Seek","start_line":5,"end_line":5}
{"node":"a_test.go#TestSeek","kind":"function","name":"TestSeek","start_line":6,"end_line":8}
{"node":"b.go","kind":"file","name":"b.go","language":"go"}
{"node":"b.go#File.Seek","kind":"method","name":"Seek","start_line":1,"end_line":2}
{"edge":"calls","from":"a_test.go#TestSeek","name":"Seek","lines":[7],"by":"type","confidence":0.9,"to":["a_test.go#Fake.Seek"]}
`))
	for query, want := range map[string]string{"Seek": "b.go:1 File.Seek; also Fake.Seek of 1", "Push": "a.go:1 Stack.Push", "Open": "a.go:4 Open; also File.Open of 1", "Only": "a_test.go:3 Only"} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: query})
		if err != nil {
			t.Fatal(err)
		}
		a.Note = ""
		got := strings.TrimPrefix(short(a), "; ")
		if a.Target != nil {
			got = strings.TrimSuffix(a.Target.Place()+" "+a.Target.Symbol+"; "+got, "; ")
		}
		if got != want {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
}

// TestTreeComesBeforeOutside asks for names that match the end of a name in the tree, and in full a name outside of it.
func TestTreeComesBeforeOutside(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a.cc","kind":"file","name":"a.cc","language":"cpp"}
{"node":"a.cc#kept.DB","kind":"class","name":"DB","start_line":1,"end_line":9}
{"node":"a.cc#kept.DB.Put","kind":"method","name":"Put","start_line":1,"end_line":2}
{"node":"a_test.cc","kind":"file","name":"a_test.cc","language":"cpp","test":true}
{"node":"a_test.cc#mine.DB.Get","kind":"method","name":"Get","start_line":1,"end_line":2}
{"edge":"calls","from":"a.cc","name":"Put","receiver":"DB","lines":[12],"by":"external","confidence":0.9,"external":"DB.Put"}
{"edge":"calls","from":"a.cc","name":"Get","receiver":"DB","lines":[13],"by":"external","confidence":0.9,"external":"DB.Get"}
{"edge":"calls","from":"a.cc","name":"Cut","receiver":"DB","lines":[14],"by":"external","confidence":0.9,"external":"DB.Cut"}
`))
	for query, want := range map[string]string{"DB::Put": "kept.DB.Put", "DB::Get": "mine.DB.Get", "DB::Cut": "DB.Cut"} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: query})
		if err != nil {
			t.Fatal(err)
		}
		if a.Target == nil || a.Target.Symbol != want {
			t.Errorf("%q is %+v %s, want %q", query, a.Target, short(a), want)
		}
	}
}

// TestForwardTypedef asks for structs that a header names with a typedef: of one definition, of two, and of none.
func TestForwardTypedef(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a.h","kind":"file","name":"a.h","language":"c"}
{"node":"a.h#one","kind":"type","name":"one","start_line":1,"end_line":1,"signature":"typedef struct one one"}
{"node":"a.h#two","kind":"type","name":"two","start_line":2,"end_line":2,"signature":"typedef struct two two"}
{"node":"a.h#none","kind":"type","name":"none","start_line":3,"end_line":3,"signature":"typedef struct none none"}
{"node":"a.h#other","kind":"type","name":"other","start_line":4,"end_line":4,"signature":"typedef struct one other"}
{"node":"b.c","kind":"file","name":"b.c","language":"c"}
{"node":"b.c#one","kind":"struct","name":"one","start_line":1,"end_line":2,"signature":"struct one"}
{"node":"b.c#two","kind":"struct","name":"two","start_line":3,"end_line":4,"signature":"struct two"}
{"node":"b.c#other","kind":"struct","name":"other","start_line":5,"end_line":6,"signature":"struct other"}
{"node":"c.c","kind":"file","name":"c.c","language":"c"}
{"node":"c.c#two","kind":"struct","name":"two","start_line":1,"end_line":2,"signature":"struct two"}
`))
	for query, want := range map[string]string{
		"one":     "b.c:1",
		"a.h#one": "a.h:1",
		"two":     "candidates: b.c:3, c.c:1",
		"none":    "a.h:3",
		"other":   "candidates: a.h:4, b.c:5",
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.References, Target: query})
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if a.Target != nil {
			got = a.Target.Place()
		} else {
			var places []string
			for _, c := range a.Candidates {
				places = append(places, c.Place())
			}
			got = "candidates: " + strings.Join(places, ", ")
		}
		if got != want {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
}

// TestForwardTypedefInAFile has the typedef and the struct in one file, each on one line: the struct is what is shown.
func TestForwardTypedefInAFile(t *testing.T) {
	for _, text := range []string{"typedef struct pair pair;\nstruct pair { int a, b; };\n", "\nstruct pair { int a, b; };\ntypedef struct pair pair;\n"} {
		b := NewBuilder()
		for _, f := range parsed(t, map[string]string{"a.h": text}) {
			b.Add("", f)
		}
		a, err := b.graph(t, 1).Query(t.Context(), table.Request{Operation: table.References, Target: "pair"})
		if err != nil || a.Target == nil || a.Target.Kind != record.Struct || a.Target.StartLine != 2 {
			t.Errorf("%q: %+v, error %v", text, a.Target, err)
		}
	}
}

// TestTargetsInTrees asks of files in trees that have names, with and without those.
func TestTargetsInTrees(t *testing.T) {
	g := load(t, []byte(`{"node":"one:lib/a.go","kind":"file","name":"a.go","tree":"one","language":"go"}
{"node":"one:lib/a.go#F","kind":"function","name":"F","start_line":3,"end_line":9}
{"node":"two:lib/a.go","kind":"file","name":"a.go","tree":"two","language":"go"}
{"node":"two:lib/b.go","kind":"file","name":"b.go","tree":"two","language":"go"}
{"edge":"calls","from":"two:lib/b.go","lines":[2],"by":"unique","confidence":0.6,"to":["one:lib/a.go#F"]}
`))
	for query, want := range map[string]string{
		"one:lib/a.go:4": "one:lib/a.go:3 F",
		"lib/b.go":       "two:lib/b.go:1 two:lib/b.go",
		"b.go:2":         "two:lib/b.go:1 two:lib/b.go",
		"two:lib":        "two:lib/ two:lib/",
		"lib/a.go":       "candidates: one:lib/a.go, two:lib/a.go",
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Dependents, Target: query})
		if err != nil {
			t.Fatal(err)
		}
		a.Results = nil
		got := strings.TrimPrefix(short(a), "; ")
		if a.Target != nil {
			got = a.Target.Place() + " " + a.Target.Symbol
		}
		if got != want {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
	if a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: "F"}); err != nil || short(a) != "two:lib/b.go:2" || a.Results[0].Tree != "two" {
		t.Errorf("%s, %v", short(a), err)
	}
}

func TestBadRequests(t *testing.T) {
	g := load(t, []byte(example))
	for _, tt := range []struct {
		req  table.Request
		want string
	}{
		{table.Request{Operation: "caller", Target: "main"}, `unknown operation "caller"; did you mean "callers"?`},
		{table.Request{Operation: table.Callers}, "callers of nothing; name a symbol"},
		{table.Request{Operation: table.Callers, Target: " "}, "callers of nothing"},
		{table.Request{Operation: table.Path, Target: "main"}, "a path to nothing; name two"},
		{table.Request{Operation: table.Callers, Target: "main", To: "path"}, "callers of two"},
		{table.Request{Operation: table.Callers, Target: "main", Depth: 7}, "depth 7; give a number from 1 to 6"},
		{table.Request{Operation: table.Callers, Target: "main", Limit: -1}, "limit -1"},
		{table.Request{Operation: table.Callers, Target: "main", Context: 6}, "context 6"},
		{table.Request{Operation: table.Callers, Target: "main", MinConfidence: 1.5}, "confidence 1.5"},
	} {
		_, err := g.Query(t.Context(), tt.req)
		if err == nil || !strings.HasPrefix(err.Error()+"; "+hint.Of(err), tt.want) {
			t.Errorf("%+v: %v; %s", tt.req, err, hint.Of(err))
		}
	}
}

func TestRequestsNarrow(t *testing.T) {
	g := load(t, []byte(example))
	ask := func(req table.Request) *table.Answer {
		t.Helper()
		a, err := g.Query(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(table.Request{Operation: table.Callers, Target: "Server.Handle", Tests: table.TestsNo}); short(a) != "Server.Run:23; omitted: {LowConfidence:0 Tests:1 Code:0 Path:0}" {
		t.Errorf("without tests: %s", short(a))
	}
	if a := ask(table.Request{Operation: table.Callers, Target: "Server.Handle", Tests: table.TestsOnly}); short(a) != "TestHandle:6; omitted: {LowConfidence:0 Tests:0 Code:1 Path:0}" {
		t.Errorf("tests alone: %s", short(a))
	}
	inTests := func(path string) bool { return strings.Contains(path, "_test") }
	if a := ask(table.Request{Operation: table.Callers, Target: "Server.Handle", Match: inTests}); short(a) != "TestHandle:6; omitted: {LowConfidence:0 Tests:0 Code:0 Path:1}" {
		t.Errorf("in tests: %s", short(a))
	}
	// The nodes through which a result was reached need not be admitted.
	inMain := func(path string) bool { return strings.HasPrefix(path, "c/") }
	if a := ask(table.Request{Operation: table.Callers, Target: "Server.Handle", Depth: 2, Match: inMain}); short(a) != "main:9,10@2; omitted: {LowConfidence:0 Tests:0 Code:0 Path:2}" {
		t.Errorf("in c: %s", short(a))
	}
	if a := ask(table.Request{Operation: table.Callers, Target: "Server.Handle", Limit: 1}); short(a) != "Server.Run:23" || a.TotalFound != 2 || !a.Truncated || !strings.Contains(a.Note, "1 of 2 results shown") {
		t.Errorf("one of two: %s, %d, %q", short(a), a.TotalFound, a.Note)
	}
	lines := func(path string, first, last int) ([]string, error) {
		var all []string
		for n := first; n <= last; n++ {
			all = append(all, fmt.Sprintf("%s %d", path, n))
		}
		return all, nil
	}
	a := ask(table.Request{Operation: table.Callees, Target: "Server.Handle", Context: 1, Lines: lines})
	want := []excerpt.Excerpt{{StartLine: 11, EndLine: 13, Text: "server/server.go 11\nserver/server.go 12\nserver/server.go 13"}, {StartLine: 14, EndLine: 15, Text: "server/server.go 14\nserver/server.go 15"}}
	if !slices.Equal(a.Results[0].Context, want) || a.Results[0].LinesIn != "server/server.go" {
		t.Errorf("context in %q is %v", a.Results[0].LinesIn, a.Results[0].Context)
	}
	_, err := g.Query(t.Context(), table.Request{Operation: table.Callees, Target: "Server.Handle", Context: 1, Lines: func(string, int, int) ([]string, error) { return nil, errors.New("gone") }})
	if err == nil || err.Error() != "gone" {
		t.Errorf("lines that can't be read: %v", err)
	}
}

// TestHub asks about a function with 50,000 callers, which call each other.
func TestHub(t *testing.T) {
	if testing.Short() {
		t.Skip("resolves many facts")
	}
	const callers = 50_000
	lines := []Statement{{Node: &Node{ID: "hub.go", Kind: table.FileKind, Name: "hub.go", Language: "go"}}, {Node: &Node{ID: "hub.go#Log", Kind: record.Function, Name: "Log", StartLine: 1, EndLine: 2}}}
	for n := range callers {
		if n%100 == 0 {
			lines = append(lines, Statement{Node: &Node{ID: fmt.Sprintf("p%03d.go", n/100), Kind: table.FileKind, Name: "p.go", Language: "go"}})
		}
		id := fmt.Sprintf("p%03d.go#F%d", n/100, n)
		lines = append(lines, Statement{Node: &Node{ID: id, Kind: record.Function, Name: fmt.Sprintf("F%d", n), StartLine: 1, EndLine: 2}})
		lines = append(lines, Statement{Edge: &Edge{Relation: record.Calls, From: id, Lines: []int{1}, By: edge.ByPackage, Confidence: .9, To: []string{"hub.go#Log", fmt.Sprintf("p%03d.go#F%d", n/100, n/100*100)}}})
	}
	g := made(t, lines)
	a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: "Log"})
	if err != nil || len(a.Results) != table.DefaultLimit || a.TotalFound != callers || !strings.Contains(a.Note, "50 of 50000 results shown") {
		t.Errorf("%d of %d, %q, %v", len(a.Results), a.TotalFound, a.Note, err)
	}
	g.MaxSteps = callers + 100
	a, err = g.Query(t.Context(), table.Request{Operation: table.Impact, Target: "Log", Depth: table.MaxDepth})
	if err != nil || !a.Truncated || a.TotalFound != callers || !strings.Contains(a.Note, "only the first 50100 edges were followed") {
		t.Errorf("%d of %d, %q, %v", len(a.Results), a.TotalFound, a.Note, err)
	}
}

func TestAnswersAreTheSameEachTime(t *testing.T) {
	lines := synthetic(1000, 10_000)
	var first []string
	for run := range 2 {
		g := made(t, lines)
		for i, info := range table.Operations {
			req := table.Request{Operation: info.Operation, Target: "Service00003Type1", Depth: 3}
			if info.Operation == table.Path {
				req.To, req.Depth = "Service00037Type2.HandleRequest6", 0
			}
			a, err := g.Query(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			a.Metadata = table.Metadata{}
			text, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			if run == 0 {
				first = append(first, string(text))
			} else if first[i] != string(text) {
				t.Errorf("%s: %s\nand %s", info.Operation, first[i], text)
			}
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	g := made(b, synthetic(100_000, 500_000))
	for _, req := range []table.Request{
		{Operation: table.Callers, Target: "Service02500Type1.HandleRequest5"},
		{Operation: table.Callers, Target: "Service02500Type1.HandleRequest5", Depth: 3},
		{Operation: table.Callees, Target: "Service02500Type1.HandleRequest5", Depth: 3},
		{Operation: table.References, Target: "Service00000Type0"},
		{Operation: table.Dependencies, Target: "internal/module025/component00/service_02500.go"},
		{Operation: table.Dependents, Target: "internal/module025/component00"},
		{Operation: table.Impact, Target: "internal/module025/component00/service_02500.go:100"},
		{Operation: table.Implementations, Target: "Service02500Type1"},
		{Operation: table.Path, Target: "Service02500Type1.HandleRequest5", To: "Service00100Type2.HandleRequest6"},
		{Operation: table.Callers, Target: "service02500type1.handlerequest5"},
		{Operation: table.Callers, Target: "Service02500Type1.HandelRequest5"},
	} {
		b.Run(fmt.Sprintf("%s-%d-%s", req.Operation, req.Depth, req.Target), func(b *testing.B) {
			for b.Loop() {
				if _, err := g.Query(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// targetOf returns the symbol that a query finds as its target, "" for none.
func targetOf(t *testing.T, g *table.Graph, op table.Operation, query string) string {
	t.Helper()
	a, err := g.Query(t.Context(), table.Request{Operation: op, Target: query})
	if err != nil {
		t.Fatal(err)
	}
	if a.Target == nil {
		return ""
	}
	return a.Target.Symbol
}

// TestDeclarationsInHeaders asks for a method of Objective-C, which a header declares and another file defines.
func TestDeclarationsInHeaders(t *testing.T) {
	g := load(t, []byte(`{"node":"Shelf.h","kind":"file","name":"Shelf.h","language":"objectivec"}
{"node":"Shelf.h#Shelf.add:at:","kind":"method","name":"add:at:","start_line":3,"end_line":3}
{"node":"Shelf.h#Shelf.close","kind":"method","name":"close","start_line":4,"end_line":4}
{"node":"Shelf.m","kind":"file","name":"Shelf.m","language":"objectivec"}
{"node":"Shelf.m#Shelf.add:at:","kind":"method","name":"add:at:","start_line":5,"end_line":9}
`))
	for query, want := range map[string]string{"Shelf.add:at:": "Shelf.m:5", "Shelf.close": "Shelf.h:4"} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: query})
		if err != nil || a.Target == nil || a.Target.Place() != want {
			t.Errorf("%s: %+v, %v, want %s", query, a.Target, err, want)
		}
	}
}

// TestFolderWinsOverModule asks for folders that have the names of namespaces, or a dot in their own.
func TestFolderWinsOverModule(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"Media.Common/Crc.cs","kind":"file","name":"Crc.cs","language":"csharp"}
{"node":"Media.Common/Crc.cs#Media.Common","kind":"module","name":"Media.Common","start_line":1,"end_line":9}
{"node":"Media.Common/Hash.cs","kind":"file","name":"Hash.cs","language":"csharp"}
{"node":"Media.Common/Hash.cs#Media.Common","kind":"module","name":"Media.Common","start_line":1,"end_line":9}
{"node":"Media.Naming/Name.cs","kind":"file","name":"Name.cs","language":"csharp"}
{"node":"Media.Naming/Name.cs#Media.Naming.TV","kind":"module","name":"TV","start_line":1,"end_line":9}
{"node":"Other/Tool.cs","kind":"file","name":"Tool.cs","language":"csharp"}
{"node":"Other/Tool.cs#Tool","kind":"class","name":"Tool","start_line":1,"end_line":9}
{"node":"Tool/Use.cs","kind":"file","name":"Use.cs","language":"csharp"}
{"edge":"imports","from":"Tool/Use.cs","module":"docs","lines":[3],"by":"external","confidence":0.9,"external":"docs"}
{"node":"Tool/Use.cs#src","kind":"variable","name":"src","start_line":1,"end_line":9}
{"node":"Tool/Use.cs#task","kind":"function","name":"task","start_line":1,"end_line":9}
{"node":"Tool/Use.cs#util","kind":"class","name":"util","start_line":1,"end_line":9}
{"node":"Tool/Use.cs#util.Docs","kind":"method","name":"Docs","start_line":1,"end_line":9}
{"node":"docs/a.cs","kind":"file","name":"a.cs","language":"csharp"}
{"node":"lib/a.cs","kind":"file","name":"a.cs","language":"csharp","package":"lib"}
{"node":"src/a.cs","kind":"file","name":"a.cs","language":"csharp"}
{"node":"task/a.cs","kind":"file","name":"a.cs","language":"csharp"}
{"node":"util/a.cs","kind":"file","name":"a.cs","language":"csharp"}
`))
	for query, want := range map[string]string{
		"Media.Common": "Media.Common/", "Media.Naming": "Media.Naming/", "Media.Naming.TV": "Media.Naming.TV", "Media.Common/": "Media.Common/", "Tool": "Tool", "Tool/": "Tool/", "Naming": "",
		// A folder below the root, whatever else has its name but types.
		"src": "src/", "src/": "src/", "util": "util", "util/": "util/", "docs": "docs/", "lib": "lib/", "Docs": "util.Docs", "task": "task/",
	} {
		if got := targetOf(t, g, table.Dependents, query); got != want {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
}

// TestNamesInPackage asks for names and lines in the folder of a package with one file. A name is that of a symbol of the
// package; a folder has no lines.
func TestNamesInPackage(t *testing.T) {
	g := load(t, []byte(`
{"node":"main.go","kind":"file","name":"main.go","language":"go","package":"main"}
{"node":"main.go#main","kind":"function","name":"main","start_line":3,"end_line":9}
{"node":"only/a.go","kind":"file","name":"a.go","language":"go","package":"only"}
{"node":"only/a.go#F","kind":"function","name":"F","start_line":3,"end_line":9}
{"edge":"imports","from":"main.go","to":["only/"],"confidence":0.95,"by":"import","lines":[1]}
`))
	for query, want := range map[string]string{"only/": "only/", "only:F": "F", "only/:F": "F", "./only#F": "F", "only/a.go:F": "F", "only:3": "", "only/:3": "", "only/a.go:3": "F"} {
		if got := targetOf(t, g, table.References, query); got != want {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
}

// TestPathNarrowsCandidates asks for a name in several files: the option path selects among them, if it admits any.
func TestPathNarrowsCandidates(t *testing.T) {
	g := load(t, []byte(example))
	for folder, want := range map[string]string{
		"store/":      "candidates: Store.Get, Disk.Get, Memory.Get",
		"store/disk":  "Disk.Get",
		"nowhere/":    "candidates: Store.Get, Disk.Get, Memory.Get",
		"store/store": "Store.Get",
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callees, Target: "Get", Match: func(path string) bool { return strings.HasPrefix(path, folder) }})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if a.Target != nil {
			got = a.Target.Symbol
		} else {
			a.Omitted = nil
			got = strings.TrimPrefix(short(a), "; ")
		}
		if got != want {
			t.Errorf("Get in %q is %q, want %q", folder, got, want)
		}
	}
}

// TestAnswerSaysWhatIsNotFollowed asks for uses of which the graph knows none.
func TestAnswerSaysWhatIsNotFollowed(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a.py","kind":"file","name":"a.py","language":"python"}
{"node":"a.py#f","kind":"function","name":"f","start_line":1,"end_line":2}
{"node":"s.java","kind":"file","name":"s.java","language":"java"}
{"node":"s.java#Job","kind":"class","name":"Job","start_line":1,"end_line":9}
{"edge":"extends","from":"s.java#Job","name":"Base","lines":[1],"by":"package","confidence":0.95,"to":["s.java#Base"]}
{"node":"s.java#Job.run","kind":"method","name":"run","start_line":2,"end_line":3}
{"node":"s.java#Job.Job","kind":"method","name":"Job","start_line":4,"end_line":5}
{"node":"s.java#Base","kind":"class","name":"Base","start_line":10,"end_line":19}
{"edge":"implements","from":"s.java#Base","name":"Runnable","lines":[10],"by":"external","confidence":0.9,"external":"java.lang.Runnable"}
{"node":"t.c","kind":"file","name":"t.c","language":"c"}
{"node":"t.c#getCommand","kind":"function","name":"getCommand","start_line":1,"end_line":2}
{"node":"t.c#redisServer","kind":"struct","name":"redisServer","start_line":3,"end_line":4}
{"node":"t.c#server","kind":"variable","name":"server","start_line":5,"end_line":5}
{"node":"t.c#used","kind":"function","name":"used","start_line":6,"end_line":7}
{"edge":"calls","from":"t.c#getCommand","name":"used","lines":[2],"by":"scope","confidence":1,"to":["t.c#used"]}
{"node":"v.tf","kind":"file","name":"v.tf","language":"hcl"}
{"node":"v.tf#zone","kind":"variable","name":"zone","start_line":1,"end_line":2}
`))
	const (
		inHCL    = "uses in hcl are not followed; search for the name"
		values   = "calls, types and imports are followed, values are not; search for the name"
		inC      = "uses in macros, and in generated or skipped files such as tables of functions, are not followed; search for the name"
		inPython = "calls by reflection, and calls in generated or skipped files, are not followed; search for the name"
	)
	for _, tt := range []struct {
		op           table.Operation
		target, want string
	}{
		{table.Callers, "getCommand", inC},
		{table.References, "getCommand", inC},
		{table.Impact, "getCommand", inC},
		{table.Callees, "used", ""},
		{table.Callers, "used", ""},
		{table.Callers, "f", inPython},
		{table.Callers, "Job.run", "code outside of the tree may call it through java.lang.Runnable, a base of Job"},
		{table.Callers, "Job.Job", inPython},
		{table.References, "server", values},
		{table.References, "server.hz", values},
		{table.References, "redisServer.hz", values},
		{table.References, "client.hz", ""},
		{table.Callers, "redisServer", ""},
		{table.Dependents, "t.c", ""},
		{table.Dependents, "v.tf", inHCL},
		{table.References, "zone", inHCL},
		{table.Dependents, "w.tf", inHCL},
		{table.Dependents, "docs/a.md", "uses in markdown are not followed; search for the name"},
		{table.Dependents, "w.c", ""},
		{table.Dependents, "w.unknown", ""},
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: tt.op, Target: tt.target})
		if err != nil || a.Note != tt.want {
			t.Errorf("%s %s: %v, %q, want %q", tt.op, tt.target, err, a.Note, tt.want)
		}
	}
	lines := func(path string, _, _ int) ([]string, error) {
		if path != "docs/a.md" {
			return nil, fs.ErrNotExist
		}
		return []string{"# A"}, nil
	}
	for target, want := range map[string]string{
		"docs/a.md": "docs/a.md is a file of the tree, but files in markdown have no relations; search for the name",
		"docs/b.md": "uses in markdown are not followed; search for the name",
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: target, Lines: lines})
		if err != nil || a.Note != want || a.Document != (target == "docs/a.md") {
			t.Errorf("callers %s: %v, %q, %v, want %q", target, err, a.Note, a.Document, want)
		}
	}
}

// TestAnswerNamesWhatMayCall asks for callers of functions that code outside of the tree may call by their decorators.
func TestAnswerNamesWhatMayCall(t *testing.T) {
	texts := map[string]string{"a.py": `
@app.route("/users", methods=["GET"])
@login
def users(): pass
class A:
    @property
    def name(self): pass
    def plain(self): pass
    @classmethod
    @functools.lru_cache(maxsize=8)
    def make(cls): pass
    @staticmethod
    @jobs.task
    def both(): pass
def ask(x): return x.name()
`, "R.java": `
class R {
  @GetMapping("/x y") String show() { return ""; }
  @Override
  @Deprecated
  public String toString() { return ""; }
}
`, "c.cs": `
class C {
  [HttpGet("/x")]
  public string Show() { return ""; }
}
`, "l.rs": `
#[get("/x")]
async fn handler() {}
`}
	b := NewBuilder()
	for _, f := range parsed(t, texts) {
		b.Add("", f)
	}
	g := b.graph(t, 1)
	lines := func(path string, first, last int) ([]string, error) {
		all := strings.Split(texts[path], "\n")
		return all[first-1 : min(last, len(all))], nil
	}
	const others = "calls by reflection, and calls in generated or skipped files, are not followed; search for the name"
	for target, want := range map[string]string{
		"users":      `it is marked @app.route("/users", methods=["GET"]) and @login, through which other code may call it; ` + others,
		"A.name":     "1 with less confidence than 0.7 left out",
		"A.make":     others,
		"A.both":     `it is marked @jobs.task, through which other code may call it; ` + others,
		"A.plain":    others,
		"R.show":     `it is marked @GetMapping("/x y"), through which other code may call it; ` + others,
		"R.toString": others,
		"C.Show":     `it is marked [HttpGet("/x")], through which other code may call it; ` + others,
		"handler":    `it is marked #[get("/x")], through which other code may call it; ` + others,
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: target, Lines: lines, MinConfidence: .7})
		if err != nil || a.Note != want {
			t.Errorf("%s: %v, %q, want %q", target, err, a.Note, want)
		}
	}
}

// TestUnknownReceiversBeginNearby asks for callers of a method whose name is called on receivers of unknown type in several folders.
func TestUnknownReceiversBeginNearby(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a/x.rs","kind":"file","name":"x.rs","language":"rust"}
{"edge":"calls","from":"a/x.rs","name":"get","receiver":"z","lines":[1],"unlisted":["rust"]}
{"node":"b/src/near.rs","kind":"file","name":"near.rs","language":"rust"}
{"edge":"calls","from":"b/src/near.rs","name":"get","receiver":"z","lines":[2],"unlisted":["rust"]}
{"node":"b/src/s.rs","kind":"file","name":"s.rs","language":"rust"}
{"node":"b/src/s.rs#S","kind":"struct","name":"S","start_line":1,"end_line":9}
{"node":"b/src/s.rs#S.get","kind":"method","name":"get","start_line":2,"end_line":3}
{"node":"b/src/tests.rs","kind":"file","name":"tests.rs","language":"rust","test":true}
{"edge":"calls","from":"b/src/tests.rs","name":"get","receiver":"z","lines":[3],"unlisted":["rust"]}
{"node":"b/z.rs","kind":"file","name":"z.rs","language":"rust"}
{"edge":"calls","from":"b/z.rs","name":"get","receiver":"z","lines":[4],"unlisted":["rust"]}
`))
	a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: "S.get"})
	if want := "and 4 calls of .get on receivers of unknown type: b/src/near.rs:2, b/z.rs:4, a/x.rs:1, …"; err != nil || a.Note != want {
		t.Errorf("%v, %q, want %q", err, a.Note, want)
	}
}

// TestUnknownTargetsAreUnlisted calls a method on a value that stands for another one of unknown type, on a value whose type
// is an alias of an unknown one, on a field of an unknown type, on one whose type has an unknown base, on one with a base of the standard library, and on values of known types.
func TestUnknownTargetsAreUnlisted(t *testing.T) {
	b := NewBuilder()
	for _, f := range parsed(t, map[string]string{"lib.rs": `
pub struct Sched;
impl Sched { pub fn register(&self) {} }
pub struct Opaque<T>(T);
impl<T> std::ops::Deref for Opaque<T> { type Target = T::Thing; fn deref(&self) -> &T::Thing { self.0.thing() } }
pub struct Plain;
fn opaque(o: Opaque<u8>) { o.register(); }
fn plain(p: Plain) { p.register(); }
static DRIVER: other::Driver = other::driver();
fn variable() { DRIVER.register(); }
`, "lib.cpp": `
struct Sched { void enlist() {} };
using Unknown = decltype(make());
using Known = Plain;
struct Plain {};
void alias(Unknown u) { u.enlist(); }
void plain(Known k) { k.enlist(); }
template<typename T> struct Mixed : T {};
struct Top : Mixed<Plain> {};
void mixed(Top t) { t.enlist(); }
`, "W.java": `
class Sched { void enlist() {} }
class Worker extends Thread {}
class Odd extends Unheard {}
class Use {
  void worker(Worker w) { w.enlist(); }
  void odd(Odd o) { o.enlist(); }
}
`, "w.py": `
class Sched:
    def enlist(self): pass
class Failure(Exception): pass
class Odd(Unheard): pass
def failure(f: Failure): f.enlist()
def odd(o: Odd): o.enlist()
`}) {
		b.Add("", f)
	}
	write(t, b, 1)
	var got []string
	for _, line := range b.lines(t, 1) {
		if e := line.Edge; e != nil && (e.Name == "register" || e.Name == "enlist") {
			got = append(got, fmt.Sprint(e.From, " ", e.By, e.Unlisted))
		}
	}
	if diff := cmp.Diff([]string{"W.java#Use.odd [java kotlin scala]", "W.java#Use.worker external[]", "lib.cpp#alias [c cpp objectivec]", "lib.cpp#mixed [c cpp objectivec]", "lib.cpp#plain []", "lib.rs#opaque [rust]", "lib.rs#plain []", "lib.rs#variable unique[]", "w.py#failure []", "w.py#odd [python]"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestCallersTellOfUnknownReceivers asks for callers of methods whose names are also called on receivers of unknown
// type.
func TestCallersTellOfUnknownReceivers(t *testing.T) {
	g := load(t, []byte(`{"_metadata":{"version":1}}
{"node":"a.py","kind":"file","name":"a.py","language":"python"}
{"node":"a.py#S","kind":"class","name":"S","start_line":1,"end_line":9}
{"node":"a.py#S.get","kind":"method","name":"get","start_line":2,"end_line":3}
{"node":"a.py#S.run","kind":"method","name":"run","start_line":4,"end_line":9}
{"node":"a.py#S.take","kind":"method","name":"take","start_line":4,"end_line":4}
{"node":"a.py#S.Inner.take","kind":"method","name":"take","start_line":5,"end_line":5}
{"edge":"calls","from":"a.py#S.run","name":"get","receiver":"this","lines":[5],"by":"receiver","confidence":0.95,"to":["a.py#S.get"]}
{"edge":"calls","from":"a.py#S.run","name":"get","receiver":"x","lines":[6,8],"unlisted":["python"]}
{"node":"b_test.py","kind":"file","name":"b_test.py","language":"python","test":true}
{"node":"b_test.py#test","kind":"function","name":"test","start_line":1,"end_line":9}
{"edge":"calls","from":"b_test.py#test","name":"get","receiver":"y","lines":[2],"unlisted":["python"]}
{"edge":"calls","from":"b_test.py#test","name":"run","receiver":"y","lines":[3],"unlisted":["python"]}
{"node":"c.py","kind":"file","name":"c.py","language":"python"}
{"edge":"calls","from":"c.py","name":"get","receiver":"z","lines":[7],"unlisted":["python"]}
{"edge":"calls","from":"c.py","name":"take","receiver":"z","lines":[8],"by":"candidates","confidence":0.25,"to":["a.py#S.take","a.py#S.Inner.take"]}
{"node":"d.go","kind":"file","name":"d.go","language":"go"}
{"node":"d.go#T","kind":"struct","name":"T","start_line":1,"end_line":9}
{"node":"d.go#T.get","kind":"method","name":"get","start_line":2,"end_line":3}
`))
	no := func(string) bool { return false }
	for _, tt := range []struct {
		op     table.Operation
		target string
		tests  string
		least  float64
		match  func(string) bool
		found  int
		want   string
	}{
		{op: table.Callers, target: "S.get", found: 1, want: "and 4 calls of .get on receivers of unknown type: a.py:6, a.py:8, c.py:7, …"},
		{op: table.References, target: "S.get", tests: table.TestsNo, found: 1, want: "and 3 calls of .get on receivers of unknown type: a.py:6, a.py:8, c.py:7"},
		{op: table.Callers, target: "S.run", want: "and 1 call of .run on receivers of unknown type: b_test.py:3"},
		{op: table.Callers, target: "S.run", tests: table.TestsNo, want: "calls by reflection, and calls in generated or skipped files, are not followed; search for the name"},
		{op: table.Callers, target: "S.get", match: no, want: ""},
		{op: table.Callers, target: "T.get", want: "calls by reflection, and calls in generated or skipped files, are not followed; search for the name"},
		{op: table.Callers, target: "S.take", least: 0.5, want: "1 with less confidence than 0.5 left out; and 1 call of .take on receivers of unknown type: c.py:8"},
		{op: table.Callers, target: "S.take", found: 1},
		{op: table.Callees, target: "S.run", found: 1},
		{op: table.Dependencies, target: "a.py"},
		{op: table.Impact, target: "S.get", found: 1, want: "and 4 calls of .get on receivers of unknown type: a.py:6, a.py:8, c.py:7, …"},
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: tt.op, Target: tt.target, Tests: tt.tests, MinConfidence: tt.least, Match: tt.match})
		if err != nil || a.Note != tt.want || a.TotalFound != tt.found || a.Truncated {
			t.Errorf("%s %s: %v, %d, %q, want %d, %q", tt.op, tt.target, err, a.TotalFound, a.Note, tt.found, tt.want)
		}
	}
}

// TestRecursion asks about functions and types that name themselves, also through an interface.
func TestRecursion(t *testing.T) {
	b := NewBuilder()
	for _, f := range parsed(t, map[string]string{"go.mod": "module r\n", "r.go": `package r

func Count(n int) int {
	if n == 0 {
		return 0
	}
	return Count(n-1) + Count(n-2)
}

type Node struct{ next *Node }

type Shape interface{ Draw() }

type Group struct{ shapes []Shape }

func (g Group) Draw() {
	for _, s := range g.shapes {
		s.Draw()
	}
}

func odd(n int) bool { return n != 0 && even(n-1) }

func even(n int) bool { return n == 0 || odd(n-1) }

func use() { Count(1) }
`}) {
		b.Add("", f)
	}
	g := b.graph(t, 1)
	for _, test := range []struct {
		operation    table.Operation
		target, want string
		depth        int
	}{
		{table.Callers, "Count", "Count:7, use:26", 1},
		{table.Callers, "Count", "Count:7, use:26", 3},
		{table.Callees, "Count", "Count:7", 1},
		{table.References, "Count", "Count:7, use:26", 1},
		{table.Impact, "Count", "use:26", 3},
		{table.Dependents, "Count", "use:26", 1},
		{table.Dependencies, "Count", "", 1},
		{table.TypeUsages, "Node", "Node:10", 1},
		{table.Callers, "Group.Draw", "Group.Draw:18 through Shape.Draw", 1},
		{table.Callers, "odd", "even:24", 3},
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: test.operation, Target: test.target, Depth: test.depth})
		if err != nil {
			t.Fatal(err)
		}
		if got := short(a); got != test.want {
			t.Errorf("%s of %s at depth %d: %s, want %s", test.operation, test.target, test.depth, got, test.want)
		}
	}
}

// TestTestCodeMakesNoNameAmbiguous asks for functions whose names test code has too.
func TestTestCodeMakesNoNameAmbiguous(t *testing.T) {
	b := NewBuilder()
	for _, f := range parsed(t, map[string]string{
		"core/strings.cpp":       "namespace core { namespace Strings { bool Trim() { return true; } } }\nvoid Twice() {}\n",
		"core/more.cpp":          "namespace core { struct More { void Twice() {} }; }\n",
		"tests/strings_test.cpp": "TEST_CASE(\"Strings::Trim\") { Strings::Trim(); Twice(); }\nstruct Fake { void Trim() {} };\nstruct Other { void Trim() {} };\nvoid Alone() {}\n",
	}) {
		b.Add("", f)
	}
	g := b.graph(t, 1)
	for target, want := range map[string]string{"Strings::Trim": "core.Strings.Trim", "Trim": "core.Strings.Trim", "Fake.Trim": "Fake.Trim", "Alone": "Alone"} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: target})
		if err != nil || a.Target == nil || a.Target.Symbol != want {
			t.Errorf("%s: %v %+v of %v", target, err, a.Target, a.Candidates)
		}
	}
}

// TestImplementationsNameTheStepBetween asks for methods of types that do not derive from each other directly.
func TestImplementationsNameTheStepBetween(t *testing.T) {
	b := NewBuilder()
	for _, f := range parsed(t, map[string]string{"a.py": `
class Top:
    def run(self): pass
class Middle(Top):
    def run(self): pass
class Bare(Middle): pass
class Low(Bare):
    def run(self): pass
class Lowest(Low):
    def run(self): pass
`}) {
		b.Add("", f)
	}
	g := b.graph(t, 1)
	for target, want := range map[string]string{
		"Top.run":    "Middle.run 1, Low.run 3 Middle.run, Lowest.run 4 Low.run",
		"Middle.run": "Low.run 2 Middle.run, Lowest.run 3 Low.run, ^Top.run 1",
		"Lowest.run": "^Low.run 1, ^Middle.run 3 Low.run, ^Top.run 4 Middle.run",
	} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Implementations, Target: target})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range a.Results {
			mark := ""
			if h.Up {
				mark = "^"
			}
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s%s %d %s", mark, h.Symbol.Symbol, h.Distance, h.Via)))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %s, want %s", target, text, want)
		}
	}
}
