package extract

import (
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// symbolName is the name at s without quotes; one of several tokens has single spaces.
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

// withoutColon is the name of an atom such as :name.
func withoutColon(s string) string {
	if len(s) > 1 && s[0] == ':' && s[1] != ':' {
		return s[1:]
	}
	return s
}

// importName is what an import names, without quotes, on one line.
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

// join is a qualified name.
func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// receiver is what qualifies the name of f: the names of its receivers with dots, or
// "" if one is no name but an expression, or if that is too long for a name.
func (x *extraction) receiver(f *fact) string {
	out := ""
	for _, r := range f.receivers {
		name := x.masked[r.Start:r.End]
		if x.Grammar.Atoms {
			name = withoutColon(name)
		}
		name = pathName(name)
		if name == "" {
			return ""
		}
		if out = join(out, name); len(out) > lexical.MaxName {
			return ""
		}
	}
	return out
}

// pathName is a name, or names joined by dots or what the language has for them, with
// dots and without type arguments; "" for what is none.
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

// withoutArguments drops what stands between <> and [].
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

// modulePath is the dotted name by which a file is imported: "a.b" for a/b.py and for
// a/b/__init__.py. A leading src folder is no part of it.
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
