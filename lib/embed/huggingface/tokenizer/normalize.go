package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizers is a sequence of normalizers.
type normalizers []normalizer

func (all normalizers) normalize(s string) string {
	most := grown(len(s))
	for _, n := range all {
		if s = n.normalize(s); len(s) > most {
			s = strings.ToValidUTF8(s[:most], "")
		}
	}
	return s
}

// parseNormalizer returns the normalizer of a section, nil if there is none. It takes its parts from the budget.
func parseNormalizer(raw json.RawMessage, left *budget, depth int) (normalizer, error) {
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
			Normalizers parts `json:"normalizers"`
		}
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		return parseSequence[normalizers](s.Normalizers, parseNormalizer, left, depth)
	case "BertNormalizer":
		return parseBertNormalizer(raw)
	case "NFC":
		return normalizeFunc(norm.NFC.String), nil
	case "NFD":
		return normalizeFunc(norm.NFD.String), nil
	case "NFKC":
		return normalizeFunc(norm.NFKC.String), nil
	case "NFKD":
		return normalizeFunc(norm.NFKD.String), nil
	case "Lowercase":
		return normalizeFunc(lower), nil
	case "StripAccents":
		return normalizeFunc(func(s string) string { return without(s, unicode.M) }), nil
	case "Nmt":
		return normalizeFunc(nmt), nil
	case "ByteLevel":
		return normalizeFunc(toByteLevel), nil
	case "Strip":
		return parseStrip(raw)
	case "Prepend":
		return parsePrepend(raw)
	case "Replace":
		return parseReplace(raw, left)
	case "Precompiled":
		return parsePrecompiled(raw)
	}
	return nil, fmt.Errorf("type %q is not supported", p.Type)
}

// bertNormalizer normalizes as BERT does (Devlin et al., 2018).
type bertNormalizer struct{ clean, spaceIdeographs, stripAccents, lower bool }

func parseBertNormalizer(raw json.RawMessage) (normalizer, error) {
	var s struct {
		Clean     *bool `json:"clean_text"`
		Ideograph *bool `json:"handle_chinese_chars"`
		Accents   *bool `json:"strip_accents"`
		Lower     *bool `json:"lowercase"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if s.Clean == nil || s.Ideograph == nil || s.Lower == nil {
		return nil, errors.New("type BertNormalizer lacks clean_text, handle_chinese_chars or lowercase")
	}
	n := bertNormalizer{clean: *s.Clean, spaceIdeographs: *s.Ideograph, stripAccents: *s.Lower, lower: *s.Lower}
	if s.Accents != nil {
		n.stripAccents = *s.Accents
	}
	return n, nil
}

func (n bertNormalizer) normalize(s string) string {
	b := make([]byte, 0, len(s)+len(s)/8)
	ascii := true
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case n.lower && 'A' <= c && c <= 'Z':
				b = append(b, c+'a'-'A')
			case !n.clean || ' ' <= c && c < 0x7f:
				b = append(b, c)
			case c == '\t' || c == '\n' || c == '\r':
				b = append(b, ' ')
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case n.clean && (r == utf8.RuneError || unicode.Is(unicode.C, r)):
			continue
		case n.clean && unicode.IsSpace(r):
			b = append(b, ' ')
			continue
		case n.spaceIdeographs && isIdeograph(r):
			b = append(b, ' ')
			b = utf8.AppendRune(b, r)
			b = append(b, ' ')
		default:
			b = utf8.AppendRune(b, r)
		}
		ascii = false
	}
	out := string(b)
	if ascii {
		return out
	}
	if n.stripAccents {
		out = without(norm.NFD.String(out), unicode.Mn)
	}
	if n.lower {
		out = lower(out)
	}
	return out
}

// isIdeograph reports whether BERT treats a character as a word.
func isIdeograph(r rune) bool {
	return 0x4e00 <= r && r <= 0x9fff || 0x3400 <= r && r <= 0x4dbf || 0x20000 <= r && r <= 0x2a6df ||
		0x2a700 <= r && r <= 0x2b73f || 0x2b740 <= r && r <= 0x2b81f || 0x2b920 <= r && r <= 0x2ceaf ||
		0xf900 <= r && r <= 0xfaff || 0x2f800 <= r && r <= 0x2fa1f
}

// lower returns s in lower case by the full mapping of Unicode, in which only U+0130 becomes two characters.
func lower(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "\u0130", "i\u0307"))
}

// without removes the characters of a class.
func without(s string, class *unicode.RangeTable) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x300 && unicode.Is(class, r) {
			return -1
		}
		return r
	}, s)
}

// nmt cleans a text as SentencePiece does for machine translation.
func nmt(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\f' || r == '\r' || r == 0x1680 || 0x200b <= r && r <= 0x200f ||
			r == 0x2028 || r == 0x2029 || r == 0x2581 || r == 0xfeff || r == 0xfffd:
			return ' '
		case 0 < r && r < ' ' || r == 0x7f || r == 0x8f || r == 0x9f:
			return -1
		}
		return r
	}, s)
}

func parseStrip(raw json.RawMessage) (normalizer, error) {
	var s struct {
		Left  bool `json:"strip_left"`
		Right bool `json:"strip_right"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return normalizeFunc(func(text string) string {
		if s.Left {
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
		}
		if s.Right {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		return text
	}), nil
}

func parsePrepend(raw json.RawMessage) (normalizer, error) {
	var s struct {
		Prepend string `json:"prepend"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if len(s.Prepend) > maxReplacement {
		return nil, fmt.Errorf("type Prepend: a text of %d bytes, expected at most %d", len(s.Prepend), maxReplacement)
	}
	return normalizeFunc(func(text string) string {
		if text == "" {
			return ""
		}
		return s.Prepend + text
	}), nil
}

func parseReplace(raw json.RawMessage, left *budget) (normalizer, error) {
	var s struct {
		Pattern json.RawMessage `json:"pattern"`
		Content string          `json:"content"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if len(s.Content) > maxReplacement {
		return nil, fmt.Errorf("type Replace: content of %d bytes, expected at most %d", len(s.Content), maxReplacement)
	}
	m, err := parseMatcher(s.Pattern, left)
	if err != nil {
		return nil, fmt.Errorf("type Replace: %w", err)
	}
	return replace{m, s.Content}, nil
}

type replace struct {
	matcher matcher
	content string
}

func (n replace) normalize(s string) string {
	if literal, ok := n.matcher.(literal); ok {
		return strings.ReplaceAll(s, string(literal), n.content)
	}
	var b strings.Builder
	n.matcher.each(s, func(part string, match bool) {
		if match {
			part = n.content
		}
		b.WriteString(part)
	})
	return b.String()
}
