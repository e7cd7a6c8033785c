package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/parse"
	"cortex/lib/record"
)

const examples = `
cortex-parse . | cortex-chunk | cortex-embed | cortex-store
cortex-parse --watch . | cortex-chunk | cortex-embed | cortex-store
cortex-parse --root ~/project ~/project/lib | jq .symbols
git diff -z --name-only --no-renames HEAD~1 | cortex-parse --files-from - -0
cortex-parse --fail-on partial src > /dev/null
`

// A fileList holds --files-from and the flags that go with it.
type fileList struct {
	name string
	null bool
	full bool
}

func (l *fileList) flags(fs *pflag.FlagSet) {
	fs.StringVar(&l.name, "files-from", "", "read the paths from `FILE`, one a line, relative to the root; - is stdin")
	fs.BoolVarP(&l.null, "null", "0", false, "paths in the list end with a NUL byte")
	fs.BoolVar(&l.full, "full", false, "with --files-from: the list is complete, so the store removes all other files")
}

// read selects the files in the list. Without --files-from, read leaves opts as it is.
func (l *fileList) read(env *cli.Env, opts *parse.Options) error {
	switch {
	case l.name == "" && (l.null || l.full):
		return cli.Usagef("--null and --full need --files-from")
	case l.name == "":
		return nil
	case opts.Paths != nil || opts.Dirs != nil:
		return cli.Usagef("--files-from and paths in arguments exclude each other")
	}
	var in io.Reader = env.Stdin
	if l.name != "-" {
		f, err := os.Open(l.name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	end := byte('\n')
	if l.null {
		end = 0
	}
	if l.full {
		opts.Mode = record.Full
	}
	return opts.SelectList(in, end)
}

// A size is a flag for a number of bytes, with the suffixes K, M and G.
type size struct{ bytes *int64 }

// Set implements pflag.Value.
func (s *size) Set(text string) error {
	digits, unit := strings.ToUpper(text), int64(1)
	for i, suffix := range []string{"K", "M", "G"} {
		if d, ok := strings.CutSuffix(digits, suffix); ok {
			digits, unit = d, 1<<(10*(i+1))
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 1 {
		return fmt.Errorf("expected a number of bytes, such as 65536, 512K or 2M")
	}
	*s.bytes = n * unit
	return nil
}

// String implements pflag.Value.
func (s *size) String() string {
	if s.bytes == nil {
		return ""
	}
	if mebi := int64(1 << 20); *s.bytes%mebi == 0 {
		return fmt.Sprintf("%dM", *s.bytes/mebi)
	}
	return strconv.FormatInt(*s.bytes, 10)
}

// Type implements pflag.Value.
func (s *size) Type() string { return "SIZE" }

// A state is a flag for the state of a file.
type state record.Status

// Set implements pflag.Value.
func (s *state) Set(text string) error {
	*s = state(text)
	switch record.Status(text) {
	case record.StatusPartial, record.StatusError:
		return nil
	}
	return fmt.Errorf("expected partial or error")
}

// String implements pflag.Value.
func (s *state) String() string { return string(*s) }

// Type implements pflag.Value.
func (s *state) Type() string { return "STATE" }

// Choices returns the states that the flag may have.
func (s *state) Choices() []string {
	return []string{string(record.StatusPartial), string(record.StatusError)}
}
