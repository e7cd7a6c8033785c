package tokenizer

import (
	"fmt"
)

// Bounds on the content of a file.
const (
	maxTokens      = 1 << 22
	maxTokenBytes  = 1 << 10
	maxAddedTokens = 1 << 16 // known files have several thousand
	maxParts       = 1000    // normalizers and pre-tokenizers
	maxPartsNested = 8
	maxFill        = 1 << 16
	// maxGrowth is the factor by which normalizers and pre-tokenizers may lengthen a text. A character that is written
	// as marks and then byte by byte becomes some ten times as long.
	maxGrowth = 32
)

// grown returns the length at which the result for a text of the given length is cut off.
func grown(length int) int { return maxReplacement + maxGrowth*length }

// A budget is the number of parts and pattern steps that the rest of a file may still use.
type budget struct {
	parts int
	// program is the number of steps of all patterns together.
	program int
}

func newBudget() *budget { return &budget{maxParts, maxProgram} }

// part takes one part from the budget, and checks the depth of its nesting.
func (b *budget) part(depth int) error {
	if b.parts--; b.parts < 0 || depth > maxPartsNested {
		return errTooMany
	}
	return nil
}

var errTooMany = fmt.Errorf("more than %d parts, or nested deeper than %d", maxParts, maxPartsNested)

// maxReplacement is the greatest number of bytes that one step may put in place of a character. SentencePiece's maps
// use up to 33.
const maxReplacement = 64

// maxProgram bounds the number of steps of all patterns of a file, since each character of a text may take all of them.
// The patterns of known models have fewer than 300.
const maxProgram = 2000
