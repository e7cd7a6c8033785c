package read_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"cortex/lib/database"
	"cortex/lib/database/read"
	"cortex/lib/embed"
	"cortex/lib/search"
)

func openEmbedder(ctx context.Context, model string) (embed.Embedder, error) {
	return embed.OpenModel(ctx, model, embed.Config{})
}

// asked has the questions for both stores.
type asked struct {
	exact bool
	search.Request
}

// TestLarge compares a large database with the store of the same records, which the environment names, over the queries in a file: JSON objects with query, exact and mode.
func TestLarge(t *testing.T) {
	url, dir, file := os.Getenv("EQUAL_DATABASE"), os.Getenv("EQUAL_STORE"), os.Getenv("EQUAL_QUERIES")
	if url == "" {
		t.Skip("EQUAL_DATABASE is not set")
	}
	var trees []string
	if names := os.Getenv("EQUAL_TREES"); names != "" {
		trees = strings.Split(names, ",")
	}
	var list []asked
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q struct {
			Query string
			Exact bool
			Mode  search.Mode
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		one := asked{q.Exact, search.Request{Queries: []string{q.Query}, Limit: 10, Mode: q.Mode}}
		list = append(list, one)
	}
	compare(t, url, dir, trees, list)
}

// compare asks the trees of the database and the store.
func compare(t *testing.T, url, dir string, trees []string, list []asked) {
	t.Helper()
	db, err := database.Open(t.Context(), url, database.Options{Conns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := read.New(db, read.Options{Trees: trees, Embedder: openEmbedder, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, err := r.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var e embed.Embedder
	x, err := search.Open(t.Context(), dir, func(model string) (_ embed.Embedder, err error) {
		if model != "" {
			e, err = openEmbedder(t.Context(), model)
		}
		return e, err
	}, search.Settings{}, search.Making{Jobs: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if e != nil {
		defer e.Close()
	}
	different := 0
	for _, q := range list {
		want, have := answerText(t, x, q), answerText(t, s.Index, q)
		if want != have {
			different++
			t.Errorf("%+v:\nstore    %.600s\ndatabase %.600s", q.Queries, want, have)
		}
	}
	t.Logf("%d of %d answers differ", different, len(list))
}

// answerText is the answer as text, without the time that it took.
func answerText(t *testing.T, x *search.Index, q asked) string {
	t.Helper()
	ask, files := x.Search, ""
	if q.exact {
		ask = x.Exact
		all := q.Request
		all.Limit = -1
		found, err := x.Find(t.Context(), all)
		if err != nil {
			return "error: " + err.Error()
		}
		paths, _, _, err := found.Files()
		if err != nil {
			return "error: " + err.Error()
		}
		files = fmt.Sprint(found.Total(), paths)
	}
	response, err := ask(t.Context(), q.Request)
	if err != nil {
		return "error: " + err.Error()
	}
	response.Metadata.TookMS = 0
	for i := range response.Results {
		response.Results[i].Chunk.Text = ""
	}
	data, err := json.Marshal(response)
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + files
}
