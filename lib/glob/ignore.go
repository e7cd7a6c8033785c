package glob

import "strings"

// IgnoreSet returns a Set of gitignore(5) patterns, without "!" and a slash at the end, whose meaning is left to the
// caller. A pattern without a slash matches names only; others match paths relative to the folder of their file. Bytes
// are compared, as git does. An invalid pattern matches nothing.
func IgnoreSet(patterns []string) *Set {
	var b builder
	for i, pattern := range patterns {
		b.begin(i)
		if !strings.Contains(pattern, "/") {
			b.ignoreName(pattern)
		} else {
			prefix, rest := cutPrefix(strings.TrimPrefix(pattern, "/"))
			b.literal(prefix)
			b.ignorePath(splitIgnore(rest))
		}
		b.end()
	}
	return b.set()
}

// cutPrefix cuts "foo" from "foo**/bar" and "foo**". Git compares the text before the first wildcard separately, so the
// following "**" crosses folders, as at the start of a pattern. After another wildcard it does not.
func cutPrefix(pattern string) (prefix, glob string) {
	i := strings.IndexAny(pattern, `*?[\`)
	if i <= 0 || pattern[i-1] == '/' {
		return "", pattern
	}
	stars := len(pattern[i:]) - len(strings.TrimLeft(pattern[i:], "*"))
	after := pattern[i+stars:]
	if stars < 2 || after != "" && after[0] != '/' && !strings.HasPrefix(after, `\/`) {
		return "", pattern
	}
	return pattern[:i], pattern[i:]
}

// splitIgnore splits a pattern at its slashes, even escaped ones, but not at slashes inside brackets.
func splitIgnore(pattern string) []string {
	var segments []string
	var segment strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			i++
			if pattern[i] == '/' {
				segments = append(segments, segment.String())
				segment.Reset()
				continue
			}
			segment.WriteByte(c)
			segment.WriteByte(pattern[i])
		case c == '[':
			_, end := bracket(pattern, i)
			if end < 0 {
				end = len(pattern)
			}
			segment.WriteString(pattern[i:end])
			i = end - 1
		case c == '/':
			segments = append(segments, segment.String())
			segment.Reset()
		default:
			segment.WriteByte(c)
		}
	}
	return append(segments, segment.String())
}

// ignorePath adds the components of a pattern. "**" matches any number of components; at the end it matches at least
// one.
func (b *builder) ignorePath(segments []string) {
	for i, segment := range segments {
		last := i == len(segments)-1
		switch {
		case !isDoubleStar(segment):
			b.ignoreName(segment)
			if !last {
				b.literal("/")
			}
		case last:
			// A path never ends with a slash, so at least one byte follows.
			b.here().all = true
		default:
			b.here().waits = true
		}
	}
}

func isDoubleStar(segment string) bool {
	return len(segment) >= 2 && strings.Trim(segment, "*") == ""
}

// ignoreName adds one component of a pattern.
func (b *builder) ignoreName(pattern string) {
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*':
			b.here().star = true
		case '?':
			b.pass(bytesWhere(func(c byte) bool { return c != '/' }))
		case '[':
			in, end := bracket(pattern, i)
			if end < 0 {
				b.pass(byteSet{})
				return
			}
			b.pass(in)
			i = end - 1
		case '\\':
			if i++; i == len(pattern) {
				b.pass(byteSet{})
				return
			}
			b.literal(pattern[i : i+1])
		default:
			b.literal(pattern[i : i+1])
		}
	}
}

// bracket parses the bracket expression that begins at glob[i]. It returns the matching bytes and the end of the
// expression; the end is -1 if the expression is invalid and matches nothing.
func bracket(glob string, i int) (in byteSet, end int) {
	at := func(i int) byte {
		if i < len(glob) {
			return glob[i]
		}
		return 0
	}
	i++
	not := at(i) == '!' || at(i) == '^'
	if not {
		i++
	}
	var set byteSet
	var previous byte
	for first := true; first || at(i) != ']'; first = false {
		p := at(i)
		if p == 0 {
			return set, -1
		}
		switch {
		case p == '\\':
			i++
			if p = at(i); p == 0 {
				return set, -1
			}
			set.add(p)
		case p == '-' && previous != 0 && at(i+1) != 0 && at(i+1) != ']':
			i++
			if p = at(i); p == '\\' {
				i++
				if p = at(i); p == 0 {
					return set, -1
				}
			}
			for c := int(previous); c <= int(p); c++ {
				set.add(byte(c))
			}
			p = 0
		case p == '[' && at(i+1) == ':':
			length := strings.IndexByte(glob[i+2:], ']')
			if length < 0 {
				return set, -1
			}
			if length == 0 || glob[i+1+length] != ':' {
				set.add('[')
				break
			}
			for c := range 256 {
				in, known := inClass(glob[i+2:i+1+length], byte(c))
				if !known {
					return set, -1
				}
				if in {
					set.add(byte(c))
				}
			}
			i += 2 + length
			p = 0
		default:
			set.add(p)
		}
		previous = p
		i++
	}
	return bytesWhere(func(c byte) bool { return c != '/' && set.has(c) != not }), i + 1
}

// inClass reports whether c belongs to a class such as "alpha". As in git, classes have ASCII characters only.
func inClass(class string, c byte) (in, known bool) {
	lower := 'a' <= c && c <= 'z'
	upper := 'A' <= c && c <= 'Z'
	digit := '0' <= c && c <= '9'
	graph := '!' <= c && c <= '~'
	switch class {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || c == ' ', true
	case "punct":
		return graph && !lower && !upper && !digit, true
	case "space":
		return c == ' ' || c == '\t' || c == '\n' || c == '\r', true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F', true
	}
	return false, false
}
