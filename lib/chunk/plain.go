package chunk

import (
	"cortex/lib/chunk/lines"
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
		c.add(record.Implementations, notation.PartID("code-impl-"+record.IDPath(c.path), i+1), title, c.src.Slice(p), p, nil, false)
	}
}

// paragraphs cuts the whole text into spans of at most limit bytes. Spans that do not meet at a blank line overlap by
// up to overlap bytes.
func (s *source) paragraphs(limit, overlap int) []lines.Span {
	var out []lines.Span
	first, last := s.Trim(0, s.Count())
	for first < last {
		if s.Start[first+1]-s.Start[first] > limit+1 {
			out = append(out, s.windows(first, limit, overlap)...)
			first, last = s.Trim(first+1, last)
			continue
		}
		end := first + 1
		for end < last && s.Start[end+1]-s.Start[first] <= limit {
			end++
		}
		if end == last {
			return append(out, s.Span(first, last))
		}
		cut, clean := s.blankCut(first, end, limit/4)
		a, b := s.Trim(first, cut)
		out = append(out, s.Span(a, b))
		next := cut
		if !clean {
			// The next span must have room for the line after the cut; otherwise it would repeat this one.
			for next > first+1 && s.Start[cut]-s.Start[next-1] <= overlap && s.Start[cut+1]-s.Start[next-1] <= limit {
				next--
			}
		}
		first, last = s.Trim(next, last)
	}
	return out
}

// blankCut returns the last blank line in (first, end] that leaves at least least bytes. If there is none, it returns
// end and false.
func (s *source) blankCut(first, end, least int) (int, bool) {
	for at := end; at > first && s.Start[at]-s.Start[first] >= least; at-- {
		if s.Blank(at) || s.Blank(at-1) {
			return at, true
		}
	}
	return end, false
}

// windows cuts one long line into overlapping pieces between words.
func (s *source) windows(line, limit, overlap int) []lines.Span {
	whole := s.Span(line, line+1)
	var out []lines.Span
	for _, cut := range lines.Cut(s.Slice(whole), limit-overlap, lines.Bytes) {
		from, to := cut[0], cut[1]
		back := max(from-overlap, 0)
		for back < from && lines.IsWordByte(s.Text[whole.From+back]) {
			back++
		}
		out = append(out, lines.Span{First: line, Last: line + 1, From: whole.From + back, To: whole.From + to})
	}
	return out
}
