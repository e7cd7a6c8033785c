package schema

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/store/shard"
)

func TestMigrationsAreNumbered(t *testing.T) {
	list, err := Migrations()
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, m := range list {
		if strings.Contains(m.SQL, "pg_catalog.setseed") || !strings.HasPrefix(m.SQL, "-- ") {
			t.Errorf("%s does not begin with what it is about", m.Name)
		}
	}
}

func TestLexeme(t *testing.T) {
	for _, term := range []string{"parse", "", "größe\x00Größe", "日本"} {
		if dict, got := Term(Lexeme(15, term)); dict != 15 || got != term {
			t.Errorf("%q becomes %d, %q", term, dict, got)
		}
	}
}

func TestPostings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		first := r.IntN(1 << 20)
		var list []Posting
		for number := first + r.IntN(2); number < first+Block && len(list) < 50; number += 1 + r.IntN(100) {
			p := Posting{Number: number, Times: 1 + r.IntN(4)}
			for from := r.IntN(5); len(p.Places) < p.Times; from += r.IntN(300) {
				p.Places = append(p.Places, Place{from, from + 1 + r.IntN(3)*r.IntN(3)})
			}
			list = append(list, p)
		}
		data, places := AppendPostings(nil, nil, first, list)
		var got []Posting
		err := EachPlace(first, data, places, func(number int, at []Place) {
			got = append(got, Posting{number, len(at), slices.Clone(at)})
		})
		if err != nil || !cmp.Equal(got, list) {
			t.Fatal(err, cmp.Diff(list, got))
		}
		// Truncated or changed data gives an error or other postings, and no panic.
		for i := range data {
			_ = EachPosting(first, data[:i], func(int, int) {})
		}
		for i := range places {
			if EachPlace(first, data, places[:i], func(int, []Place) {}) == nil {
				t.Fatal("places that are cut off are read")
			}
		}
	}
	if EachPosting(0, []byte{0x80}, func(int, int) {}) == nil || EachPosting(0, slices.Repeat([]byte{0xff}, 10), func(int, int) {}) == nil {
		t.Error("damaged postings are read")
	}
}

func TestChunkKeepsEverything(t *testing.T) {
	f := &shard.File{Tree: "api", Created: "2024-01-01T00:00:00Z", Updated: "2024-01-01T00:00:00Z", Record: record.File{FilePath: "a.go", Language: "go", Status: record.StatusOK}}
	for _, text := range []string{"", "func A() {}", "a\x00b\n"} {
		for _, e := range []record.Embedding{nil, {0.1, -0.25, 0.7}, record.Quantize(nil, record.Embedding{0.1, -0.25, 0.7}).Embedding()} {
			c := &record.Chunk{Type: record.TypeChunk, ID: "code-impl-api:a.go#A", ChunkType: record.Implementations, Title: "a\x00", Text: text, Tags: []string{"x"}, Embedding: e,
				CreatedAt: "2024-01-01T00:00:00Z", UpdatedAt: "2024-05-01T00:00:00Z", Metadata: record.Metadata{Source: "code", FilePath: "api:a.go", Tree: "api", Language: "go", SymbolName: "A",
					SymbolSignature: "func A()"}}
			if e != nil {
				c.EmbeddingModel = "m"
			}
			row, err := ChunkOf(f, c)
			if err != nil || strings.Contains(row.Text+row.Record, "\x00") {
				t.Fatalf("%+v, %v", row, err)
			}
			v := VectorOf(e)
			if v != nil {
				if v.Values, err = Values(v.Text()); err != nil {
					t.Fatal(err)
				}
			}
			got, err := row.Chunk(f, v.Embedding(), "m")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c, got); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestValues(t *testing.T) {
	for _, text := range []string{"", "[]", "[1,2", "[1.5]", "[128]", "[--1]", "[1,,2]", "[1000000000000000000000]"} {
		if v, err := Values(text); err == nil {
			t.Errorf("%q is read as %v", text, v)
		}
	}
}
