package source

import (
	"bytes"
	"strings"

	"cortex/lib/glob"
)

// A verdict is the decision of an ignore file about a path.
type verdict int8

const (
	undecided verdict = iota
	ignored
	wanted // a pattern that begins with "!" matches
)

// These bounds keep the walk fast despite a hostile ignore file. Only maxIgnoreFile bytes of a file are read. A pattern
// of more than maxPattern bytes is ignored. All ignore files that apply to a folder together may have maxGlobs bytes of
// patterns with wildcards; further ones are ignored. Matching a path of 100 bytes against that many takes some 50 µs, a
// path of 4,000 bytes 2 ms (see glob.Set).
const (
	maxIgnoreFile = 1 << 20
	maxPattern    = 1 << 10
	maxGlobs      = 32 << 10
	// leastGlobs is added to the size of the first pattern with wildcards in a file, since a match has a fixed cost.
	leastGlobs = 64
)

// A rule is one pattern of an ignore file, without its text.
type rule struct {
	negate  bool
	dirOnly bool
}

func (r *rule) verdict() verdict {
	if r.negate {
		return wanted
	}
	return ignored
}

// rules are the patterns of one ignore file, as gitignore(5) defines them. The last pattern that matches a path
// decides.
type rules struct {
	all []rule
	// These maps hold the index of the last rule for a literal name or path, for the name or path of a folder, and for
	// "*.ending". Other patterns are in wildNames and wildPaths.
	names, paths, dirNames, dirPaths, endings map[string]int
	wildNames, wildPaths                      wildRules
	// remaining is the unused part of maxGlobs, in bytes. full is set once a pattern exceeds it; all later patterns are
	// ignored. cut is set if any pattern was ignored.
	remaining int
	full, cut bool
}

// wildRules are the rules with wildcards, in their order.
type wildRules struct {
	patterns []string
	rules    []int
	set      *glob.Set
}

func (w *wildRules) add(pattern string, rule int) {
	w.patterns, w.rules = append(w.patterns, pattern), append(w.rules, rule)
}

// last returns the index of the last rule that matches text, but at least after.
func (w *wildRules) last(all []rule, after int, text string, dir bool) int {
	if i := w.set.Last(text, func(i int) bool { return dir || !all[w.rules[i]].dirOnly }); i >= 0 {
		return max(after, w.rules[i])
	}
	return after
}

// parseRules parses an ignore file. remaining is the number of bytes that its patterns with wildcards may have. It
// returns nil if there is no pattern.
func parseRules(data []byte, remaining int) *rules {
	rs := &rules{remaining: remaining}
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
	for _, w := range []*wildRules{&rs.wildNames, &rs.wildPaths} {
		w.set, w.patterns = glob.IgnoreSet(w.patterns), nil
	}
	return rs
}

// trimSpaces removes trailing spaces, except one that follows a backslash.
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
	byPath := strings.Contains(pattern, "/")
	literal := !strings.ContainsAny(pattern, `*?[\`)
	ending := !byPath && !r.dirOnly && isEnding(pattern)
	size := 0
	if !literal && !ending {
		if size = len(pattern); len(rs.wildNames.rules)+len(rs.wildPaths.rules) == 0 {
			size += leastGlobs
		}
	}
	if len(pattern) > maxPattern {
		rs.cut = true
		return
	}
	if rs.full = rs.full || size > rs.remaining; rs.full {
		rs.cut = true
		return
	}
	rs.remaining -= size
	index := len(rs.all)
	rs.all = append(rs.all, r)
	switch {
	case literal:
		put(rs.literals(byPath, r.dirOnly), strings.TrimPrefix(pattern, "/"), index)
	case ending:
		put(&rs.endings, pattern[1:], index)
	case byPath:
		rs.wildPaths.add(pattern, index)
	default:
		rs.wildNames.add(pattern, index)
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

func put(m *map[string]int, key string, index int) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key] = index
}

// isEnding reports whether the pattern is "*.x", where x has no dot and no wildcard.
func isEnding(pattern string) bool {
	rest, ok := strings.CutPrefix(pattern, "*.")
	return ok && !strings.ContainsAny(rest, `*?[\.`)
}

// match returns the verdict about a path relative to the folder of the rules.
func (rs *rules) match(path string, dir bool) verdict {
	name := path[strings.LastIndexByte(path, '/')+1:]
	last := max(find(rs.names, name), find(rs.paths, path))
	if dir {
		last = max(last, find(rs.dirNames, name), find(rs.dirPaths, path))
	}
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		last = max(last, find(rs.endings, name[dot:]))
	}
	last = rs.wildNames.last(rs.all, last, name, dir)
	last = rs.wildPaths.last(rs.all, last, path, dir)
	if last < 0 {
		return undecided
	}
	return rs.all[last].verdict()
}

// find returns the map's value for key, or -1.
func find(m map[string]int, key string) int {
	if i, ok := m[key]; ok {
		return i
	}
	return -1
}
