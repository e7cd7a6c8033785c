package chunk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/hint"
)

// version is part of the stage's fingerprint; it moves with every change of the
// algorithm that changes chunks.
const version = 8

// The tiers of code that Options.Tiers selects from.
const (
	Symbols         = "symbols"
	Definitions     = "definitions"
	Data            = "data"
	Implementations = "implementations"
)

// Tiers lists all tiers of code in their order.
func Tiers() []string { return []string{Symbols, Definitions, Data, Implementations} }

// Options say how files are cut. No tiers and sizes of 0 mean the defaults; an Overlap of 0 is none.
type Options struct {
	// Tiers are the tiers of code that are written; documents are always cut.
	Tiers []string
	// CodeSize is the greatest number of characters in a chunk of code, not counting
	// the head that the chunker makes.
	CodeSize int
	// DocSize is the same for documents.
	DocSize int
	// Overlap is the number of bytes by which the chunks of a file without structure overlap where no blank
	// line parts them.
	Overlap int
	// Jobs is the number of workers.
	Jobs int
	// Report is told of lines that had to be skipped.
	Report func(error)
}

// minSize keeps chunks large enough to hold a line and a thought.
const minSize = 200

// DefaultOptions returns what cortex-chunk does without settings.
func DefaultOptions() Options {
	return Options{Tiers: Tiers(), CodeSize: 2000, DocSize: 1000, Overlap: 300, Jobs: 1}
}

// Check reports the first setting that cannot be followed.
func (o Options) Check() error {
	for _, s := range o.Tiers {
		if !slices.Contains(Tiers(), s) {
			return hint.Wrap(fmt.Errorf("unknown tier %q", s),
				"choose from "+strings.Join(Tiers(), ", "))
		}
	}
	for _, size := range []struct {
		name  string
		value int
	}{{"code chunk size", o.CodeSize}, {"doc chunk size", o.DocSize}} {
		if size.value != 0 && size.value < minSize {
			return fmt.Errorf("%s %d: expected at least %d characters", size.name, size.value, minSize)
		}
	}
	if o.Overlap < 0 {
		return fmt.Errorf("overlap %d: expected a positive number", o.Overlap)
	}
	return nil
}

// complete fills in the defaults.
func (o Options) complete() Options {
	d := DefaultOptions()
	if len(o.Tiers) == 0 {
		o.Tiers = d.Tiers
	}
	if o.CodeSize == 0 {
		o.CodeSize = d.CodeSize
	}
	if o.DocSize == 0 {
		o.DocSize = d.DocSize
	}
	o.CodeSize, o.DocSize = max(o.CodeSize, minSize), max(o.DocSize, minSize)
	o.Overlap = max(o.Overlap, 0)
	return o
}

// has reports whether a tier is wanted.
func (o Options) has(tier string) bool { return slices.Contains(o.Tiers, tier) }

// Fingerprint names everything that shapes the chunks, short enough for a manifest.
func (o Options) Fingerprint() string {
	o = o.complete()
	var tiers []string
	for _, s := range Tiers() {
		if o.has(s) {
			tiers = append(tiers, s)
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d %d %d", version, strings.Join(tiers, ","), o.CodeSize, o.DocSize, o.Overlap))
	return hex.EncodeToString(sum[:6])
}
