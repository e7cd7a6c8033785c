package graph

import (
	"slices"
	"testing"

	"cortex/lib/graph/table"
)

// TestALineOfAnyOverload finds the method, whose overloads are one node with all their places.
func TestALineOfAnyOverload(t *testing.T) {
	for path, text := range map[string]string{
		"j.java":  "class J {\n  int save(int a) { return save(a, true); }\n\n  /** Saves. */\n  int save(int a, boolean b) {\n    return a; }\n  int other() { return save(1); }\n}\n",
		"j.cs":    "class J {\n  int save(int a) { return save(a, true); }\n\n  /// Saves.\n  int save(int a, bool b) {\n    return a; }\n  int other() { return save(1); }\n}\n",
		"j.kt":    "class J {\n  fun save(a: Int): Int { return save(a, true) }\n\n  /** Saves. */\n  fun save(a: Int, b: Boolean): Int {\n    return a }\n  fun other(): Int { return save(1) }\n}\n",
		"j.cpp":   "struct J {\n  int save(int a) { return save(a, true); }\n\n  /** Saves. */\n  int save(int a, bool b) {\n    return a; }\n  int other() { return save(1); }\n};\n",
		"j.ts":    "class J {\n  save(a: number): number;\n\n  /** Saves. */\n  save(a: number, b?: boolean): number {\n    return b ? a : this.save(a, true); }\n  other() { return this.save(1) }\n}\n",
		"j.swift": "class J {\n  func save(a: Int) -> Int { return save(a: a, b: true) }\n\n  /// Saves.\n  func save(a: Int, b: Bool) -> Int {\n    return a }\n  func other() -> Int { return save(a: 1) }\n}\n",
	} {
		b := NewBuilder()
		for _, f := range parsed(t, map[string]string{path: text}) {
			b.Add("", f)
		}
		g := b.graph(t, 1)
		for _, line := range []string{"2", "4", "5", "6"} {
			a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: path + ":" + line})
			if err != nil {
				t.Fatal(err)
			}
			if a.Target == nil || a.Target.Symbol != "J.save" || !slices.Equal(a.Target.Overloads, []int{2, 5}) {
				t.Errorf("%s:%s is %+v", path, line, a.Target)
			}
			// A call of one overload by another is a call.
			want := "J.other:7, J.save:2"
			if path == "j.ts" {
				want = "J.other:7, J.save:6"
			}
			if got := short(a); got != want {
				t.Errorf("%s:%s has callers %s, want %s", path, line, got, want)
			}
		}
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callees, Target: "other"})
		if err != nil || len(a.Results) != 1 || a.Results[0].Overloads != nil || a.Target.Overloads != nil {
			t.Errorf("%s: %v, callees of other: %s", path, err, short(a))
		}
	}
}
