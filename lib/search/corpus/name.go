package corpus

import (
	"path"
	"slices"
	"strings"

	"cortex/lib/search/token"
)

// NameOf returns the words of a file's name, without its extensions. For a generic name it returns those of its folder.
func NameOf(file string) []string {
	name, _, _ := strings.Cut(path.Base(file), ".")
	folder := path.Base(path.Dir(file))
	if isGenericName(strings.ToLower(name)) && folder != "." && folder != "/" {
		name = folder
	}
	return WordsOfName(name)
}

// isGenericName reports whether a name is so common that it does not describe the file.
func isGenericName(stem string) bool {
	switch stem {
	case "index", "main", "mod", "lib", "__init__", "init", "doc", "readme":
		return true
	}
	return false
}

// WordsOfName returns the parts of the words of a name, each once.
func WordsOfName(name string) []string {
	var words []string
	token.Scan(name, func(t token.Token) {
		switch {
		case t.Kind == token.Sigil:
		case t.Kind == token.Whole && t.To-t.From > 1:
		case !slices.Contains(words, t.Term):
			words = append(words, t.Term)
		}
	})
	return words
}
