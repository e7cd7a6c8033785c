package write

import (
	"slices"
	"strconv"

	"cortex/lib/database/schema"
	"cortex/lib/record"
	"cortex/lib/search/index"
)

// words collects the postings of chunks with successive numbers.
type words struct {
	analysis *index.Analysis
	first    int
	count    int
	slots    map[string]int
	list     []listing
	// touched has the slots of the current chunk's lexemes.
	touched []int
	key     []byte
}

// A listing has the postings of a lexeme.
type listing struct {
	lexeme string
	full   []row // full rows; the last row is embedded
	row
	last, chunks int
	now          schema.Posting // posting of the current chunk
}

// A row is a row of the table postings; first is its first chunk number.
type row struct {
	first        int
	data, places []byte
}

func newWords(a *index.Analysis, first int) *words {
	return &words{analysis: a, first: first, slots: map[string]int{}}
}

// add adds a chunk, and returns the number of its terms by dictionary.
func (w *words) add(number int, c *record.Chunk) (lengths []int) {
	w.count++
	lengths = make([]int, len(w.analysis.Dicts))
	w.analysis.Terms(c, func(dict int, term string, from, to int) {
		d := w.analysis.Dicts[dict]
		lengths[d.Length]++
		w.key = append(append(w.key[:0], byte(dict)), term...)
		slot, known := w.slots[string(w.key)]
		if !known {
			slot = len(w.list)
			w.slots[string(w.key)] = slot
			w.list = append(w.list, listing{lexeme: schema.Lexeme(dict, term), row: row{first: w.first}, last: w.first})
		}
		l := &w.list[slot]
		if l.now.Times == 0 {
			w.touched = append(w.touched, slot)
		}
		if l.now.Times++; d.Places {
			l.now.Places = append(l.now.Places, schema.Place{From: from, To: to})
		}
	})
	for _, slot := range w.touched {
		l := &w.list[slot]
		l.now.Number = number
		if len(l.data) >= schema.RowBytes {
			l.full = append(l.full, l.row)
			l.row, l.last = row{first: number}, number
		}
		l.data, l.places = schema.AppendPostings(l.data, l.places, l.last, []schema.Posting{l.now})
		l.last = number
		l.chunks++
		l.now = schema.Posting{Places: l.now.Places[:0]}
	}
	w.touched = w.touched[:0]
	return lengths
}

// rows adds the rows of postings, and the number of chunks that have each lexeme.
func (w *words) rows(tree string, postings, counts *table) {
	slices.SortFunc(w.list, func(a, b listing) int { return cmpText(a.lexeme, b.lexeme) })
	for i := range w.list {
		l := &w.list[i]
		for _, r := range append(l.full, l.row) {
			places := null
			if len(r.places) > 0 {
				places = bytea(r.places)
			}
			postings.add(tree, l.lexeme, strconv.Itoa(r.first), bytea(r.data), places)
		}
		counts.add(l.lexeme, strconv.Itoa(l.chunks))
	}
}

func cmpText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// lexemesOf returns the set of a chunk's lexemes.
func lexemesOf(a *index.Analysis, c *record.Chunk) map[string]bool {
	found := map[string]bool{}
	a.Terms(c, func(dict int, term string, _, _ int) { found[schema.Lexeme(dict, term)] = true })
	return found
}
