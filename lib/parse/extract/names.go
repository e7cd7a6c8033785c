package extract

import (
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// symbolName returns the name at a span without quotes, with single spaces between its tokens.
func (x *extraction) symbolName(at lexical.Span) string {
	s := lexical.Unquote(x.masked[at.Start:at.End])
	s = strings.TrimPrefix(s, "r#") // Rust's raw identifiers
	if x.Grammar.Atoms {
		s = withoutColon(s)
	}
	if strings.ContainsAny(s, "\t\r\n") || strings.Contains(s, "  ") {
		s = shorten.Line(s)
	}
	return s
}

// withoutColon returns the name of an atom such as :name.
func withoutColon(s string) string {
	if len(s) > 1 && s[0] == ':' && s[1] != ':' {
		return s[1:]
	}
	return s
}

// importName returns the name in an import without quotes or <>, on one line.
func importName(s string) string {
	s = lexical.Unquote(shorten.Bytes(s, lexical.MaxName))
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		s = s[1 : len(s)-1]
	}
	if strings.ContainsAny(s, " \t\r\n") {
		s = shorten.Line(s)
	}
	return s
}

// join returns the qualified name of name in parent.
func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// receiver returns the names of the receivers of f, joined by dots; "" if a receiver is an expression, or if the result
// is too long.
func (x *extraction) receiver(f *fact) string {
	out := ""
	for _, r := range f.receivers {
		name := x.masked[r.Start:r.End]
		if x.Grammar.Atoms {
			name = withoutColon(name)
		}
		if name = pathName(name); name == "" && x.Grammar.Name == "swift" && strings.HasPrefix(x.masked[r.Start:r.End], "[") {
			name = "Array" // extension [T]
			if strings.Contains(x.masked[r.Start:r.End], ":") {
				name = "Dictionary"
			}
		}
		if name == "" {
			return ""
		}
		if out = join(out, name); len(out) > lexical.MaxName {
			return ""
		}
	}
	return out
}

// pathName returns a path of names with dots as separators, without quotes and type arguments; "" if s is no path of
// names.
func pathName(s string) string {
	if len(s) > lexical.MaxName {
		return ""
	}
	s = lexical.Unquote(s)
	if strings.ContainsAny(s, "<[") {
		s = withoutArguments(s)
	}
	s = strings.TrimPrefix(s, "::")
	if strings.ContainsAny(s, ":\\") {
		s = strings.NewReplacer("::", ".", "\\", ".").Replace(s)
	}
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, " \t\r\n()[]{}") {
		return ""
	}
	return s
}

// withoutArguments removes the text in <> and [].
func withoutArguments(s string) string {
	var b strings.Builder
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '<' || c == '[':
			depth++
		case c == '>' || c == ']':
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// modulePath returns the dotted name by which a file is imported, without a leading src folder: "a.b" for a/b.py and
// for a/b/__init__.py.
func modulePath(path string) string {
	path = strings.TrimPrefix(path, "src/")
	dir, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i], path[i+1:]
	}
	stem, _, _ := strings.Cut(base, ".")
	name := dir + "/" + stem
	if stem == "__init__" {
		name = dir
	}
	return strings.ReplaceAll(strings.Trim(name, "/"), "/", ".")
}
