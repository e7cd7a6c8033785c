package write

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"cortex/lib/database"
	"cortex/lib/database/schema"
	"cortex/lib/record"
	"cortex/lib/search/corpus"
)

// TestRowsOfPostingsFitIntoTheIndex has words that are in thousands of chunks.
func TestRowsOfPostingsFitIntoTheIndex(t *testing.T) {
	stemmer, err := corpus.NewStemmer("english")
	if err != nil {
		t.Fatal(err)
	}
	const chunks, first = 3000, 70
	w := newWords(corpus.Analysis(stemmer), first)
	want := map[string]int{}
	for i := range chunks {
		w.add(first+i, &record.Chunk{ID: "a", ChunkType: record.Implementations, Text: "alpha " + strings.Repeat("beta ", 3+i%5), Metadata: record.Metadata{FilePath: "a.go"}})
		want["alpha"] += first + i
		want["beta"] += (first + i) * (3 + i%5)
	}
	var postings, counts table
	w.rows("1", &postings, &counts)
	got := map[string]int{}
	for _, row := range postings.rows {
		lexeme, at, data := row[1], row[2], decoded(t, row[3])
		if len(data) > schema.RowBytes+10 {
			t.Errorf("%q has a row of %d bytes", lexeme, len(data))
		}
		number, err := strconv.Atoi(at)
		if err != nil {
			t.Fatal(err)
		}
		add := func(number, times int) {
			if dict, term := schema.Term(lexeme); dict == (corpus.Dict{Field: "text", Kind: corpus.WholeTerms}).Number() {
				got[term] += number * times
			}
		}
		if row[4] == null {
			err = schema.EachPosting(number, data, add)
		} else {
			err = schema.EachPlace(number, data, decoded(t, row[4]), func(number int, places []schema.Place) { add(number, len(places)) })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func decoded(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.TrimPrefix(text, `\x`))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// covering migrates rows of postings that are too long for the index.
func (s *server) covering(t *testing.T) {
	url := s.New(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	execute := func(sql string, args ...any) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	all, err := schema.Migrations()
	if err != nil {
		t.Fatal(err)
	}
	const covering = 5
	if _, err := conn.PgConn().Exec(t.Context(), "BEGIN;"+database.Script(all[:covering-1])+"COMMIT").ReadAll(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	want := map[string][]schema.Posting{}
	for i := range 6 {
		lexeme, first, last := schema.Lexeme(i, "word"), 4096*i, 0
		for number := first + r.IntN(3); number < first+schema.Block; number += 1 + r.IntN(3) {
			p := schema.Posting{Number: number, Times: 1}
			if r.IntN(3) == 0 {
				p.Times += 1 + r.IntN(200)
			}
			for from := r.IntN(5); i%2 == 0 && len(p.Places) < p.Times; from += r.IntN(300) {
				p.Places = append(p.Places, schema.Place{From: from, To: from + 1 + r.IntN(2)*r.IntN(300)})
			}
			want[lexeme] = append(want[lexeme], p)
			if last++; i == 5 && last == 20 {
				break // stays as it is
			}
		}
		data, places := schema.AppendPostings(nil, nil, first, want[lexeme])
		if short := len(data) < 1000; short != (i == 5) {
			t.Fatalf("%d bytes", len(data))
		}
		execute(`INSERT INTO cortex.postings (tree_id, lexeme, first, data, places) VALUES (1, $1, $2, $3, $4)`, lexeme, first, data, places)
	}
	conn.Close(t.Context())
	db, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Pool().Query(t.Context(), `SELECT lexeme, first, data, places FROM cortex.postings ORDER BY lexeme, first`)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]schema.Posting{}
	var lexeme string
	var first int
	var data, places []byte
	_, err = pgx.ForEachRow(rows, []any{&lexeme, &first, &data, &places}, func() error {
		if len(data) > 1100 {
			t.Errorf("%q has a row of %d bytes", lexeme, len(data))
		}
		if places == nil {
			return schema.EachPosting(first, data, func(number, times int) {
				got[lexeme] = append(got[lexeme], schema.Posting{Number: number, Times: times})
			})
		}
		return schema.EachPlace(first, data, places, func(number int, at []schema.Place) {
			got[lexeme] = append(got[lexeme], schema.Posting{Number: number, Times: len(at), Places: slices.Clone(at)})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(got, want) {
		t.Error("other postings are read than were written")
	}
}
