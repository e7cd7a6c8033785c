package store

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"cortex/lib/record"
)

// Damage that leaves the size as it was is found while the graph is loaded.
func TestLoadDamagedGraph(t *testing.T) {
	for name, damage := range map[string]func(string) string{
		"none":         func(s string) string { return s },
		"flipped byte": func(s string) string { return strings.Replace(s, `"name":"fb"`, `"name":"fc"`, 1) },
		"broken line":  func(s string) string { return strings.Replace(s, `"lines":[1]`, `"lines":[x]`, 1) },
		"other node":   func(s string) string { return strings.Replace(s, `"node":"a.zig#fa"`, `"node":"z.zig#fa"`, 1) },
	} {
		dir := newDir(t)
		mustApply(t, dir, stream(t, begin(record.Full, 2), called("a.zig", "fb"), called("b.zig"), end(2)))
		if name != "none" {
			spoil(t, filepath.Join(dir, graphPath), damage)
		}
		r, _, err := OpenGraph(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		g, err := LoadGraph(t.Context(), r)
		if name == "none" {
			if err != nil || g.Nodes() != 4 || g.Edges() != 1 {
				t.Errorf("%v, %+v", err, g)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		checkHint(t, err, indexAll)
		checkContains(t, err.Error(), "code-graph.jsonl")
		checkContains(t, err.Error(), "damaged")
	}
}
