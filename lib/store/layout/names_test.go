package layout

import (
	"strings"
	"testing"
)

func TestCommandInFolder(t *testing.T) {
	for dir, want := range map[string]string{
		".cortex":          "index",
		"/src/web/.cortex": "cd /src/web && index",
		"/my src/.cortex":  "cd '/my src' && index",
		"/it's/.cortex":    `cd '/it'\''s' && index`,
		"../web/.cortex":   "cd ../web && index",
		"/kept/elsewhere":  "index --store /kept/elsewhere",
		"my index":         "index --store 'my index'",
		"":                 "index", // of a tree in a database
	} {
		if got := InFolder(dir, "index"); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
	want := "cortex-parse --incremental --store kept . | cortex-chunk | cortex-embed | cortex-store --store kept"
	if got := InFolder("kept", IndexAgain); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want = "cd '/my web' && cortex-parse --incremental --store /all/.cortex . | cortex-chunk | cortex-embed | cortex-store --store /all/.cortex"
	if got := Command("/my web", "/all/.cortex", IndexAgain); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestShardOf(t *testing.T) {
	shard := &Shard{Name: ShardName(10), Digest: "0123456789abcdef0123"}
	if got, isNew := ShardOf(strings.TrimPrefix(NewPath(shard), ShardsDir+"/")); got != "0a.jsonl" || !isNew {
		t.Errorf("new content: %q, %v", got, isNew)
	}
	for name, want := range map[string]string{"0a.jsonl": "0a.jsonl", "a.jsonl": "", "0a.jsonl.orig": "", ".0a.jsonl": "", ".gitkeep": "", ".note.new": ""} {
		if got, isNew := ShardOf(name); got != want || isNew {
			t.Errorf("%s: %q, %v", name, got, isNew)
		}
	}
}
