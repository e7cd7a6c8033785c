package extract

import (
	"slices"
	"sort"
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

const (
	// MaxSignature is the length in bytes at which a signature is cut.
	MaxSignature = 1000
	// longValue is the length in bytes above which a signature is cut before the initialiser.
	longValue = 160
)

// signature returns the declaration without attributes, body and comments, on one line.
func (x *extraction) signature(f *fact) string {
	end := f.around.End
	if f.body > f.signature {
		end = f.body
	}
	s := x.oneLine(f, end)
	if len(s) > longValue && f.value.Start > f.signature && f.value.Start < end {
		s = x.oneLine(f, f.value.Start)
	}
	return shorten.Bytes(s, MaxSignature)
}

// oneLine returns the text from the start of the signature to end, without comments and with single spaces.
func (x *extraction) oneLine(f *fact, end int) string {
	end = max(min(end, f.signature+4*MaxSignature), f.signature)
	comment, _ := x.commentAt(f.signature)
	prefixed := f.prefix.End > 0 && !f.around.Contains(f.prefix)
	if !prefixed && (comment == len(x.comments) || x.comments[comment].Start >= end) {
		if text := x.text[f.signature:end]; isSpaced(text) {
			return withoutTail(text)
		}
	}
	var b strings.Builder
	b.Grow(f.prefix.End - f.prefix.Start + 1 + end - f.signature)
	if prefixed {
		b.WriteString(x.text[f.prefix.Start:f.prefix.End])
		b.WriteByte(' ')
	}
	for pos := f.signature; pos < end; {
		stop, next := end, end
		if comment < len(x.comments) && x.comments[comment].Start < end {
			stop, next = x.comments[comment].Start, x.comments[comment].End
			comment++
		}
		if stop < pos {
			continue // inside the comment before
		}
		writeWords(&b, x.text[pos:stop])
		pos = next
	}
	return withoutTail(b.String())
}

// isSpaced reports whether text begins with a word and has no blanks but single spaces.
func isSpaced(text string) bool {
	space := true
	for i := range len(text) {
		blank := lexical.IsSpace(text[i])
		if blank && (space || text[i] != ' ') {
			return false
		}
		space = blank
	}
	return true
}

// tail has the punctuation that separates a signature from a body or value behind it.
const tail = " \t{:=;,"

// withoutTail returns a signature without trailing punctuation and arrows, such as "{", "=" and "=>".
func withoutTail(s string) string {
	for {
		short := strings.TrimRight(s, tail)
		if strings.HasSuffix(short, "=>") || strings.HasSuffix(short, "->") {
			short = short[:len(short)-len("=>")]
		}
		if len(short) == len(s) {
			return s
		}
		s = short
	}
}

// writeWords writes text with each run of white space as one space.
func writeWords(b *strings.Builder, text string) {
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && !lexical.IsSpace(text[j]) {
			j++
		}
		b.WriteString(text[i:j])
		i = j
		for i < len(text) && lexical.IsSpace(text[i]) {
			i++
		}
		if i > j && b.Len() > 0 {
			if s := b.String(); s[len(s)-1] != ' ' {
				b.WriteByte(' ')
			}
		}
	}
}

// breaks makes breaks from the rows at which nodes begin. A break moves above comments directly above the node.
func (x *extraction) breaks(words []uint32) []record.Break {
	if len(words) == 0 {
		return nil
	}
	out := make([]record.Break, 0, len(words)/2)
	for i := 0; i < len(words); i += 2 {
		row := int(words[i])
		if row >= len(x.lines) {
			break // behind the additional line end of the parsed text
		}
		line := row + 1
		start := x.lines[row]
		if first, ok := x.commentsAbove(start + blanks(x.text[start:min(start+maxBlanks, len(x.text))])); ok {
			line = x.line(first)
		}
		if line == 1 || len(out) > 0 && out[len(out)-1].Line() >= line {
			continue
		}
		out = append(out, record.Break{line, int(words[i+1])})
	}
	return out
}

// blanks returns the number of leading blanks of s.
func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\f")) }

// withoutHeads removes the breaks between attributes and the signature of their definition.
func (x *extraction) withoutHeads(breaks []record.Break) []record.Break {
	if len(x.heads) == 0 {
		return breaks
	}
	return slices.Clip(slices.DeleteFunc(breaks, func(b record.Break) bool {
		i := sort.Search(len(x.heads), func(i int) bool { return x.heads[i].End >= b.Line() })
		return i < len(x.heads) && x.heads[i].Start < b.Line()
	}))
}
