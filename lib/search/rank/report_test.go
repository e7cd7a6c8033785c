package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/wording"
)

func TestReportWordsAreBounded(t *testing.T) {
	c := &record.Chunk{ID: "a.go#1", ChunkType: record.Implementations, Text: "overflow", Metadata: record.Metadata{FilePath: "a.go", StartLine: 1, EndLine: 1}}
	stemmer, err := corpus.NewStemmer("")
	if err != nil {
		t.Fatal(err)
	}
	g, err := index.New([]*record.Chunk{c}, "", 0, 1, corpus.Analysis(stemmer))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	x := &Ranker{Corpus: corpus.New(g, stemmer)}
	for before, want := range map[int]bool{maxReportWords - 1: true, maxReportWords: false} {
		var b strings.Builder
		for i := range before {
			fmt.Fprintf(&b, "%06d %06d\n", i, i)
		}
		terms, err := x.reportTerms(b.String() + "overflow")
		if err != nil {
			t.Fatal(err)
		}
		if found := slices.ContainsFunc(terms, func(t wording.Term) bool { return t.Word == "overflow" }); found != want {
			t.Errorf("a word after %d others: found is %t", before, found)
		}
	}
}
