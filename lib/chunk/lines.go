package chunk

import (
	"cortex/lib/notation"
	"cortex/lib/record"
)

// lines cuts a file without structure, preferably at blank lines, otherwise at the end of a line with some lines of
// overlap. Sizes are in bytes.
func (c *cutter) lines() {
	limit := c.opts.CodeSize / 2
	overlap := min(c.opts.Overlap, limit/2)
	spans := c.src.paragraphs(limit, overlap)
	for i, p := range spans {
		title := c.f.FilePath
		if i > 0 {
			title = c.title(c.firstWords(p))
		}
		c.add(record.Implementations, notation.PartID("code-impl-"+record.IDPath(c.path), i+1), title, c.src.slice(p), p, nil, false)
	}
}

// paragraphs cuts the whole text into spans of at most limit bytes. Spans that do not meet at a blank line overlap by
// up to overlap bytes.
func (s *source) paragraphs(limit, overlap int) []span {
	var out []span
	first, last := s.trim(0, s.count())
	for first < last {
		if s.start[first+1]-s.start[first] > limit+1 {
			out = append(out, s.windows(first, limit, overlap)...)
			first, last = s.trim(first+1, last)
			continue
		}
		end := first + 1
		for end < last && s.start[end+1]-s.start[first] <= limit {
			end++
		}
		if end == last {
			return append(out, s.span(first, last))
		}
		cut, clean := s.blankCut(first, end, limit/4)
		a, b := s.trim(first, cut)
		out = append(out, s.span(a, b))
		next := cut
		if !clean {
			// The next span must have room for the line after the cut; otherwise it would repeat this one.
			for next > first+1 && s.start[cut]-s.start[next-1] <= overlap && s.start[cut+1]-s.start[next-1] <= limit {
				next--
			}
		}
		first, last = s.trim(next, last)
	}
	return out
}

// blankCut returns the last blank line in (first, end] that leaves at least least bytes. If there is none, it returns
// end and false.
func (s *source) blankCut(first, end, least int) (int, bool) {
	for at := end; at > first && s.start[at]-s.start[first] >= least; at-- {
		if s.blank(at) || s.blank(at-1) {
			return at, true
		}
	}
	return end, false
}

// windows cuts one long line into overlapping pieces between words.
func (s *source) windows(line, limit, overlap int) []span {
	whole := s.span(line, line+1)
	var out []span
	for _, cut := range cutLine(s.slice(whole), limit-overlap, countBytes) {
		from, to := cut[0], cut[1]
		back := max(from-overlap, 0)
		for back < from && isIdentifierByte(s.text[whole.from+back]) {
			back++
		}
		out = append(out, span{line, line + 1, whole.from + back, whole.from + to})
	}
	return out
}
