package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A call is a call found by cscope.
type call struct {
	pair
	line int
	// member says that the name follows "." or "->", so it is a field that holds a function.
	member bool
}

// A pair is a function, with its file, and the name that it calls.
type pair struct{ file, caller, callee string }

// A definition is a function or a macro.
type definition struct {
	file, name string
	line       int
}

// A reference is the cross-reference of a tree by cscope.
type reference struct {
	calls       []call
	definitions map[string][]definition // by name
	files       map[string]bool
}

// Marks before symbols in a cross-reference of cscope. A tab precedes the mark.
const (
	markFile        = '@'
	markFunction    = '$'
	markFunctionEnd = '}'
	markCall        = '`'
	markMacro       = '#'
	markMacroEnd    = ')'
)

// crossReference runs cscope on the C files of the folder.
func crossReference(ctx context.Context, dir string, files []string) (*reference, error) {
	scratch, err := os.MkdirTemp("", "cortex-graph-c-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	list, out := filepath.Join(scratch, "files"), filepath.Join(scratch, "out")
	if err := os.WriteFile(list, []byte(strings.Join(files, "\n")+"\n"), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "cscope", "-b", "-c", "-k", "-i", list, "-f", out)
	cmd.Dir = dir
	if message, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("run cscope: %w: %s", err, message)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	return readCrossReference(data)
}

// readCrossReference parses an uncompressed cross-reference. Its first line is a header. Then follows, for each source
// line that has symbols, the line number, alternating lines of text and symbols, and an empty line. A symbol that is
// more than a use has a mark.
func readCrossReference(data []byte) (*reference, error) {
	_, data, ok := bytes.Cut(data, []byte("\n"))
	if !ok {
		return nil, errors.New("read cscope.out: it has no lines")
	}
	r := &reference{definitions: map[string][]definition{}, files: map[string]bool{}}
	in := bufio.NewReader(bytes.NewReader(data))
	var file, function, macro, text string
	line, number := 0, true
	for {
		s, err := in.ReadString('\n')
		if err != nil {
			return r, nil
		}
		s = strings.TrimSuffix(s, "\n")
		switch {
		case s == "":
			number = true
			continue
		case number && s[0] != '\t':
			digits, rest, _ := strings.Cut(s, " ")
			if n, err := strconv.Atoi(digits); err == nil {
				line, text = n, rest
			}
			number = false
			continue
		case s[0] != '\t' || len(s) < 2:
			text = s
			continue
		}
		name := s[2:]
		switch s[1] {
		case markFile:
			if name == "" {
				return r, nil // the list of files follows
			}
			file, function, macro, number = name, "", "", true
			r.files[file] = true
		case markFunction:
			function = name
			r.define(definition{file, name, line})
		case markFunctionEnd:
			function = ""
		case markMacro:
			macro = name
			r.define(definition{file, name, line})
		case markMacroEnd:
			macro = ""
		case markCall:
			if name == "defined" {
				break // an operator of the preprocessor
			}
			c := call{pair: pair{file, function, name}, line: line, member: strings.HasSuffix(text, "->") || strings.HasSuffix(text, ".")}
			if macro != "" {
				c.caller = macro
			}
			if c.caller != "" {
				r.calls = append(r.calls, c)
			}
		}
		text = name
	}
}

func (r *reference) define(d definition) { r.definitions[d.name] = append(r.definitions[d.name], d) }
