package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A source is a sample file of one language.
type source struct {
	name string
	text []byte
}

// readSources reads the files in a folder of test data, except for goldens and large files.
func readSources(dir string) (all []source, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || strings.HasSuffix(path, ".golden") || info.Size() > 100<<10 {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		all = append(all, source{filepath.Base(path), data})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no sources in %s: %v", dir, err)
	}
	return all, nil
}

// pick returns a random element.
func pick[T any](c *hostile, of ...T) T { return of[c.IntN(len(of))] }

// upTo returns a random number from 0 to most. Small numbers are more probable.
func (c *hostile) upTo(most int) int { return int(math.Pow(float64(most)+1, c.Float64())) - 1 }

// mutated returns data with a few random changes, at most a megabyte.
func (c *hostile) mutated(data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + c.upTo(8) {
		if len(data) == 0 {
			return []byte(c.word())
		}
		from := c.IntN(len(data))
		to := min(len(data), from+1+c.upTo(len(data)))
		part, between := bytes.Clone(data[from:to]), []byte(nil)
		switch c.IntN(8) {
		case 0:
			between = []byte{part[0] ^ 1<<c.IntN(8)}
			to = from + 1
		case 1:
			to = len(data)
		case 2: // remove the part
		case 3:
			between, from = part, c.IntN(len(data))
			to = from
		case 4:
			between = bytes.Repeat(part, 1+c.upTo(200_000/len(part)))
		case 5:
			between, to = []byte(c.word()), from
		case 6:
			data = bytes.ReplaceAll(data, part[:1], []byte(pick(c, "", "\n", " ", "\x00", "((", "\U0001F600")))
			continue
		case 7:
			data = c.otherValue(data)
			continue
		}
		data = append(append(data[:from:from], between...), data[to:]...)
		data = data[:min(len(data), 1<<20)]
	}
	return data[:min(len(data), 1<<20)]
}

// value matches a string, number or literal of JSON, YAML or the like.
var value = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|-?\b\d[\d.]*\b|\b(?:true|false|null)\b`)

// otherValue replaces one value by another, so that valid JSON stays valid.
func (c *hostile) otherValue(data []byte) []byte {
	from := c.IntN(max(1, len(data)))
	found := value.FindIndex(data[from:])
	if found == nil {
		return data
	}
	return append(append(bytes.Clone(data[:from+found[0]]), c.literal()...), data[from+found[1]:]...)
}

// literal returns a random value, usually of JSON.
func (c *hostile) literal() string {
	switch c.IntN(8) {
	case 0:
		return fmt.Sprintf("%q", strings.Repeat("a", c.upTo(200_000)))
	case 1:
		return pick(c, strings.Repeat("[", 1+c.upTo(20_000))+"1", strings.Repeat("[", 5000)+strings.Repeat("]", 5000), strings.Repeat(`{"a":`, 2000)+"1"+strings.Repeat("}", 2000))
	}
	return pick(c, "null", "true", "0", "-1", "1e309", "-0.5", "1e-40", "9223372036854775807", "-9223372036854775808", "18446744073709551616", `""`, `"/etc/passwd"`, `"/"`, `"//x"`, `"../outside/secret.go"`, `"a/../../b"`,
		`"."`, `".."`, `".git/config"`, `"a\u0000b"`, `"a\nb"`, `"\u202e\u2028\u001b[2J"`, `"NaN"`, `"AACAfw=="`, `"AAAAAA=="`, "[]", "{}", `[[]]`, `{"a":{"a":{}}}`, `{"a":1,"a":2}`)
}

// word returns a short text that may be special to some program, or random.
func (c *hostile) word() string {
	s := pick(c, c.sources...).text
	switch c.IntN(4) {
	case 0:
		var b strings.Builder
		for range 1 + c.upTo(20) {
			b.WriteRune(pick(c, rune(c.IntN(128)), rune(c.IntN(0x3000)), rune(c.IntN(0x20000)), ' ', '\n', '"', '/', '*', '\\'))
		}
		return b.String()
	case 1:
		s = make([]byte, 1+c.upTo(30))
		for i := range s {
			s[i] = byte(c.IntN(256))
		}
		return string(s)
	case 2:
		return pick(c, "", "-", "--", "~", ".", "..", "/", "*", "**", "?", "[", "]", "{", "}", "(", ")", ":", "#", "!", "\\", "\x00", "\n", "\r\n", "\t", "\u2028", "\u202e", "\u200b", "\ufeff", "\x1b[31m", "\x1b]0;x\a", "\u009b2J",
			"é", "e\u0301", "İ", "ß", "ﬁ", "ﷺ", "\U0001F468\u200d\U0001F469", "\xff", "\xc3", "\xed\xa0\x80", "%s%n", "$(id)", "';--", "AND", "OR", "NOT", "text:", "path:", "/a|b/", "~2", "^9", "\"")
	}
	from := c.IntN(len(s))
	return string(s[from:min(len(s), from+c.upTo(40))])
}

// words returns a few words, possibly repeated many times.
func (c *hostile) words() string {
	var b strings.Builder
	for range 1 + c.upTo(6) {
		b.WriteString(strings.Repeat(c.word(), 1+c.upTo(pick(c, 1, 1, 1, 3000))) + pick(c, "", " ", " ", "\n"))
	}
	return b.String()
}

// repeated are texts that nest or are left open in some language, or are expensive for a splitter of documents.
var repeated = []string{"(", "[", "{", "<a>", "</a>", "/*", "{-", "(*", "${", "`${", "#{", "do\n", "begin\n", "if a {\n", "class A { f() { ", "func() {\n", "function f() {\n", `{"a":`, "a<", "#if a\n", "(a) => ", "!(", "a ? ", "namespace a {\n",
	"<div><p>", "f\"{", "\"$(", "<<A ", "else if a {}", "a.", "a + ", "@a(", "> ", "- ", "1. ", "* > ", "    ", "\t", "| a ", "|---", "#", "`", "~~~\n", "[", "![", "[a](", "**_", "&#", "$$", "[^1]: ", "# Same\n\ntext\n\n", "---\n", "===\n", "<!--", "é", "\U0001F600"}

// content returns the random text of a file, unrelated to the file's name.
func (c *hostile) content() []byte {
	var b strings.Builder
	switch c.IntN(5) {
	case 0: // two characters, repeated
		all := []rune("{}[]()<>\"'`#/\\*-+=:;,.!?@$%^&|~_ \t\nax0é\U0001F600")
		return []byte(strings.Repeat(string([]rune{pick(c, all...), pick(c, all...)}), 1+c.upTo(300_000)))
	case 1:
		b.WriteString(pick(c, "", "\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "\x00", "%PDF-", "package p\n", "// ", "x = \"", "<!-- "))
		b.WriteString(strings.Repeat(c.word(), 1+c.upTo(50_000)))
	case 2, 3:
		for range 1 + c.upTo(30) {
			once := pick(c, repeated...)
			b.WriteString(strings.Repeat(once, 1+c.upTo(100_000/len(once))) + c.word() + pick(c, "", "\n", "\n\n", strings.Repeat(pick(c, ")", "]", "}", "-->", "*/", "end\n"), c.upTo(20_000))))
		}
	default:
		return c.mutated(pick(c, c.sources...).text)
	}
	return []byte(b.String())[:min(b.Len(), 1<<20)]
}

// pattern returns a random glob.
func (c *hostile) pattern() string {
	n := 1 + c.upTo(100)
	switch c.IntN(7) {
	case 0:
		return strings.Repeat(pick(c, "*a", "**/", "?", "*", "[a-z]", "*.", "**a", "a/**/"), n) + pick(c, "b", "", "/")
	case 1:
		return strings.Repeat(pick(c, "{,}", "{a,b}", "{a,", "{{", "{*,**}/", "\\"), n)
	case 2:
		return pick(c, "", "!") + "[" + strings.Repeat(pick(c, "[", "!", "a-", "\\", "^]", "[:alpha:]", "z-a"), n) + pick(c, "]", "")
	case 3:
		return pick(c, "!", "/", "#", "!!", "/!", "**", "*.go", "!*.go", "../**", "/..", "\\!x", "a/", "//", "~/x") + pick(c, "", c.word())
	}
	return c.word()
}
