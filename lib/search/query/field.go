package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/hint"
)

// A Field is a part of a chunk that can be searched.
type Field string

// The fields.
const (
	Text       Field = "text"
	Title      Field = "title"
	Tags       Field = "tags"
	ChunkType  Field = "chunk_type"
	FilePath   Field = "file_path"
	Language   Field = "language"
	Symbol     Field = "symbol"
	SymbolType Field = "symbol_type"
	Package    Field = "package"
	Tree       Field = "tree"
)

// allFields lists the fields.
var allFields = []Field{Text, Title, Tags, ChunkType, FilePath, Language, Symbol, SymbolType, Package, Tree}

// FieldByName returns the field with a name or alias, in any case.
func FieldByName(name string) (Field, bool) {
	name = strings.ToLower(name)
	switch name {
	case "path":
		return FilePath, true
	case "lang":
		return Language, true
	case "symbol_name":
		return Symbol, true
	}
	for _, f := range allFields {
		if name == string(f) {
			return f, true
		}
	}
	return "", false
}

// HasWords reports whether the field is split into words. Other fields are compared as a whole.
func (f Field) HasWords() bool {
	switch f {
	case Text, Title, FilePath, Symbol, Package:
		return true
	}
	return false
}

// fieldPrefix returns the field that is named at the current offset, and the length of its name with the colon; 0 if
// there is none.
func (p *parser) fieldPrefix() (Field, int, *Error) {
	rest := p.query[p.at:]
	n := 0
	for n < len(rest) && (rest[n] == '_' || 'a' <= rest[n]|0x20 && rest[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 || n >= len(rest) || rest[n] != ':' || strings.HasPrefix(rest[n:], "::") {
		return "", 0, nil
	}
	name, value := rest[:n], rest[n+1:]
	if field, ok := FieldByName(name); ok {
		return field, n + 1, nil
	}
	near, argument := nearestField(name), slices.Contains(arguments, strings.ToLower(name))
	// A colon at the end is punctuation. In http://host, localhost:80 and C:\temp it is part of the name.
	r, _ := utf8.DecodeRuneInString(value)
	if value == "" || unicode.IsSpace(r) || r == ')' || strings.HasPrefix(value, "//") || near == "" && !argument && (r == '\\' || '0' <= r && r <= '9') {
		return "", 0, nil
	}
	word, _, _ := strings.Cut(rest, " ")
	word = strings.TrimRight(word, `)"`)
	if strings.HasSuffix(word, ":") { // a selector of Objective-C, such as add:to:
		return "", 0, nil
	}
	suggestion := fmt.Sprintf(`quote "%s" to search for the text; fields are %s`, word, fieldNames())
	switch {
	case argument:
		suggestion = fmt.Sprintf("it is an argument beside the query: --%s at a terminal; ", strings.ToLower(name)) + suggestion
	case near != "":
		suggestion = fmt.Sprintf("did you mean %s? ", near) + suggestion
	}
	return "", 0, p.errorf(p.at, suggestion, "unknown field %q", name)
}

// arguments has arguments of exact search that are taken for fields.
var arguments = []string{"tests", "limit", "offset", "context", "format"}

func fieldNames() string {
	var names []string
	for _, f := range allFields {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// nearestField returns a field that has name as one of its words, else one that is a word of name, else the nearest one
// within two edits, else "".
func nearestField(name string) Field {
	// Search backwards to find symbol_type before chunk_type: "type" usually means the type of a symbol.
	for _, f := range slices.Backward(allFields) {
		if slices.Contains(strings.Split(string(f), "_"), strings.ToLower(name)) {
			return f
		}
	}
	for _, word := range strings.Split(name, "_") {
		if f, ok := FieldByName(word); ok {
			return f
		}
	}
	best, least := Field(""), 3
	for _, f := range allFields {
		if d := hint.Distance(strings.ToLower(name), string(f), 2); d < least && d < len(name)-1 {
			best, least = f, d
		}
	}
	return best
}
