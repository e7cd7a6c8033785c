package names

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Rank says how well a wanted name matches a qualified name.
type Rank int

// The ranks, best first. Ranks is their number.
const (
	NoMatch Rank = iota - 1
	// Whole: the wanted name is the qualified name.
	Whole
	// InNamespace: it is the qualified name without namespaces.
	InNamespace
	// Around: it is one of these after the name of the package, folder or file.
	Around
	// End: it is the end of the qualified name.
	End
	Ranks
)

// Match returns the rank with which the parts of a wanted name match those of a qualified name, which are local without
// namespaces. pkg and file are the package and the path of the file; their parts are in lower case if fold is set.
func Match(wanted, qualified, local []string, pkg, file string, fold bool) Rank {
	file = strings.TrimSuffix(file, path.Ext(file))
	isAround := func(name []string) bool {
		if len(wanted) <= len(name) || !slices.Equal(wanted[len(wanted)-len(name):], name) {
			return false
		}
		before := wanted[:len(wanted)-len(name)]
		return endsWith(Parts(pkg, fold), before) || endsWith(Parts(file, fold), before) || endsWith(Parts(path.Dir(file), fold), before)
	}
	switch {
	case slices.Equal(qualified, wanted):
		return Whole
	case slices.Equal(local, wanted):
		return InNamespace
	case isAround(qualified) || isAround(local):
		return Around
	case len(qualified) > len(wanted) && endsWith(qualified, wanted):
		return End
	}
	return NoMatch
}

func endsWith(all, last []string) bool {
	return len(all) >= len(last) && slices.Equal(all[len(all)-len(last):], last)
}

// Place splits a place, path:line or path:start-end, and returns the first line. ok is false if the text is no place.
func Place(text string) (path string, line uint32, ok bool) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 1 {
		return "", 0, false
	}
	first, last, isRange := strings.Cut(text[colon+1:], "-")
	start, err := strconv.ParseUint(first, 10, 31)
	if err != nil || start == 0 {
		return "", 0, false
	}
	if end, err := strconv.ParseUint(last, 10, 31); isRange && (err != nil || end < start) {
		return "", 0, false
	}
	return text[:colon], uint32(start), true
}
