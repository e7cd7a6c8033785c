package update

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

// outside has texts that are not paths of files in a tree.
var outside = []string{"/x", "../x", "a/../../x", ".git/config", "a/.cortex/x", "a\x00b", "a//b", "./a", "a/"}

// A record whose path leads out of the tree is refused by name and line, and no chunk of it comes into the store.
func TestPathsOutsideOfTheTree(t *testing.T) {
	for _, path := range outside {
		t.Run(path, func(t *testing.T) {
			dir := stored(t)
			before := contents(t, dir)
			o := apply(t, dir, stream(t, begin(record.Full, 1), file(path, "ok"), code("z", path, "zet"), end(1)))
			checkContains(t, o.messages(), "stdin:2: file record: file_path ")
			checkContains(t, o.messages(), "stdin:3: chunk record: ")
			if got := ids(mustLoad(t, dir)); got != "a1=one a2=two b1=bee c1=sea" {
				t.Error(got)
			}
			if o := apply(t, dir, stream(t, code("z", path, "zet"))); !strings.Contains(o.messages(), "stdin:1: chunk record: ") {
				t.Error(o.messages())
			}
			if o := apply(t, dir, stream(t, inTree("web", code("z", path, "zet")))); !strings.Contains(o.messages(), "stdin:1: chunk record: ") {
				t.Error(o.messages())
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A shard with a path that leads out of the tree is damaged.
func TestPathsInShards(t *testing.T) {
	for _, path := range outside {
		t.Run(path, func(t *testing.T) {
			dir := stored(t)
			key, _ := json.Marshal(path)
			forge(t, dir, func(lines []string) []string {
				lines[3] = strings.Replace(lines[3], `"b.go"`, string(key), 1)
				return lines
			})
			for job, read := range readers {
				err := read(dir)
				checkHint(t, err, "index again in full")
				if job != "verify" {
					checkContains(t, err.Error(), `00.jsonl:4: damaged: file_path `)
				}
			}
			checkContains(t, verify(t, dir), `00.jsonl:4: damaged: file_path `)
		})
	}
}
