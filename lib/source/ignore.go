package source

import (
	"bytes"
	"strings"
)

// A verdict is what a list of patterns says about a path.
type verdict int8

const (
	undecided verdict = iota
	ignored
	wanted // by a pattern that begins with "!"
)

// A hostile ignore file must not make the walk slow: maxIgnoreFile bytes of it are read, a pattern of more than
// maxPattern is passed over, and maxGlobs bytes of patterns with wildcards count.
const (
	maxIgnoreFile = 1 << 20
	maxPattern    = 1 << 10
	maxGlobs      = 64 << 10
)

// A rule is one pattern of an ignore file.
type rule struct {
	negate  bool
	dirOnly bool
	// glob is the pattern's path, segment by segment, if it is bound to the folder of its
	// file; else it is one segment that is matched with the name alone.
	glob   []string
	byPath bool
	// prefix stands before glob, within a name: see cutPrefix.
	prefix string
}

func (r *rule) verdict() verdict {
	if r.negate {
		return wanted
	}
	return ignored
}

// rules are the patterns of one ignore file, with the meaning that gitignore(5) gives them.
// The last one that matches decides.
type rules struct {
	all []rule
	// These hold the last rule for a literal name or path, for that of a folder alone,
	// and for "*.ending"; the others are in rest, in order.
	names, paths, dirNames, dirPaths, endings map[string]int
	rest                                      []int
	// globs is the length of the patterns in rest; cut is set if some were passed over.
	globs int
	cut   bool
}

// parseRules reads the content of an ignore file. It returns nil if that has no pattern.
func parseRules(data []byte) *rules {
	rs := &rules{}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) > 0 && line[0] != '#' {
			rs.add(trimSpaces(string(line)))
		}
	}
	if len(rs.all) == 0 && !rs.cut {
		return nil
	}
	return rs
}

// trimSpaces removes spaces at the end, except one that a backslash protects.
func trimSpaces(line string) string {
	line, _, _ = strings.Cut(line, "\x00")
	end := 0
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
		} else if line[i] == ' ' {
			continue
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

func (rs *rules) add(pattern string) {
	var r rule
	pattern, r.negate = strings.CutPrefix(pattern, "!")
	pattern, r.dirOnly = strings.CutSuffix(pattern, "/")
	if pattern == "" {
		return
	}
	if len(pattern) > maxPattern || rs.globs > maxGlobs {
		rs.cut = true
		return
	}
	r.byPath = strings.Contains(pattern, "/")
	literal := !strings.ContainsAny(pattern, `*?[\`)
	r.glob = []string{pattern}
	if r.byPath && !literal {
		r.prefix, pattern = cutPrefix(strings.TrimPrefix(pattern, "/"))
		r.glob = splitGlob(pattern)
	}
	index := len(rs.all)
	rs.all = append(rs.all, r)
	switch {
	case literal:
		put(rs.literals(r.byPath, r.dirOnly), strings.TrimPrefix(pattern, "/"), index)
	case !r.byPath && !r.dirOnly && isEnding(pattern):
		put(&rs.endings, pattern[1:], index)
	default:
		rs.rest = append(rs.rest, index)
		rs.globs += len(pattern)
	}
}

func (rs *rules) literals(byPath, dirOnly bool) *map[string]int {
	switch {
	case byPath && dirOnly:
		return &rs.dirPaths
	case byPath:
		return &rs.paths
	case dirOnly:
		return &rs.dirNames
	}
	return &rs.names
}

// cutPrefix cuts "foo" from "foo**/bar" and "foo**". Git compares what stands before the first wildcard on its own,
// so that "**" then crosses folders, as it would at the start of a pattern; after another wildcard it does
// not.
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

func put(m *map[string]int, key string, index int) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key] = index
}

// isEnding reports whether the pattern is "*.x" with neither a dot nor a wildcard in x.
func isEnding(pattern string) bool {
	rest, ok := strings.CutPrefix(pattern, "*.")
	return ok && !strings.ContainsAny(rest, `*?[\.`)
}

// match says what the rules decide about a path relative to their folder.
func (rs *rules) match(path string, dir bool) verdict {
	name := path[strings.LastIndexByte(path, '/')+1:]
	last := max(find(rs.names, name), find(rs.paths, path))
	if dir {
		last = max(last, find(rs.dirNames, name), find(rs.dirPaths, path))
	}
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		last = max(last, find(rs.endings, name[dot:]))
	}
	for i := len(rs.rest) - 1; i >= 0 && rs.rest[i] > last; i-- {
		if rs.all[rs.rest[i]].matches(path, name, dir) {
			last = rs.rest[i]
		}
	}
	if last < 0 {
		return undecided
	}
	return rs.all[last].verdict()
}

// find returns the index that the map holds for the key, or -1.
func find(m map[string]int, key string) int {
	if i, ok := m[key]; ok {
		return i
	}
	return -1
}

func (r *rule) matches(path, name string, dir bool) bool {
	switch {
	case r.dirOnly && !dir:
		return false
	case r.byPath:
		rest, ok := strings.CutPrefix(path, r.prefix)
		return ok && matchPath(r.glob, rest)
	}
	return matchName(r.glob[0], name)
}

// splitGlob cuts a pattern at its slashes, also escaped ones, but not at those inside brackets. A run of
// segments "**" becomes one.
func splitGlob(pattern string) []string {
	var segments []string
	var segment strings.Builder
	flush := func() {
		s := segment.String()
		segment.Reset()
		if isDoubleStar(s) {
			s = "**"
			if len(segments) > 0 && segments[len(segments)-1] == s {
				return
			}
		}
		segments = append(segments, s)
	}
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			i++
			if pattern[i] == '/' {
				flush()
				continue
			}
			segment.WriteByte(c)
			segment.WriteByte(pattern[i])
		case c == '[':
			_, end := matchBracket(pattern, i, 0)
			if end < 0 {
				end = len(pattern)
			}
			segment.WriteString(pattern[i:end])
			i = end - 1
		case c == '/':
			flush()
		default:
			segment.WriteByte(c)
		}
	}
	flush()
	return segments
}

func isDoubleStar(segment string) bool {
	return len(segment) >= 2 && strings.Trim(segment, "*") == ""
}

// matchPath matches the segments of a pattern with those of a path. "**" stands for any
// number of segments, at the end for one at least. Going back to the last "**" is
// enough: what an earlier one could take, the last can take too; so the time is at most the
// product of both lengths.
func matchPath(glob []string, path string) bool {
	g, rest, left := 0, path, true
	star, starRest := -1, ""
	for left {
		if g < len(glob) && glob[g] == "**" {
			if g == len(glob)-1 {
				return true
			}
			star, starRest = g, rest
			g++
			continue
		}
		segment, next, more := strings.Cut(rest, "/")
		if g < len(glob) && matchName(glob[g], segment) {
			g++
			rest, left = next, more
			continue
		}
		if star < 0 {
			return false
		}
		_, starRest, left = strings.Cut(starRest, "/")
		g, rest = star+1, starRest
	}
	return g == len(glob)
}

// matchName matches one segment of a pattern with one of a path, byte by byte as git does. It goes
// back to the last star alone, as matchPath does.
func matchName(glob, name string) bool {
	g, n := 0, 0
	star, starName := -1, 0
	for n < len(name) {
		if g < len(glob) {
			step := 0
			switch c := glob[g]; c {
			case '*':
				star, starName = g, n
				g++
				continue
			case '?':
				step = 1
			case '[':
				ok, end := matchBracket(glob, g, name[n])
				if end < 0 {
					return false
				}
				if ok {
					step = end - g
				}
			case '\\':
				if g+1 == len(glob) {
					return false
				}
				if glob[g+1] == name[n] {
					step = 2
				}
			default:
				if c == name[n] {
					step = 1
				}
			}
			if step > 0 {
				g += step
				n++
				continue
			}
		}
		if star < 0 {
			return false
		}
		starName++
		g, n = star+1, starName
	}
	return strings.Trim(glob[g:], "*") == ""
}

// matchBracket matches the bracket expression that begins at glob[i] with one byte. It
// returns where the expression ends, or -1 if it does not: nothing matches it then.
func matchBracket(glob string, i int, c byte) (ok bool, end int) {
	at := func(i int) byte {
		if i < len(glob) {
			return glob[i]
		}
		return 0
	}
	i++
	negate := at(i) == '!' || at(i) == '^'
	if negate {
		i++
	}
	matched := false
	var previous byte
	for first := true; first || at(i) != ']'; first = false {
		p := at(i)
		if p == 0 {
			return false, -1
		}
		switch {
		case p == '\\':
			i++
			if p = at(i); p == 0 {
				return false, -1
			}
			matched = matched || c == p
		case p == '-' && previous != 0 && at(i+1) != 0 && at(i+1) != ']':
			i++
			if p = at(i); p == '\\' {
				i++
				if p = at(i); p == 0 {
					return false, -1
				}
			}
			matched = matched || previous <= c && c <= p
			p = 0
		case p == '[' && at(i+1) == ':':
			length := strings.IndexByte(glob[i+2:], ']')
			if length < 0 {
				return false, -1
			}
			if length == 0 || glob[i+1+length] != ':' {
				matched = matched || c == '['
				break
			}
			in, known := inClass(glob[i+2:i+1+length], c)
			if !known {
				return false, -1
			}
			matched = matched || in
			i += 2 + length
			p = 0
		default:
			matched = matched || c == p
		}
		previous = p
		i++
	}
	return matched != negate, i + 1
}

// inClass reports whether c belongs to a class such as "alpha", as git has them: of ASCII alone.
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
