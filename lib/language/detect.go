package language

import (
	"bytes"
	"path"
	"strings"
	"sync"
)

// Names that callers may rely on beside the languages proper.
const (
	// Text is the name of plain prose.
	Text = "text"
	// Other is the name of what the table does not know.
	Other = "other"
)

// All returns every row of the table, sorted by name. The slices in it are shared:
// callers must not change them.
func All() []Language { return table }

// ByName returns the language of that name or alias, in any case.
func ByName(name string) (Language, bool) {
	i, ok := lookup().names[strings.ToLower(name)]
	if !ok {
		return Language{}, false
	}
	return table[i], true
}

// Detect returns the language of a file by its name, its longest known extension, or
// the interpreter in its "#!" line, in this order. Path may use slashes only; head is the
// beginning of the content and may be empty. What none of these tells is Other.
func Detect(filePath string, head []byte) Language {
	x := lookup()
	base := strings.ToLower(path.Base(filePath))
	if i, ok := x.filenames[base]; ok {
		return table[i]
	}
	for rest := base; ; {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		if i, ok := x.extensions[rest[dot:]]; ok {
			return table[i]
		}
		rest = rest[dot+1:]
	}
	if i, ok := x.interpreters[interpreter(head)]; ok {
		return table[i]
	}
	return table[x.other]
}

// index finds rows of the table; its maps are never written after they were made.
type index struct {
	names, extensions, filenames, interpreters map[string]int
	other                                      int
}

var lookup = sync.OnceValue(func() *index {
	x := &index{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, 0}
	for i, l := range table {
		x.names[l.Name] = i
		for _, s := range l.Aliases {
			x.names[s] = i
		}
		for _, s := range l.Extensions {
			x.extensions[s] = i
		}
		for _, s := range l.Filenames {
			x.filenames[strings.ToLower(s)] = i
		}
		for _, s := range l.Interpreters {
			x.interpreters[s] = i
		}
	}
	x.other = x.names[Other]
	return x
})

// interpreter returns the program that a "#!" line names, without folder and version,
// or "". Of "env" it is the first argument that is neither an option nor a variable.
func interpreter(head []byte) string {
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	fields := strings.Fields(string(line[:min(len(line), 512)]))
	if len(fields) == 0 {
		return ""
	}
	program := path.Base(fields[0])
	if program == "env" {
		program = ""
		for i := 1; i < len(fields); i++ {
			f := fields[i]
			switch {
			case f == "-u" || f == "-C": // takes the next field
				i++
				continue
			case strings.HasPrefix(f, "-S") && len(f) > 2:
				f = f[2:]
			case strings.HasPrefix(f, "-") || strings.Contains(f, "="):
				continue
			}
			program = path.Base(f)
			break
		}
	}
	return strings.TrimRight(strings.ToLower(program), "0123456789.-")
}
