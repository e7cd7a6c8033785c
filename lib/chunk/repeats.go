package chunk

import (
	"strings"

	"cortex/lib/record"
)

// The tiers that show a line. Of several tiers, the first in this order owns the line.
const (
	shownByNone = iota
	shownByImplementations
	shownByData
	shownByDefinitions
)

// markRepeats fills in the Repeats of definitions and data chunks. A line that several tiers show is a repeat in all
// but the first of implementations, data and definitions.
func (c *cutter) markRepeats() {
	owner := make([]uint8, c.src.Count())
	for _, r := range c.regions {
		for i := r.first; i < r.last; i++ {
			owner[i] = shownByImplementations
		}
	}
	for i := range c.showings {
		c.showings[i].markRepeats(owner, c.opts.has(Implementations))
	}
}

func (s *showing) markRepeats(owner []uint8, implemented bool) {
	tier := uint8(shownByDefinitions)
	if s.chunk.ChunkType == record.Data {
		tier = shownByData
	}
	repeated := make([]bool, strings.Count(s.chunk.Text, "\n")+2)
	for _, i := range s.made {
		repeated[i] = true
	}
	for _, p := range s.pieces {
		for i := p.first; i < p.last; i++ {
			line := p.of + i - p.first
			switch {
			case p.signature:
				repeated[i] = implemented
			case line >= len(owner):
			case owner[line] == shownByNone:
				owner[line] = tier
			default:
				// One tier may show a long line in several pieces. They do not repeat each other.
				repeated[i] = owner[line] != tier
			}
		}
	}
	for i := 0; i < len(repeated); i++ {
		if !repeated[i] {
			continue
		}
		first := i
		for i+1 < len(repeated) && repeated[i+1] {
			i++
		}
		s.chunk.Metadata.Repeats = append(s.chunk.Metadata.Repeats, record.LineRange{first + 1, i + 1})
	}
}
