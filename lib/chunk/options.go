package chunk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
)

// version is part of the stage's fingerprint. It is increased with every change of the algorithm that changes chunks.
const version = 13

// The tiers of code that Options.Tiers selects from.
const (
	Symbols         = string(record.Symbols)
	Definitions     = string(record.Definitions)
	Data            = string(record.Data)
	Implementations = string(record.Implementations)
)

// Tiers lists all tiers of code in their order.
func Tiers() []string { return []string{Symbols, Definitions, Data, Implementations} }

// Options say how files are cut. Empty Tiers and sizes of 0 mean the defaults. An Overlap of 0 means none.
type Options struct {
	// Tiers are the tiers of code to write. Documents are always cut.
	Tiers []string
	// CodeSize is the greatest number of characters in a chunk of code, without the head that the chunker adds.
	CodeSize int
	// DocSize is the same for documents.
	DocSize int
	// Overlap is the number of bytes that two chunks of a file without structure share if no blank line separates them.
	Overlap int
	// Jobs is the number of workers.
	Jobs int
	// Report receives the errors of skipped lines.
	Report func(error)
}

// minSize is the least chunk size. It has room for a few lines.
const minSize = 200

// DefaultOptions returns the options of cortex-chunk without settings.
func DefaultOptions() Options {
	return Options{Tiers: Tiers(), CodeSize: 2000, DocSize: 1000, Overlap: 300, Jobs: 1}
}

// Check returns an error for the first invalid option.
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

// complete replaces zero values by the defaults.
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

// has reports whether a tier is selected.
func (o Options) has(tier string) bool { return slices.Contains(o.Tiers, tier) }

// Fingerprint returns a short digest of everything that determines the chunks.
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
