package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/search/render/brief"
)

func TestSchemasNameWhatIsRead(t *testing.T) {
	for _, tool := range tools() {
		var schema struct {
			Properties map[string]struct {
				Type, Description string
				Minimum, Maximum  *int
				Enum              []string
				Default           any
				Items             *struct{ Enum []string }
			}
			Required []string
		}
		if err := json.Unmarshal(tool.schema(nil), &schema); err != nil {
			t.Fatalf("%s: %v", tool.name, err)
		}
		if p := schema.Properties["max_tokens"]; p.Default != nil || !strings.Contains(p.Description, "json 20000") {
			t.Errorf("%s: the size of an answer depends on its format, but max_tokens has %v and %q", tool.name, p.Default, p.Description)
		}
		var named []string
		for name, p := range schema.Properties {
			named = append(named, name)
			if strings.Count(p.Description, " ") > 25 {
				t.Errorf("%s: %s: description %q", tool.name, name, p.Description)
			}
		}
		slices.Sort(named)
		_, list, _ := strings.Cut(tool.prepare().read([]byte(`{"zebra":1}`)).Error(), "known arguments: ")
		list, _, _ = strings.Cut(list, "\n")
		read := slices.Sorted(slices.Values(strings.Split(list, ", ")))
		if diff := cmp.Diff(named, read); diff != "" {
			t.Errorf("%s: schema and reading differ: (-schema +read)\n%s", tool.name, diff)
		}
		// The tool accepts values at the bounds of the schema, and refuses values beyond them.
		try := func(name string, value any) error {
			object := map[string]any{}
			for _, required := range schema.Required {
				object[required] = "x"
			}
			switch name {
			case "query", "topics", "like":
				delete(object, "query") // one of them
			case "to":
				object["operation"] = "path"
			case "operation":
				if value == "path" {
					object["to"] = "x"
				}
			}
			if object["operation"] == "x" {
				object["operation"] = "callers"
			}
			if tool.name == "cortex_search" && name != "like" {
				object["query"] = "x"
			}
			object[name] = value
			raw, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			return tool.prepare().read(raw)
		}
		for name, p := range schema.Properties {
			good, bad := []any{}, []any{}
			switch {
			case p.Minimum != nil:
				good = append(good, *p.Minimum, p.Default)
				bad = append(bad, *p.Minimum-1)
				if p.Maximum != nil {
					good = append(good, *p.Maximum)
					bad = append(bad, *p.Maximum+1)
				}
			case p.Type == "string" && p.Enum != nil:
				for _, word := range p.Enum {
					good = append(good, word)
				}
				bad = append(bad, "nonsense")
			case p.Type == "string" && name != "context":
				good = append(good, strings.Repeat("é", 500))
				if tool.name+" "+name != "cortex_search query" { // a question is cut
					bad = append(bad, strings.Repeat("é", 20_001))
				}
			case p.Type == "array" && p.Items.Enum != nil:
				good = append(good, p.Items.Enum)
				bad = append(bad, []string{"nonsense"})
			case p.Type == "array":
				good = append(good, slices.Repeat([]string{"a"}, 10))
				bad = append(bad, slices.Repeat([]string{"a"}, 21))
			}
			for _, value := range good {
				if err := try(name, value); err != nil {
					t.Errorf("%s: %s: the schema admits what is refused: %v", tool.name, name, err)
				}
			}
			for _, value := range bad {
				if err := try(name, value); err == nil {
					t.Errorf("%s: %s: %.40v is accepted against the schema", tool.name, name, value)
				}
			}
		}
	}
}

// TestArgumentsBeyondTheSchema holds what docs/serve.md says of arguments that are accepted although no schema has them.
func TestArgumentsBeyondTheSchema(t *testing.T) {
	both := map[string]string{"tags": `["go"]`, "context_before": "1", "context_after": "1", "include_stats": "true"}
	accepted := map[string]map[string]string{
		"cortex_search": {"min_score": "0.5"},
		"cortex_exact":  {"languages": `["go"]`, "chunk_types": `["data"]`, "symbol_type": `"function"`, "symbol_name": `"Parse*"`},
		"cortex_graph":  {},
	}
	for _, name := range []string{"cortex_search", "cortex_exact"} {
		maps.Copy(accepted[name], both)
	}
	for _, tool := range tools() {
		arguments, schema := `{"query":"x",`, string(tool.schema(nil))
		if tool.name == "cortex_graph" {
			arguments = `{"operation":"callers","target":"x",`
		}
		for _, list := range accepted {
			for name, value := range list {
				_, want := accepted[tool.name][name]
				isHidden := !strings.Contains(schema, `"`+name+`":`)
				err := tool.prepare().read([]byte(arguments + `"` + name + `":` + value + "}"))
				if (err == nil) != (want || !isHidden) || want && !isHidden {
					t.Errorf("%s: %s: hidden %v, %v", tool.name, name, isHidden, err)
				}
				if err != nil && strings.Contains(err.Error(), "min_score,") {
					t.Errorf("%s lists an argument beyond its schema: %v", tool.name, err)
				}
			}
		}
	}
}

// Every conversation pays for the descriptions and schemas of the tools. The estimate exceeds the count of real
// tokenizers by up to a tenth.
func TestToolsCostLittle(t *testing.T) {
	total := 0
	for _, tool := range tools() {
		n := brief.Tokens(tool.name + tool.description + string(tool.schema(nil)))
		t.Log(tool.name, n)
		total += n
		if examples := strings.Count(tool.description, `{"`); examples != 2 {
			t.Errorf("%s: %d examples", tool.name, examples)
		}
	}
	if total > 1200 {
		t.Errorf("the tools take %d tokens, at most 1,200", total)
	}
}

// TestTasks lists tasks with the tool and arguments that an assistant should choose for them. The schema must name all
// arguments, and the tool must accept them.
func TestTasks(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range bytes.Lines(data) {
		var task struct {
			Task, Tool string
			Arguments  json.RawMessage
		}
		if err := json.Unmarshal(line, &task); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		count++
		at := slices.IndexFunc(tools(), func(tool tool) bool { return tool.name == task.Tool })
		if at < 0 {
			t.Errorf("%s: no tool %q", task.Task, task.Tool)
			continue
		}
		if err := tools()[at].prepare().read(task.Arguments); err != nil {
			t.Errorf("%s: %v", task.Task, err)
		}
		var given map[string]json.RawMessage
		if err := json.Unmarshal(task.Arguments, &given); err != nil {
			t.Fatal(err)
		}
		for name := range given {
			if !strings.Contains(string(tools()[at].schema(nil)), `"`+name+`":{`) {
				t.Errorf("%s: the schema does not name %s", task.Task, name)
			}
		}
	}
	if count < 30 {
		t.Errorf("%d tasks", count)
	}
}
