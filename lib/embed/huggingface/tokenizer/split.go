package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A splitter splits pieces into smaller ones; the format calls it a pre-tokenizer. It appends the pieces to out and
// returns that, and in for reuse.
type splitter interface {
	split(in, out []piece) (result, unused []piece)
}

// splitters is a sequence of splitters.
type splitters []splitter

func (all splitters) split(in, out []piece) ([]piece, []piece) {
	most := grown(length(in))
	for _, s := range all {
		in, out = s.split(in, out[:0])
		in = cutPieces(in, most)
	}
	return in, out
}

func length(of []piece) (n int) {
	for _, p := range of {
		n += len(p.text)
	}
	return n
}

// cutPieces drops the pieces beyond most bytes.
func cutPieces(all []piece, most int) []piece {
	for i := range all {
		if most -= len(all[i].text); most < 0 {
			return all[:i]
		}
	}
	return all
}

// parseSplitter returns the splitter of a section, nil if there is none. It takes its parts from the budget.
func parseSplitter(raw json.RawMessage, left *budget, depth int) (splitter, error) {
	if isNull(raw) {
		return nil, nil
	}
	if err := left.part(depth); err != nil {
		return nil, err
	}
	var p part
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	switch p.Type {
	case "Sequence":
		var s struct {
			Splitters parts `json:"pretokenizers"`
		}
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		return parseSequence[splitters](s.Splitters, parseSplitter, left, depth)
	case "BertPreTokenizer":
		return bertSplitter{}, nil
	case "Whitespace":
		words, err := compile(`\w+|[^\w\s]+`, left)
		return cutter{matcher: inverse{words}, behavior: removed}, err
	case "WhitespaceSplit":
		return cutter{matcher: runes(unicode.IsSpace), behavior: removed}, nil
	case "Punctuation":
		return parsePunctuation(raw)
	case "Digits":
		return parseDigits(raw)
	case "CharDelimiterSplit":
		return parseDelimiter(raw)
	case "Split":
		return parseSplit(raw, left)
	case "Metaspace":
		return parseMetaspace(raw)
	case "ByteLevel":
		return parseByteLevel(raw, left)
	}
	return nil, fmt.Errorf("type %q is not supported", p.Type)
}

// bertSplitter splits at white space, and before and after punctuation.
type bertSplitter struct{}

func (bertSplitter) split(in, out []piece) ([]piece, []piece) {
	for _, p := range in {
		text, start := p.text, 0
		word := func(end int) {
			if start < end {
				out = append(out, piece{text[start:end], p.first && start == 0})
			}
		}
		for at := 0; at < len(text); {
			r, size := rune(text[at]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRuneInString(text[at:])
			}
			switch {
			case r == ' ' || r != '_' && unicode.IsSpace(r):
				word(at)
				start = at + size
			case isPunctuation(r):
				word(at)
				start = at
				word(at + size)
				start = at + size
			}
			at += size
		}
		word(len(text))
	}
	return out, in
}

// isPunctuation reports whether BERT treats a character as punctuation: Unicode's, and all ASCII characters that are
// not letters, digits, spaces or control characters.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	}
	return unicode.IsPunct(r)
}

// A behavior says what happens to a match at which a text is split.
type behavior string

const (
	removed            behavior = "Removed"
	isolated           behavior = "Isolated"
	mergedWithPrevious behavior = "MergedWithPrevious"
	mergedWithNext     behavior = "MergedWithNext"
	contiguous         behavior = "Contiguous" // successive matches are joined
)

func (b behavior) check() error {
	switch b {
	case removed, isolated, mergedWithPrevious, mergedWithNext, contiguous:
		return nil
	}
	return fmt.Errorf("unknown behavior %q", b)
}

// A cutter splits at the matches of a matcher.
type cutter struct {
	matcher
	behavior behavior
}

func (c cutter) split(in, out []piece) ([]piece, []piece) {
	for _, p := range in {
		first := p.first
		add := func(text string) {
			if text != "" {
				out = append(out, piece{text, first})
				first = false
			}
		}
		// p.text[start:at] is not added yet.
		start, at, open, previous := 0, 0, false, false
		c.each(p.text, func(part string, match bool) {
			next := at + len(part)
			switch c.behavior {
			case removed:
				if match {
					first = false
				} else {
					add(part)
				}
				start = next
			case isolated:
				add(part)
				start = next
			case contiguous:
				if open && match != previous {
					add(p.text[start:at])
					start = at
				}
			case mergedWithPrevious:
				// A match is joined to the part before it, unless that is a match too.
				if open && (previous || !match) {
					add(p.text[start:at])
					start = at
				}
			case mergedWithNext:
				if open && !(previous && !match) {
					add(p.text[start:at])
					start = at
				}
			}
			open, previous, at = true, match, next
		})
		add(p.text[start:])
	}
	return out, in
}

// inverse swaps the matches and the parts between them.
type inverse struct{ matcher }

func (m inverse) each(text string, f func(string, bool)) {
	m.matcher.each(text, func(part string, match bool) { f(part, !match) })
}

func parsePunctuation(raw json.RawMessage) (splitter, error) {
	s := struct {
		Behavior behavior `json:"behavior"`
	}{isolated}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return cutter{runes(isPunctuation), s.Behavior}, s.Behavior.check()
}

func parseDigits(raw json.RawMessage) (splitter, error) {
	var s struct {
		Individual bool `json:"individual_digits"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	c := cutter{runes(unicode.IsNumber), contiguous}
	if s.Individual {
		c.behavior = isolated
	}
	return c, nil
}

func parseDelimiter(raw json.RawMessage) (splitter, error) {
	var s struct {
		Delimiter string `json:"delimiter"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(s.Delimiter) != 1 {
		return nil, fmt.Errorf("type CharDelimiterSplit: the delimiter %q is not one character", s.Delimiter)
	}
	return cutter{literal(s.Delimiter), removed}, nil
}

func parseSplit(raw json.RawMessage, left *budget) (splitter, error) {
	var s struct {
		Pattern  json.RawMessage `json:"pattern"`
		Behavior behavior        `json:"behavior"`
		Invert   bool            `json:"invert"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	m, err := parseMatcher(s.Pattern, left)
	if err == nil {
		err = s.Behavior.check()
	}
	if err != nil {
		return nil, fmt.Errorf("type Split: %w", err)
	}
	if s.Invert {
		m = inverse{m}
	}
	return cutter{m, s.Behavior}, nil
}

// metaspace replaces spaces by a visible mark and puts one before the text, as SentencePiece does (Kudo and Richardson,
// 2018).
type metaspace struct {
	mark          string
	always, first bool // whether every piece, or the first one, gets a mark at its beginning
	cut           bool // split before each mark
}

func parseMetaspace(raw json.RawMessage) (splitter, error) {
	s := struct {
		Replacement    string `json:"replacement"`
		AddPrefixSpace *bool  `json:"add_prefix_space"`
		Scheme         string `json:"prepend_scheme"`
		Split          *bool  `json:"split"`
	}{Scheme: "always"}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(s.Replacement) != 1 {
		return nil, fmt.Errorf("type Metaspace: the replacement %q is not one character", s.Replacement)
	}
	if s.AddPrefixSpace != nil && !*s.AddPrefixSpace {
		s.Scheme = "never"
	}
	m := metaspace{mark: s.Replacement, cut: s.Split == nil || *s.Split}
	switch s.Scheme {
	case "always":
		m.always = true
	case "first":
		m.first = true
	case "never":
	default:
		return nil, fmt.Errorf("type Metaspace: unknown prepend_scheme %q", s.Scheme)
	}
	return m, nil
}

func (m metaspace) split(in, out []piece) ([]piece, []piece) {
	for _, p := range in {
		text := strings.ReplaceAll(p.text, " ", m.mark)
		if (m.always || m.first && p.first) && !strings.HasPrefix(text, m.mark) {
			text = m.mark + text
		}
		first := p.first
		for m.cut && text != "" {
			_, size := utf8.DecodeRuneInString(text)
			end := strings.Index(text[size:], m.mark)
			if end < 0 {
				break
			}
			out = append(out, piece{text[:size+end], first})
			text, first = text[size+end:], false
		}
		if text != "" {
			out = append(out, piece{text, first})
		}
	}
	return out, in
}

// byteLevelSplitter splits as GPT-2 does and replaces bytes by characters.
type byteLevelSplitter struct {
	prefix  bool // put a space before each piece
	matcher matcher
}

// gpt2 is the pattern by which GPT-2 splits texts.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

func parseByteLevel(raw json.RawMessage, left *budget) (splitter, error) {
	s := struct {
		Prefix   *bool `json:"add_prefix_space"`
		UseRegex bool  `json:"use_regex"`
	}{UseRegex: true}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if s.Prefix == nil {
		return nil, errors.New("type ByteLevel lacks add_prefix_space")
	}
	b := byteLevelSplitter{prefix: *s.Prefix}
	var err error
	if s.UseRegex {
		b.matcher, err = compile(gpt2, left)
	}
	return b, err
}

func (b byteLevelSplitter) split(in, out []piece) ([]piece, []piece) {
	for _, p := range in {
		text := p.text
		if b.prefix && !strings.HasPrefix(text, " ") {
			text = " " + text
		}
		if b.matcher == nil {
			out = append(out, piece{toByteLevel(text), p.first})
			continue
		}
		first := p.first
		b.matcher.each(text, func(part string, _ bool) {
			out = append(out, piece{toByteLevel(part), first})
			first = false
		})
	}
	return out, in
}
