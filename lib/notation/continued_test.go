package notation

import (
	"testing"

	"cortex/lib/language"
	"cortex/lib/record"
)

// TestContinuedIsRead reads the head of each tier in the comments of each language.
func TestContinuedIsRead(t *testing.T) {
	const name, body = "a*/b-->c", "x, continued\n"
	for _, l := range append(language.All(), language.Language{Name: "unknown"}) {
		head := Continued(WithComment(l), name) + "\n"
		m := record.Metadata{FilePath: "a\nb", Tree: "t", Language: l.Name, SymbolName: name, ByteStart: 7, ByteEnd: 7 + len(body)}
		m.FilePath = record.TreePath(m.Tree, m.FilePath)
		for text, tiers := range map[string][]record.ChunkType{
			head + body:                             {record.Implementations, record.Definitions, record.Data},
			ContinuedOutline("a\nb") + "\n" + body:  {record.Symbols},
			body:                                    nil,
			head[:len(head)-1] + " or not\n" + body: nil,
			"a\nb: " + body:                         nil,
			Comment(WithComment(l), ""):             nil,
		} {
			for _, tier := range record.ChunkTypes {
				want := false
				for _, other := range tiers {
					want = want || tier == other
				}
				if got := IsContinued(&record.Chunk{ChunkType: tier, Text: text, Metadata: m}); got != want {
					t.Errorf("%s, %s: %q: continued is %v", l.Name, tier, text, got)
				}
			}
		}
	}
}

// TestContinuedIsBounded reads chunks whose metadata contradict their texts.
func TestContinuedIsBounded(t *testing.T) {
	for _, size := range []int{-1, 0, 1, 100} {
		c := &record.Chunk{ChunkType: record.Implementations, Text: ", continued", Metadata: record.Metadata{ByteStart: 10, ByteEnd: 10 + size}}
		if IsContinued(c) {
			t.Errorf("%d bytes of the file: continued", size)
		}
	}
}
