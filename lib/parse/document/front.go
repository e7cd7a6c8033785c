package document

import (
	"fmt"
	"strings"

	"go.abhg.dev/goldmark/frontmatter"

	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// maxEntry is the size in bytes of the largest entry of front matter that is decoded.
const maxEntry = 4 << 10

// frontMatter reads the front matter at the start of text: YAML between lines of "---" or TOML between lines of "+++".
// length is its size in bytes, 0 if there is none. Each entry is decoded on its own, so that an invalid one spoils no
// other.
func frontMatter(text string) (title string, tags []string, length int) {
	body, length := cutFrontMatter(text)
	if length == 0 {
		return "", nil, 0
	}
	format, separator := frontmatter.YAML, byte(':')
	if text[0] == '+' {
		format, separator = frontmatter.TOML, '='
	}
	entry := func(key string) any {
		source := cutEntry(body, key, separator)
		var keys map[string]any
		if source == "" || format.Unmarshal([]byte(source), &keys) != nil {
			return nil
		}
		for _, value := range keys {
			return value
		}
		return nil
	}
	title = shorten.End(shorten.Line(scalar(entry("title"))), maxHeadingName)
	seen := map[string]bool{}
	for _, key := range []string{"tags", "keywords"} {
		for _, tag := range list(entry(key)) {
			if tag = shorten.Line(tag); tag != "" && len(tag) <= maxHeadingName && !seen[tag] {
				seen[tag] = true
				tags = append(tags, tag)
			}
		}
	}
	return title, tags, length
}

// cutEntry returns the lines of the entry with the key: its first line, and the following lines that are indented, are
// list items, or belong to a list in brackets.
func cutEntry(body, key string, separator byte) string {
	for pos := 0; pos < len(body); {
		end, next := lexical.NextLine(body, pos)
		start := pos
		pos = next
		value, ok := entryValue(body[start:end], key, separator)
		if !ok {
			continue
		}
		inList := strings.HasPrefix(value, "[") && strings.IndexByte(value, ']') < 0
		for pos < len(body) {
			end, next := lexical.NextLine(body, pos)
			line := body[pos:end]
			if line == "" || !inList && strings.IndexByte(" \t-", line[0]) < 0 {
				break
			}
			pos = next
			if inList && strings.IndexByte(line, ']') >= 0 {
				break
			}
		}
		if pos-start > maxEntry {
			return ""
		}
		return body[start:pos]
	}
	return ""
}

// entryValue returns the text behind the key and the separator of a line; false if the line does not begin with them.
func entryValue(line, key string, separator byte) (string, bool) {
	name, value, ok := strings.Cut(line, string(separator))
	if !ok || !strings.EqualFold(strings.Trim(strings.TrimRight(name, " \t"), `"'`), key) {
		return "", false
	}
	return strings.Trim(value, " \t"), true
}

// cutFrontMatter returns the text between the delimiters, and the length in bytes of the front matter with delimiters
// and the last line end. Text that does not begin with a key is no front matter but text between two thematic breaks.
func cutFrontMatter(text string) (body string, length int) {
	if !strings.HasPrefix(text, "---") && !strings.HasPrefix(text, "+++") {
		return "", 0
	}
	end, start := lexical.NextLine(text, 0)
	delimiter := text[:3]
	if strings.TrimRight(text[:end], " \t") != delimiter {
		return "", 0
	}
	begun := false
	for pos := start; pos < len(text); {
		end, next := lexical.NextLine(text, pos)
		line := strings.TrimRight(text[pos:end], " \t")
		if line == delimiter {
			return text[start:pos], next
		}
		if !begun && line != "" && line[0] != '#' {
			if !beginsWithKey(line, delimiter) {
				return "", 0
			}
			begun = true
		}
		pos = next
	}
	return "", 0
}

// beginsWithKey reports whether a line looks like the first line of a mapping.
func beginsWithKey(line, delimiter string) bool {
	if delimiter == "+++" {
		return line[0] == '[' || strings.IndexByte(line, '=') > 0
	}
	key, value, ok := strings.Cut(line, ":")
	if !ok || key == "" || value != "" && value[0] != ' ' && value[0] != '\t' {
		return line[0] == '{'
	}
	return !strings.ContainsAny(key, " \t") || key[0] == '"' || key[0] == '\'' || len(strings.Fields(key)) <= 3
}

// scalar returns a YAML or TOML scalar as text, "" for other values.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// list returns the scalars of a list, which may be a single text with commas or blanks.
func list(v any) []string {
	if s, ok := v.(string); ok {
		if strings.Contains(s, ",") {
			return strings.Split(s, ",")
		}
		return strings.Fields(s)
	}
	items, _ := v.([]any)
	tags := make([]string, 0, len(items))
	for _, item := range items {
		tags = append(tags, scalar(item))
	}
	return tags
}
