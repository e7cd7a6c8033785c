package parse

import (
	"strings"
)

// symbolName is the name at s without quotes; one of several tokens has single spaces.
func (x *extraction) symbolName(at span) string {
	s := unquote(x.masked[at.start:at.end])
	s = strings.TrimPrefix(s, "r#") // Rust's raw identifiers
	if x.grammar.atoms {
		s = withoutColon(s)
	}
	if strings.ContainsAny(s, "\t\r\n") || strings.Contains(s, "  ") {
		s = strings.Join(strings.Fields(s), " ")
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
	s = unquote(cut(s, maxName))
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		s = s[1 : len(s)-1]
	}
	if strings.ContainsAny(s, " \t\r\n") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}

func unquote(s string) string {
	if strings.HasPrefix(s, `@"`) {
		s = s[1:] // a name in Zig that is no identifier
	}
	if n := len(s); n >= 2 && s[n-1] == s[0] && strings.ContainsRune("\"'`", rune(s[0])) {
		return s[1 : n-1]
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
		name := x.masked[r.start:r.end]
		if x.grammar.atoms {
			name = withoutColon(name)
		}
		name = pathName(name)
		if name == "" {
			return ""
		}
		if out = join(out, name); len(out) > maxName {
			return ""
		}
	}
	return out
}

// pathName is a name, or names joined by dots or what the language has for them, with
// dots and without type arguments; "" for what is none.
func pathName(s string) string {
	if len(s) > maxName {
		return ""
	}
	s = unquote(s)
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
