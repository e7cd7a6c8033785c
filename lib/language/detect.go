package language

import (
	"bytes"
	"path"
	"strings"
	"sync"
	"unicode"
)

// Names of rows that are no languages.
const (
	// Text is the name of plain prose.
	Text = "text"
	// Other is the name for files of unknown languages.
	Other = "other"
)

// All returns every row of the table, sorted by name. The slices in it are shared:
// callers must not change them.
func All() []Language { return table }

// ByName returns the language with the name or alias, ignoring case.
func ByName(name string) (Language, bool) {
	i, ok := lookup().names[strings.ToLower(name)]
	if !ok {
		return Language{}, false
	}
	return table[i], true
}

// Detect returns the language of a file, Other if it is unknown. It tries in this order: the file name; the longest
// known extension; that of a template without its ".in", as in "config.h.in"; "<?php" at the beginning; the interpreter in
// the "#!" line; a mark for zsh or for an editor; the file name ignoring case (before the extension if it has a dot);
// the name up to the first dot or hyphen, as in "Dockerfile.dev" and "LICENSE-MIT", but not in "Makefile.golden" (see
// isDerived). The content decides whether a ".h" file is C, C++ or Objective-C, and whether a
// ".m" file is Objective-C or MATLAB. The path has slashes; head is the
// content or its beginning, and may be empty.
func Detect(filePath string, head []byte) Language {
	x := lookup()
	base := path.Base(filePath)
	if i, ok := x.filenames[base]; ok {
		return table[i]
	}
	lower := strings.ToLower(base)
	insensitive, known := x.lowerNames[lower]
	if known && strings.Contains(lower, ".") {
		return table[insensitive]
	}
	if i, ok := x.byExtension(lower, head); ok {
		return table[i]
	}
	if template, ok := strings.CutSuffix(lower, ".in"); ok {
		if i, ok := x.byExtension(template, head); ok {
			return table[i]
		}
	}
	if bytes.HasPrefix(head, []byte("<?php")) {
		return table[x.names["php"]]
	}
	if i, ok := x.interpreters[interpreter(head)]; ok {
		return table[i]
	}
	if i, ok := x.names[strings.ToLower(marked(head))]; ok {
		return table[i]
	}
	if known {
		return table[insensitive]
	}
	if end := strings.IndexAny(base, ".-"); end > 0 && !isDerived(lower[strings.LastIndexAny(lower, ".-")+1:]) {
		if i, ok := x.filenames[base[:end]]; ok {
			return table[i]
		}
	}
	return table[x.other]
}

// byExtension returns the row with the longest extension of a name in lower case.
func (x *index) byExtension(name string, head []byte) (row int, ok bool) {
	for dot := strings.IndexByte(name, '.'); dot >= 0; dot = strings.IndexByte(name, '.') {
		if name[dot:] == ".h" {
			return x.names[headerLanguage(head)], true
		}
		if name[dot:] == ".m" {
			return x.names[dotMLanguage(head)], true
		}
		if i, ok := x.extensions[name[dot:]]; ok {
			return i, true
		}
		name = name[dot+1:]
	}
	return 0, false
}

// dotMLanguage returns the language of a ".m" file, Objective-C or MATLAB, by its first line that only one of the two
// can have.
func dotMLanguage(head []byte) string {
	for line := range bytes.Lines(head[:min(len(head), maxHeader)]) {
		line = bytes.TrimSpace(line)
		for _, start := range []string{"%", "##", "#!", "function ", "function[", "classdef ", "classdef("} {
			if bytes.HasPrefix(line, []byte(start)) {
				return "matlab"
			}
		}
		if len(line) > 0 && (bytes.IndexByte([]byte("#@-+/"), line[0]) >= 0 || bytes.HasSuffix(line, []byte("{"))) {
			break
		}
	}
	return "objectivec"
}

// isDerived reports whether the last part of a file's name marks expected or actual output of a test, or a copy made by
// a tool: such a file is no variant of the file that the first part names.
func isDerived(ending string) bool {
	switch ending {
	case "golden", "expected", "expect", "want", "approved", "actual", "received", "got", "out", "output", "snap", // tests
		"orig", "rej", "bak", "save", "swp", "tmp": // tools
		return true
	}
	return false
}

// index maps names, extensions and so on to rows of the table. Its maps never change.
type index struct {
	names, extensions, filenames, lowerNames, interpreters map[string]int
	other                                                  int
}

var lookup = sync.OnceValue(func() *index {
	x := &index{names: map[string]int{}, extensions: map[string]int{}, filenames: map[string]int{},
		lowerNames: map[string]int{}, interpreters: map[string]int{}}
	for i, l := range table {
		x.names[l.Name] = i
		for _, s := range l.Aliases {
			x.names[s] = i
		}
		for _, s := range l.Extensions {
			x.extensions[s] = i
		}
		for _, s := range l.Filenames {
			x.filenames[s] = i
			x.lowerNames[strings.ToLower(s)] = i
		}
		for _, s := range l.Interpreters {
			x.interpreters[s] = i
		}
	}
	x.other = x.names[Other]
	return x
})

// interpreter returns the program that a "#!" line names, without folder and version, or "".
func interpreter(head []byte) string {
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	line, _, _ = bytes.Cut(line[:min(len(line), 512)], []byte("\n"))
	fields := strings.Fields(string(line))
	if len(fields) > 0 && path.Base(fields[0]) == "env" {
		fields = afterEnv(fields[1:])
	}
	if len(fields) == 0 {
		return ""
	}
	program := strings.TrimSuffix(strings.ToLower(path.Base(fields[0])), ".exe")
	return strings.TrimRight(program, "0123456789.-")
}

// Editors look for marks in the first and last markLines lines. Of each end, at most maxMarks bytes are read.
const (
	markLines = 5
	maxMarks  = 2 << 10
)

// marked returns the language that a mark in the content names, "" if there is none: the first line of a zsh function
// or completion ("#compdef git", "#autoload") or of a manual page (".TH GIT 1"), a mark for Emacs ("-*- mode: sh -*-",
// "-*- C++ -*-"), or one for Vim ("vim: ft=zsh").
func marked(content []byte) string {
	first := strings.Split(string(content[:min(len(content), maxMarks)]), "\n")
	switch word, _, _ := strings.Cut(strings.TrimSpace(first[0]), " "); word {
	case "#compdef", "#autoload":
		return "zsh"
	case `.\"`, `'\"`, ".TH", ".Dd":
		return "roff"
	}
	for _, line := range first[:min(len(first), 2)] {
		if mode := emacsMode(line); mode != "" {
			return mode
		}
	}
	last := strings.Split(strings.TrimSuffix(string(content[max(0, len(content)-maxMarks):]), "\n"), "\n")
	for _, lines := range [][]string{first[:min(len(first), markLines)], last[max(0, len(last)-markLines):]} {
		for _, line := range lines {
			if filetype := vimFiletype(line); filetype != "" {
				return filetype
			}
		}
	}
	return ""
}

func emacsMode(line string) string {
	const mark = "-*-"
	_, rest, _ := strings.Cut(line, mark)
	settings, _, closed := strings.Cut(rest, mark)
	if !closed {
		return ""
	}
	if !strings.Contains(settings, ":") {
		return strings.TrimSpace(settings)
	}
	for setting := range strings.SplitSeq(settings, ";") {
		if key, value, _ := strings.Cut(setting, ":"); strings.EqualFold(strings.TrimSpace(key), "mode") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func vimFiletype(line string) string {
	for _, mark := range []string{"vim:", "vi:", "ex:"} {
		before, settings, found := strings.Cut(line, mark)
		if !found || before != "" && !strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "\t") {
			continue
		}
		for _, setting := range strings.FieldsFunc(settings, func(r rune) bool { return r == ':' || unicode.IsSpace(r) }) {
			if key, value, _ := strings.Cut(setting, "="); key == "ft" || key == "filetype" {
				value, _, _ = strings.Cut(value, ".")
				return value
			}
		}
	}
	return ""
}

// afterEnv removes options and variable assignments from the arguments of env(1).
func afterEnv(fields []string) []string {
	for len(fields) > 0 {
		f := fields[0]
		fields = fields[1:]
		program := f
		switch {
		case f == "-u" || f == "-C": // the next field is its argument
			fields = fields[min(1, len(fields)):]
			continue
		case strings.HasPrefix(f, "--split-string="):
			program = strings.TrimPrefix(f, "--split-string=")
		case strings.HasPrefix(f, "-S"):
			program = f[2:]
		case strings.HasPrefix(f, "-") || strings.Contains(f, "="):
			continue
		}
		if program != "" {
			return append([]string{program}, fields...)
		}
	}
	return nil
}
