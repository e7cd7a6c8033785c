package tokenizer

import (
	"fmt"
	"unicode/utf8"
)

// byteTokens returns the tokens <0x00> to <0xFF>, -1 for each one that is missing.
func byteTokens(ids map[string]int32) *[256]int32 {
	var out [256]int32
	for b := range out {
		out[b] = -1
		if id, ok := ids[fmt.Sprintf("<0x%02X>", b)]; ok {
			out[b] = id
		}
	}
	return &out
}

// appendBytes appends the tokens of all bytes of s; it reports false and appends nothing if one is missing.
func appendBytes(ids []int32, table *[256]int32, s string) ([]int32, bool) {
	if table == nil {
		return ids, false
	}
	start := len(ids)
	for i := range len(s) {
		if table[s[i]] < 0 {
			return ids[:start], false
		}
		ids = append(ids, table[s[i]])
	}
	return ids, true
}

// toByteLevel replaces every byte by a printable character, as GPT-2 does (Radford et al., 2019): by its Latin-1
// character if that is printable, otherwise by one from U+0100 on.
func toByteLevel(s string) string {
	out := make([]byte, 0, len(s)+len(s)/4)
	for i := range len(s) {
		c := s[i]
		switch {
		case '!' <= c && c <= '~':
			out = append(out, c)
		case c <= ' ':
			out = utf8.AppendRune(out, 0x100+rune(c))
		case c <= 0xa0: // 0x7f to 0xa0 follow the 33 before them
			out = utf8.AppendRune(out, 0x121+rune(c)-0x7f)
		case c == 0xad:
			out = utf8.AppendRune(out, 0x143)
		default:
			out = utf8.AppendRune(out, rune(c))
		}
	}
	return string(out)
}
