package corpus

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/search/index"
)

// Places finds files by the ends of their paths.
type Places struct {
	gen *index.Generation
	// named has the files by their lower-case name without its extension.
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

// A Pointer lists the files and lines that a text refers to, such as core.c:12 or a frame of a stack trace.
type Pointer struct {
	// Files are the files whose paths or modules occur in the text, each with a confidence: 1/n if n files fit the
	// path.
	Files map[uint32]float32
	// Lines are the lines that the text names. For a stack trace, the call that failed comes first.
	Lines []PointedLine
}

// A PointedLine is a line of a file that a text names, counted from 1.
type PointedLine struct {
	File uint32
	Line int
	// Function is the function that the text says the line is in, else "".
	Function string
}

// afterPath matches what may follow a path within the same word.
var afterPath = regexp.MustCompile(`(?::line|#L\d+(?:-L?\d+)?|(?::\d+)*(?::in|:*))[.!?]*$`)

// beforeLine matches what stands between a path and a line number: core.c:12, core.c#L12, Core.cs:line 12,
// core.cpp(12,3), "core.py", line 12, core.php on line 12.
const beforeLine = `(?::line |:|#L|\(|["'` + "`" + `]?,?(?: on)? line )`

// lineBehind matches a line number behind a path, and the function that the line is in, as traces of Python and pytest
// name it ("line 12, in name", core.py:12: in name) and traces of Ruby (core.rb:12:in `name').
var lineBehind = regexp.MustCompile(`^` + beforeLine + `(\d{1,7})\b(?:[,:] in ([\pL_][\pL\d_]*)|:in ["'` + "`" + `](?:[^'` + "`" + `\n]*[ #.])?([\pL_][\pL\d_]*[?!=]?)')?`)

// Pointed returns the files and lines that the text refers to.
func (t *Places) Pointed(text string) Pointer {
	p := Pointer{Files: map[uint32]float32{}}
	looked := map[string][]uint32{}
	start, failedLast := 0, false // traces of Python have the call that failed last
	for word := range strings.FieldsFuncSeq(text, isBetweenWords) {
		start += strings.Index(text[start:], word)
		rest := text[start:]
		start += len(word)
		written := word[:afterPath.FindStringIndex(word)[0]]
		name := strings.ToLower(strings.Trim(written, "./"))
		if len(name) < 3 {
			continue
		}
		files, known := looked[name]
		if !known {
			if len(looked) == maxPlaces {
				continue
			}
			for _, way := range waysTo(name) {
				if files = t.find(way, path.Base(name)); len(files) > 0 {
					break
				}
			}
			looked[name] = files
		}
		for _, file := range files {
			p.Files[file] = max(p.Files[file], 1/float32(len(files)))
		}
		if m := lineBehind.FindStringSubmatch(rest[len(written):]); m != nil && len(files) == 1 && len(p.Lines) < maxLines {
			number, _ := strconv.Atoi(m[1]) // seven digits
			p.Lines = append(p.Lines, PointedLine{files[0], number, m[2] + m[3]})
			failedLast = m[2] != ""
		}
	}
	if failedLast {
		slices.Reverse(p.Lines)
	}
	return p
}

// HasLine reports whether the text may point to a line of a file.
func HasLine(text string) bool { return pathWithLine.MatchString(text) }

var pathWithLine = regexp.MustCompile(`\w\.\w{1,8}` + beforeLine + `\d`)

// isBetweenWords reports whether the character separates the words of a text; a path is one word.
func isBetweenWords(r rune) bool {
	return r <= ' ' || strings.ContainsRune("\"'`()[]{}<>,;=|", r)
}

// waysTo returns the paths that a word may stand for, each as its names with the extension removed, the longest first.
func waysTo(word string) [][]string {
	var ways [][]string
	if strings.Contains(word, "/") || isFileName(word) {
		parts := strings.Split(path.Clean(word), "/")
		parts[len(parts)-1] = stemOf(word)
		ways = append(ways, parts)
	} else if parts := strings.SplitN(strings.ReplaceAll(word, "::", "."), ".", maxParts+1); len(parts) > 1 {
		// A module, or a name within one.
		for n := min(len(parts), maxParts); n > 1; n-- {
			ways = append(ways, parts[:n])
		}
	}
	return ways
}

// isFileName reports whether the word is a name with an extension, such as core.c.
func isFileName(word string) bool {
	i := strings.LastIndexByte(word, '.')
	return i > 0 && len(word)-i <= 5 && strings.Count(word, ".") == 1
}

// find returns the files that share the longest suffix of folders and name with the path; of these, those with the base
// name if there are any.
func (t *Places) find(way []string, base string) []uint32 {
	most, exact := 0, 0
	var best []uint32
	for _, file := range t.named[way[len(way)-1]] {
		p := strings.ToLower(t.gen.Path(file))
		dirs := strings.Split(path.Dir(p), "/")
		n, same := 1, 0
		for n < len(way) && n <= len(dirs) && way[len(way)-1-n] == dirs[len(dirs)-n] {
			n++
		}
		if path.Base(p) == base {
			same = 1
		}
		switch order := cmp.Or(cmp.Compare(n, most), cmp.Compare(same, exact)); {
		case order > 0:
			most, exact, best = n, same, []uint32{file}
		case order == 0:
			best = append(best, file)
		}
	}
	if len(way) > 1 && most < 2 {
		return nil
	}
	return best
}

// maxParts bounds the parts of a dotted name. It is more than real names have; a report may contain a dotted word as
// long as the report itself.
const maxParts = 16

// maxPlaces bounds the number of different paths and modules that Pointed looks up.
const maxPlaces = 200

// maxLines bounds the number of lines that Pointed returns.
const maxLines = 40
