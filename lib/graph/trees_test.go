package graph

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/parse"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
)

// TestLanguageTrees makes graphs of the small trees in testdata/trees, whose files stand behind lines such as "-- a/b.c --", and compares the
// edges with the .golden file beside: see edgeListing. UPDATE_GOLDEN=1 rewrites them.
func TestLanguageTrees(t *testing.T) {
	trees, err := filepath.Glob("testdata/trees/*.txt")
	if err != nil || len(trees) == 0 {
		t.Fatal("no trees", err)
	}
	head := regexp.MustCompile(`(?m)^-- (\S+) --\n`)
	for _, name := range trees {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts := map[string]string{}
			heads := head.FindAllSubmatchIndex(data, -1)
			for i, h := range heads {
				end := len(data)
				if i+1 < len(heads) {
					end = heads[i+1][0]
				}
				texts[string(data[h[2]:h[3]])] = string(data[h[1]:end])
			}
			files := parsed(t, texts)
			var once string
			for _, jobs := range []int{1, 4} {
				b := NewBuilder()
				for _, f := range files {
					b.Add("", f)
				}
				write(t, b, jobs)
				got := edgeListing(b.lines(t, jobs))
				if once == "" {
					once = got
				} else if got != once {
					t.Errorf("%d jobs give other edges:\n%s", jobs, cmp.Diff(once, got))
				}
			}
			golden := strings.TrimSuffix(name, ".txt") + ".golden"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(golden, []byte(once), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), once); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// parsed returns the records of a tree of files with the given texts.
func parsed(t testing.TB, texts map[string]string) []*record.File {
	t.Helper()
	root := t.TempDir()
	for path, text := range texts {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var lines bytes.Buffer
	if err := parse.Run(context.Background(), jsonl.NewWriter(&lines), parse.Options{Source: source.Options{Root: root}, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	var files []*record.File
	for in := jsonl.NewReader(&lines, "records"); ; {
		line, err := in.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err := line.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := r.(*record.File); ok {
			files = append(files, f)
		}
	}
}

// edgeListing writes the edges for people, below the node from which they lead: relation, text of the reference, rule,
// and targets, "?" if there are none.
func edgeListing(lines []Statement) string {
	var b strings.Builder
	from := ""
	for _, line := range lines {
		e := line.Edge
		if e == nil {
			continue
		}
		if e.From != from {
			from = e.From
			fmt.Fprintf(&b, "%s\n", from)
		}
		written := strings.Trim(e.Module+" "+strings.Trim(e.Receiver+"."+e.Name, "."), " ")
		fmt.Fprintf(&b, "\t%s %s: ", e.Relation, written)
		switch {
		case e.By == "":
			b.WriteString("?\n")
		case e.External != "":
			fmt.Fprintf(&b, "%s %s\n", e.By, e.External)
		default:
			fmt.Fprintf(&b, "%s %s\n", e.By, strings.Join(e.To, " "))
		}
	}
	return b.String()
}
