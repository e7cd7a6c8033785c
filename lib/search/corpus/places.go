package corpus

import (
	"path"
	"strings"

	"cortex/lib/search/index"
)

// Places finds files by the ends of their paths.
type Places struct {
	gen *index.Generation
	// named are the files by their name without its ending.
	named map[string][]uint32
}

// NewPlaces makes a table of all files.
func NewPlaces(gen *index.Generation) *Places {
	t := &Places{gen, map[string][]uint32{}}
	gen.EachFile(func(file uint32, path string, _ int) {
		name := stemOf(path)
		t.named[name] = append(t.named[name], file)
	})
	return t
}

func stemOf(p string) string {
	base := path.Base(p)
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return strings.ToLower(base)
}

// In gives the files whose paths or modules the text has, with how surely it is them: the
// share of files of the name that it leaves.
func (t *Places) In(text string) map[uint32]float32 {
	found := map[uint32]float32{}
	looked := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("\"'`()[]{}<>,;=|", r)
	}) {
		// A line and a column may follow: core.c:12:3.
		word = strings.ToLower(strings.Trim(strings.TrimRight(word, ":0123456789"), "./"))
		if len(looked) == maxPlaces || looked[word] || len(word) < 3 {
			continue
		}
		looked[word] = true
		for _, way := range waysTo(word) {
			if t.add(found, way) {
				break
			}
		}
	}
	return found
}

// waysTo are the paths, without an ending, that a word may stand for, the longest first.
func waysTo(word string) [][]string {
	var ways [][]string
	if strings.Contains(word, "/") || isFileName(word) {
		parts := strings.Split(path.Clean(word), "/")
		parts[len(parts)-1] = stemOf(word)
		ways = append(ways, parts)
	} else if parts := strings.SplitN(word, ".", maxParts+1); len(parts) > 1 {
		// A module, or a name within one.
		for n := min(len(parts), maxParts); n > 1; n-- {
			ways = append(ways, parts[:n])
		}
	}
	return ways
}

// isFileName reports names with an ending, such as core.c.
func isFileName(word string) bool {
	i := strings.LastIndexByte(word, '.')
	return i > 0 && len(word)-i <= 5 && strings.Count(word, ".") == 1
}

// add adds the files that end with most of the way.
func (t *Places) add(found map[uint32]float32, way []string) bool {
	candidates := t.named[way[len(way)-1]]
	most := 0
	var best []uint32
	for _, file := range candidates {
		dirs := strings.Split(strings.ToLower(path.Dir(t.gen.Path(file))), "/")
		n := 1
		for n < len(way) && n <= len(dirs) && way[len(way)-1-n] == dirs[len(dirs)-n] {
			n++
		}
		switch {
		case n > most:
			most, best = n, []uint32{file}
		case n == most:
			best = append(best, file)
		}
	}
	if len(best) == 0 || len(way) > 1 && most < 2 {
		return false
	}
	for _, file := range best {
		found[file] = max(found[file], 1/float32(len(best)))
	}
	return true
}

// maxParts is more than the parts of any dotted name. A report may have a dotted word that is as long as the report.
const maxParts = 16

// maxPlaces bounds the paths and modules that are looked up.
const maxPlaces = 200
