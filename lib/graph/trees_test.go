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

	"cortex/lib/language"
	"cortex/lib/parse"
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
			var once string
			for _, jobs := range []int{1, 4} {
				b := NewBuilder()
				heads := head.FindAllSubmatchIndex(data, -1)
				for i, h := range heads {
					end := len(data)
					if i+1 < len(heads) {
						end = heads[i+1][0]
					}
					path, text := string(data[h[2]:h[3]]), data[h[1]:end]
					b.Add("", parse.File(path, language.Detect(path, text), text))
				}
				var lines bytes.Buffer
				if err := b.Write(context.Background(), &lines, jobs); err != nil {
					t.Fatal(err)
				}
				got := edgeListing(t, &lines)
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

// edgeListing writes the edges for people, below the node that they are from: relation, what is written, how it was found, and
// where it leads; "?" if nowhere.
func edgeListing(t *testing.T, r io.Reader) string {
	var b strings.Builder
	from := ""
	in := NewReader(r, "graph")
	for {
		line, err := in.Next()
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
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
}
