package tokenizer

import (
	"fmt"
)

// Bounds on what a file may hold.
const (
	maxTokens      = 1 << 22
	maxTokenBytes  = 1 << 10
	maxAddedTokens = 1 << 16 // known files have some thousands
	maxParts       = 1000    // normalizers and pre-tokenizers
	maxPartsNested = 8
	maxFill        = 1 << 16
	// maxGrowth is how many times as long normalizers and pre-tokenizers may make a text: a character that is written as
	// marks and then byte by byte takes some ten times as long.
	maxGrowth = 32
)

// grown is the length at which a text is cut off that was of the given length.
func grown(length int) int { return maxReplacement + maxGrowth*length }

// A budget is what the rest of a file may ask for.
type budget struct {
	parts int
	// program is the number of steps of all patterns together.
	program int
}

func newBudget() *budget { return &budget{maxParts, maxProgram} }

// part takes one part off.
func (b *budget) part(depth int) error {
	if b.parts--; b.parts < 0 || depth > maxPartsNested {
		return errTooMany
	}
	return nil
}

var errTooMany = fmt.Errorf("more than %d parts, or nested deeper than %d", maxParts, maxPartsNested)

// maxReplacement bounds what one step puts in the place of a character, in bytes. In SentencePiece's maps it is up to 33.
const maxReplacement = 64

// maxProgram bounds the steps of all patterns of a file, of which each character of a text may take all. The patterns of
// known models have less than 300.
const maxProgram = 2000
