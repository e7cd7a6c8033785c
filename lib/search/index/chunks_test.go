package index

import (
	"fmt"
	"slices"
	"testing"

	"cortex/lib/record"
)

// countingSource counts the reads of records.
type countingSource struct {
	Source
	trips int
}

func (s *countingSource) Records(refs []Ref) ([]*record.Chunk, error) {
	s.trips++
	list := make([]*record.Chunk, len(refs))
	for i, ref := range refs {
		list[i] = &record.Chunk{ID: fmt.Sprint(ref.Number)}
	}
	return list, nil
}

// TestSharesKeepTheirRecords: chunks that several shares have prepared at the same time are read in one trip for each
// batch, and the records that are kept are bounded.
func TestSharesKeepTheirRecords(t *testing.T) {
	const shares, each, batch = 8, 1000, 500
	numbers := make([]uint32, shares*each)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	source := &countingSource{}
	g := &Generation{segments: []*segment{{numbers: numbers, rows: len(numbers)}}, firsts: []int{0, len(numbers)}, near: make([]uint16, len(numbers)/nearChunks+1), source: source, records: newRecords(shares)}
	for from := 0; from < each; from += batch {
		chunks := make([][]int, shares)
		for s := range shares {
			for i := range batch {
				chunks[s] = append(chunks[s], s*each+from+i)
			}
			if err := g.Prepare(chunks[s]); err != nil {
				t.Fatal(err)
			}
		}
		for _, chunk := range slices.Concat(chunks...) {
			c, err := g.Chunk(chunk)
			if err != nil || c.ID != fmt.Sprint(chunk) {
				t.Fatalf("chunk %d: %v, %v", chunk, c, err)
			}
		}
	}
	if want := shares * each / batch; source.trips != want {
		t.Errorf("%d trips, want %d", source.trips, want)
	}
	if kept := len(g.records.recent) + len(g.records.older); kept > 2*g.records.most+batch {
		t.Errorf("%d records are kept", kept)
	}
}
