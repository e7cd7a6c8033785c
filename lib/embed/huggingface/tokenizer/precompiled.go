package tokenizer

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// precompiled is the character map of a SentencePiece model: a double-array trie (Aoe, 1989; in the format of
// Darts-clone) from texts to offsets in replacements, each of which ends with a zero byte.
type precompiled struct {
	units        []uint32
	replacements []byte
}

func parsePrecompiled(raw json.RawMessage) (normalizer, error) {
	var s struct {
		Map string `json:"precompiled_charsmap"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(s.Map)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, nil
	}
	if len(data) < 4 {
		return nil, errors.New("type Precompiled: the map is cut short")
	}
	size := binary.LittleEndian.Uint32(data)
	data = data[4:]
	if size%4 != 0 || uint64(size) > uint64(len(data)) || size == 0 {
		return nil, errors.New("type Precompiled: the map is cut short")
	}
	p := &precompiled{replacements: data[size:]}
	for with := range bytes.SplitSeq(p.replacements, []byte{0}) {
		if len(with) > maxReplacement {
			return nil, fmt.Errorf("type Precompiled: a replacement of %d bytes, expected at most %d", len(with), maxReplacement)
		}
	}
	for i := uint32(0); i < size; i += 4 {
		p.units = append(p.units, binary.LittleEndian.Uint32(data[i:]))
	}
	return p, nil
}

// normalize replaces grapheme clusters of fewer than six bytes or, if the map lacks them, single characters, as the
// tokenizers library does.
func (p *precompiled) normalize(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		end := cluster(s)
		if end < 6 {
			if with, ok := p.find(s[:end]); ok {
				b.Write(with)
				s = s[end:]
				continue
			}
		}
		for end > 0 {
			_, size := utf8.DecodeRuneInString(s)
			if with, ok := p.find(s[:size]); ok {
				b.Write(with)
			} else {
				b.WriteString(s[:size])
			}
			s, end = s[size:], end-size
		}
	}
	return b.String()
}

// cluster returns the length of the first grapheme cluster (UAX 29) of s. It is exact only as far as clusters of fewer
// than six bytes need it: a character with its marks, or CR LF.
func cluster(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	r, end := utf8.DecodeRuneInString(s)
	if unicode.IsControl(r) {
		return end
	}
	for end < len(s) && s[end] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.Is(unicode.M, r) && !unicode.Is(unicode.Join_Control, r) {
			break
		}
		end += size
	}
	return end
}

// find returns the replacement of the shortest text in the map that s begins with.
func (p *precompiled) find(s string) ([]byte, bool) {
	at := offset(p.units[0])
	for i := range len(s) {
		if s[i] == 0 {
			return nil, false
		}
		at ^= uint32(s[i])
		if at >= uint32(len(p.units)) {
			return nil, false
		}
		unit := p.units[at]
		if unit&(1<<31|0xff) != uint32(s[i]) {
			return nil, false
		}
		at ^= offset(unit)
		if unit>>8&1 == 0 {
			continue
		}
		if at >= uint32(len(p.units)) {
			return nil, false
		}
		place := p.units[at] & (1<<31 - 1)
		if place >= uint32(len(p.replacements)) {
			return nil, false
		}
		with := p.replacements[place:]
		if end := bytes.IndexByte(with, 0); end >= 0 {
			with = with[:end]
		}
		return with, true
	}
	return nil, false
}

func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
