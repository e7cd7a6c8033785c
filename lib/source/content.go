package source

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"cortex/lib/language"
)

// headSize is the number of bytes that are examined to decide whether a file is text.
const headSize = 8 << 10

// binaryEndings are endings of names of files without text. Such files are not opened.
var binaryEndings = nameSet(
	".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".ico", ".icns", ".tif", ".tiff", ".psd", ".heic", ".avif", ".xcf",
	".woff", ".woff2", ".ttf", ".otf", ".eot",
	".mp3", ".mp4", ".m4a", ".m4v", ".avi", ".mov", ".mkv", ".webm", ".wav", ".ogg", ".flac",
	".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".jar", ".war", ".ear", ".whl", ".egg", ".gem", ".nupkg", ".apk", ".deb", ".rpm", ".dmg", ".iso",
	".pdf", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".epub",
	".exe", ".dll", ".so", ".dylib", ".o", ".obj", ".lib", ".class", ".pyc", ".pyo", ".pyd", ".wasm", ".beam", ".rlib", ".rmeta",
	".sqlite", ".sqlite3", ".npy", ".npz", ".parquet", ".onnx", ".safetensors", ".gguf", ".pkl", ".h5",
)

// magics are the first bytes of binary formats that may have no NUL near the start.
var magics = [][]byte{
	[]byte("%PDF-"), []byte("\x89PNG"), []byte("GIF8"), []byte("\xff\xd8\xff"), []byte("PK\x03\x04"),
	[]byte("\x1f\x8b"), []byte("BZh9"), []byte("\xfd7zXZ"), []byte("\x28\xb5\x2f\xfd"), []byte("7z\xbc\xaf"),
	[]byte("wOFF"), []byte("wOF2"), []byte("!<arch>\n"), []byte("\x7fELF"),
	[]byte("\x00\x00\xfe\xff"), []byte("\xff\xfe\x00\x00"), // UTF-32
}

// lockFiles are files that package managers write.
var lockFiles = nameSet(
	"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
	"go.sum", "go.work.sum", "cargo.lock", "gemfile.lock", "composer.lock", "symfony.lock",
	"poetry.lock", "pipfile.lock", "pdm.lock", "uv.lock", "pixi.lock", "conda-lock.yml",
	"mix.lock", "rebar.lock", "pubspec.lock", "podfile.lock", "cartfile.resolved", "package.resolved",
	"packages.lock.json", "paket.lock", "gradle.lockfile", "buildscript-gradle.lockfile", "stack.yaml.lock",
	"flake.lock", "chart.lock", ".terraform.lock.hcl", "module.bazel.lock", "shard.lock", "gopkg.lock",
)

// skipByName returns the reason to skip a file without opening it, or "".
func skipByName(filePath string) string {
	name := strings.ToLower(path.Base(filePath))
	ending := path.Ext(name)
	switch {
	case binaryEndings[ending]:
		return Binary
	case lockFiles[name]:
		return Generated + ": lock file"
	case ending == ".map" && isScript(path.Ext(strings.TrimSuffix(name, ending))):
		return Generated + ": source map"
	case isScript(ending) && strings.HasSuffix(strings.TrimSuffix(name, ending), ".min"):
		return Minified
	}
	return ""
}

// isScript reports whether minifiers produce files with that ending.
func isScript(ending string) bool {
	switch ending {
	case ".js", ".mjs", ".cjs", ".css":
		return true
	}
	return false
}

// isBinary reports whether the first bytes of a file are those of a binary format.
func isBinary(head []byte) bool {
	for _, m := range magics {
		if bytes.HasPrefix(head, m) {
			return true
		}
	}
	if utf16Order(head) != nil {
		return false
	}
	return bytes.IndexByte(head[:min(len(head), headSize)], 0) >= 0
}

// utf16Order returns the byte order of a UTF-16 byte order mark, or nil if there is none.
func utf16Order(data []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return binary.BigEndian
	}
	return nil
}

// Decode returns the text of a file whose bytes Read returned, as UTF-8 without a byte order mark. Text in UTF-8 is not
// copied. UTF-16 with a byte order mark is converted, and so is each byte that is not part of valid UTF-8: it counts as
// a character of Windows-1252, of which Latin-1 is part.
func Decode(data []byte) []byte {
	text, _ := decode(data)
	return text
}

// decode is Decode that also reports whether data is valid UTF-16 with a byte order mark, or else UTF-8 in which few
// bytes are not valid.
func decode(data []byte) (text []byte, ok bool) {
	order := utf16Order(data)
	if order == nil {
		return decodeUTF8(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	}
	ok = len(data)%2 == 0
	text = make([]byte, 0, len(data)/2+len(data)/8)
	for i := 2; i+1 < len(data); i += 2 {
		r := rune(order.Uint16(data[i:]))
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if i+3 < len(data) {
				low = rune(order.Uint16(data[i+2:]))
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				ok = false
			} else {
				i += 2
			}
		}
		text = utf8.AppendRune(text, r)
	}
	return text, ok
}

// foreignShare is the divisor for the greatest share of bytes that are not valid UTF-8 in a text: a tenth. Of 55 texts
// in other encodings, 53 of them with comments in Latin-1 in code, all but two have less; of 30 binary files and texts in
// encodings of Chinese, Japanese and Korean, each has at least a fifth.
const foreignShare = 10

// decodeUTF8 converts to UTF-8 what is not valid UTF-8, and reports whether that is little enough for a text.
func decodeUTF8(data []byte) (text []byte, ok bool) {
	if utf8.Valid(data) {
		return data, true
	}
	foreign := 0
	for rest := data; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			r = charmap.Windows1252.DecodeByte(rest[0])
			foreign++
		}
		text = utf8.AppendRune(text, r)
		rest = rest[n:]
	}
	return text, foreign <= len(data)/foreignShare
}

// skipByContent returns the reason to skip a text, or "".
func skipByContent(text []byte, lang language.Language) string {
	if lang.Class == language.Document {
		return ""
	}
	if isGenerated(text) {
		return Generated
	}
	if isMinified(text) {
		return Minified
	}
	return ""
}

// A file is minified if more than four fifths of it are in lines of more than longLine bytes, and less than a sixteenth
// of the bytes in these lines is white space. In 25 minified scripts and style sheets the share of white space was at
// most a thirtieth; in a list of words it is a tenth, in prose a sixth. Files with less than minMinified bytes in such
// lines do no harm. Text that is mostly not ASCII counts as prose, since some scripts put no spaces between words.
const (
	longLine    = 500
	minMinified = 2000
)

func isMinified(text []byte) bool {
	dense, space, ascii := 0, 0, 0
	for rest := text; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(line) <= longLine {
			continue
		}
		dense += len(line)
		for _, c := range line {
			if c < utf8.RuneSelf {
				ascii++
			}
			if c == ' ' || c == '\t' {
				space++
			}
		}
	}
	return dense >= minMinified && dense > len(text)/5*4 && ascii > dense/2 && space < dense/16
}

// isGenerated examines the comments before the first line of code. It looks for the line that Go prescribes
// (go.dev/s/generatedcode), for a mark "@generated" or "<auto-generated", and for a ban on editing next to a mention of
// generation, in the same line or in two adjacent lines.
func isGenerated(text []byte) bool {
	var before comment
	for rest := text[:min(len(text), headSize)]; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			before = comment{}
			continue
		}
		if !startsComment(line) {
			return false
		}
		c := readComment(line)
		if c.marked || (c.forbids || before.forbids) && (c.generated || before.generated) {
			return true
		}
		before = c
	}
	return false
}

// A comment records what one line of comment says about its file.
type comment struct{ forbids, generated, marked bool }

func readComment(line []byte) comment {
	s := strings.ToLower(string(line[:min(len(line), longLine)]))
	return comment{
		forbids: containsAny(s, "do not edit", "don't edit", "do not modify", "don't modify", "do not change",
			"not be edited", "not edit this file", "not be modified", "do not hand-edit", "changes will be lost", "changes will be overwritten"),
		generated: containsAny(s, "generated", "auto-generated", "autogenerated"),
		marked:    hasMark(s, "@generated") || hasMark(s, "<auto-generated"),
	}
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// hasMark reports whether s contains the mark as a word of its own, without "not" before it.
func hasMark(s, mark string) bool {
	before, after, ok := strings.Cut(s, mark)
	if !ok || strings.HasSuffix(strings.TrimRight(before, " "), "not") {
		return false
	}
	return after == "" || !isWord(after[0])
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}

// startsComment reports whether a line begins a comment in one of many languages, or is a line that may precede the
// first comment.
func startsComment(line []byte) bool {
	for _, s := range [...]string{"//", "/*", "*", "#", "--", ";", "%", "<!--", "<?", "(*", "{-", `"""`, "'''", "'", "rem ", "@echo", "<auto-generated", "<#"} {
		if len(line) >= len(s) && strings.EqualFold(string(line[:len(s)]), s) {
			return true
		}
	}
	return false
}

func nameSet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}
