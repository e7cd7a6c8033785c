package parse

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// A mask replaces, before the text is parsed, what the grammar can't read by as many
// bytes that it can. Symbols are cut from the original text; names from the masked.
type mask struct {
	// match is a regular expression (RE2) that does not match nothing; where another match
	// ends, it may take a line or word to begin. Masks are tried in their order at each place, from
	// the start of the text to its end; what one has matched no other sees.
	match string
	// paired: the matched text, such as $body$, opens what ends with the same text.
	paired bool
	// as is put in place of what was matched, with blanks up to its length; line ends stay.
	// "" without fill keeps it: so masks step over comments and strings. With "…" in it, what stands
	// before and behind that replaces the first and last bytes alone, and the inside stays.
	as string
	// fill takes the place of the blanks.
	fill byte
	// blank, with "…" in as, makes blanks of the inside.
	blank bool
}

// A masker is the masks of a grammar as one expression.
type masker struct {
	masks []mask
	match *regexp.Regexp
	// groups are the numbers of the masks' groups in match.
	groups []int
}

// newMasker is nil if there are no masks. The expressions are constants; a wrong one panics.
func newMasker(masks []mask) *masker {
	if len(masks) == 0 {
		return nil
	}
	var all strings.Builder
	groups := make([]int, len(masks))
	group := 1
	for i, m := range masks {
		if i > 0 {
			all.WriteByte('|')
		}
		fmt.Fprintf(&all, "(%s)", m.match)
		groups[i] = group
		group += 1 + regexp.MustCompile(m.match).NumSubexp()
	}
	return &masker{masks, regexp.MustCompile(all.String()), groups}
}

// mask is text as the grammar shall read it, of the same length. Without masks it is text.
func (m *masker) mask(text string) string {
	if m == nil {
		return text
	}
	out := []byte(nil)
	for pos := 0; pos < len(text); {
		at := m.match.FindStringSubmatchIndex(text[pos:])
		if at == nil || at[1] == 0 {
			break
		}
		start, end := pos+at[0], pos+at[1]
		mask := m.which(at)
		if mask.paired {
			n := strings.Index(text[end:], text[start:end])
			if n < 0 {
				pos = end
				continue
			}
			end += n + end - start
		}
		pos = max(end, start+1)
		if mask.as == "" && mask.fill == 0 {
			continue
		}
		if out == nil {
			out = []byte(text)
		}
		mask.apply(out[start:end])
	}
	if out == nil {
		return text
	}
	return string(out)
}

// which is the mask whose group has matched.
func (m *masker) which(at []int) *mask {
	for i, group := range m.groups {
		if at[2*group] >= 0 {
			return &m.masks[i]
		}
	}
	panic("no mask has matched")
}

// apply replaces b.
func (m *mask) apply(b []byte) {
	before, after, inside := strings.Cut(m.as, "…")
	if !inside || m.blank {
		for i, c := range b {
			if c != '\n' && c != '\r' {
				b[i] = cmp.Or(m.fill, ' ')
			}
		}
	}
	copy(b, before)
	if len(after) <= len(b) {
		copy(b[len(b)-len(after):], after)
	}
}
