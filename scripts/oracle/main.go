// Command oracle compares exact search with ripgrep over an indexed tree.
//
//	go run ./scripts/oracle [FLAGS] DIR
//
// It picks random words, identifiers and phrases of two words from the indexed files, and asks both cortex-query and rg
// (whole words, ignoring case) for the files that contain them. cortex-query must find every file that rg finds. Every
// further file must contain the word as a part of an identifier or, in a document, another form of the same word. Other
// differences are faults: they are printed and make the exit status 1.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
)

func main() {
	o := oracle{}
	flags := pflag.NewFlagSet("oracle", pflag.ExitOnError)
	flags.StringVar(&o.command, "command", "bin/cortex-query", "the cortex-query to ask")
	words := flags.Int("words", 500, "number of words")
	identifiers := flags.Int("identifiers", 200, "number of identifiers")
	phrases := flags.Int("phrases", 100, "number of phrases")
	seed := flags.Uint64("seed", 1, "what the drawing begins with")
	flags.Parse(os.Args[1:])
	if flags.NArg() != 1 {
		fail(errors.New("usage: go run ./scripts/oracle [FLAGS] DIR"))
	}
	command, err := filepath.Abs(o.command)
	if err != nil {
		fail(err)
	}
	o.command, o.dir, o.rand = command, flags.Arg(0), rand.New(rand.NewPCG(*seed, 4))
	if err := o.read(); err != nil {
		fail(err)
	}
	faults := 0
	for _, kind := range []struct {
		name  string
		draws []string
	}{
		{"words", o.draw(o.words, *words)},
		{"identifiers", o.draw(o.identifiers, *identifiers)},
		{"phrases", o.draw(o.phrases, *phrases)},
	} {
		n, err := o.compare(kind.name, kind.draws)
		if err != nil {
			fail(err)
		}
		faults += n
	}
	if faults > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "oracle:", err)
	os.Exit(2)
}

type oracle struct {
	command, dir string
	rand         *rand.Rand

	files     []string
	texts     map[string]string
	documents map[string]bool
	// The texts to pick from. Each occurs as often as in the files.
	words, identifiers, phrases []string
}

// ask returns the files that a query finds.
func (o *oracle) ask(args ...string) ([]string, error) {
	return o.run(o.command, append([]string{"exact", "--limit", "0", "--files-with-matches", "--quiet", "--color", "never"}, args...)...)
}

// run returns the lines that a command writes. Status 1 means none.
func (o *oracle) run(name string, args ...string) ([]string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = o.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 && len(out) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w: %s", filepath.Base(name), args[:min(len(args), 12)], err, stderr.String())
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	slices.Sort(lines)
	return lines, nil
}

var (
	wordPattern       = regexp.MustCompile(`\pL{2,}`)
	identifierPattern = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)
	phrasePattern     = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]* [A-Za-z_][A-Za-z0-9_]*`)
)

const maxDrawn = 80 // bytes

// read reads the indexed files and collects their words, identifiers and phrases.
func (o *oracle) read() (err error) {
	if o.files, err = o.ask("text:*"); err != nil {
		return err
	}
	documents, err := o.ask("--type", "documentation", "text:*")
	if err != nil {
		return err
	}
	o.texts, o.documents = map[string]string{}, map[string]bool{}
	for _, file := range documents {
		o.documents[file] = true
	}
	for _, file := range o.files {
		data, err := os.ReadFile(filepath.Join(o.dir, file))
		if err != nil {
			return err
		}
		text := string(data)
		o.texts[file] = text
		for _, w := range wordPattern.FindAllString(text, -1) {
			if len(w) <= maxDrawn {
				o.words = append(o.words, w)
			}
		}
		for _, w := range identifierPattern.FindAllString(text, -1) {
			if len(w) <= maxDrawn && (strings.Contains(strings.Trim(w, "_"), "_") || strings.IndexFunc(w[1:], unicode.IsUpper) >= 0) {
				o.identifiers = append(o.identifiers, w)
			}
		}
		for _, w := range phrasePattern.FindAllString(text, -1) {
			if len(w) <= maxDrawn && strings.IndexFunc(w, unicode.IsLetter) >= 0 {
				o.phrases = append(o.phrases, w)
			}
		}
	}
	return nil
}

// draw returns n different random elements, half of them weighted by frequency, half with equal chances.
func (o *oracle) draw(from []string, n int) []string {
	var different []string
	known := map[string]bool{}
	for _, w := range from {
		if !known[w] {
			known[w] = true
			different = append(different, w)
		}
	}
	n = min(n, len(different))
	var drawn []string
	taken := map[string]bool{}
	for len(drawn) < n {
		list := from
		if len(drawn)%2 == 1 || len(taken) > len(from)/2 {
			list = different
		}
		if w := list[o.rand.IntN(len(list))]; !taken[w] {
			taken[w] = true
			drawn = append(drawn, w)
		}
	}
	return drawn
}

// A verdict is the result for one query.
type verdict struct {
	drawn            string
	both             int
	parts, forms     int
	missing, foreign []string
}

// compare prints the faults, and returns how many queries have one.
func (o *oracle) compare(name string, draws []string) (faults int, err error) {
	verdicts := make([]verdict, len(draws))
	group, _ := errgroup.WithContext(context.Background())
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, drawn := range draws {
		group.Go(func() (err error) {
			verdicts[i], err = o.judge(drawn)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	var both, parts, forms int
	for _, v := range verdicts {
		both, parts, forms = both+v.both, parts+v.parts, forms+v.forms
		if len(v.missing)+len(v.foreign) == 0 {
			continue
		}
		faults++
		for _, file := range v.missing {
			fmt.Printf("%q: rg finds it in %s, cortex-query does not\n", v.drawn, file)
		}
		for _, file := range v.foreign {
			fmt.Printf("%q: cortex-query finds %s, which does not hold it\n", v.drawn, file)
		}
	}
	fmt.Printf("%s: %d drawn, %d files found by both, %d more hold it as a part, %d as another form; %d with a fault\n",
		name, len(draws), both, parts, forms, faults)
	return faults, nil
}

func (o *oracle) judge(drawn string) (verdict, error) {
	v := verdict{drawn: drawn}
	query := drawn
	switch {
	case strings.Contains(drawn, " "):
		query = `"` + drawn + `"`
	case drawn == "AND" || drawn == "OR" || drawn == "NOT":
		query = `\` + drawn
	}
	found, err := o.ask("--", query)
	if err != nil {
		return v, err
	}
	args := []string{"--files-with-matches", "--word-regexp", "--ignore-case", "--fixed-strings", "--text", "--no-config", "--regexp", drawn, "--"}
	wanted, err := o.run("rg", append(args, o.files...)...)
	if err != nil {
		return v, err
	}
	for _, file := range wanted {
		if _, ok := slices.BinarySearch(found, file); ok {
			v.both++
		} else {
			v.missing = append(v.missing, file)
		}
	}
	for _, file := range found {
		if _, ok := slices.BinarySearch(wanted, file); ok {
			continue
		}
		switch {
		case holdsParts(o.texts[file], strings.Fields(drawn)):
			v.parts++
		case o.documents[file] && holdsForm(o.texts[file], drawn):
			v.forms++
		default:
			v.foreign = append(v.foreign, file)
		}
	}
	return v, nil
}

// holdsParts reports whether the text has the words one after the other, with only characters between them that belong
// to no word. Each must be a word, or consist of successive parts of one.
func holdsParts(text string, words []string) bool {
	pattern := `(?i)`
	for i, w := range words {
		if i > 0 {
			pattern += `[^\pL\pN\pM]*?`
		}
		// Underscores separate words, and so may be missing.
		pattern += strings.ReplaceAll(regexp.QuoteMeta(w), "_", "_*")
	}
	re := regexp.MustCompile(pattern)
	for at := 0; at < len(text); {
		found := re.FindStringIndex(text[at:])
		if found == nil {
			return false
		}
		if isPartEdge(text, at+found[0]) && isPartEdge(text, at+found[1]) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at+found[0]:])
		at += found[0] + size
	}
	return false
}

// isPartEdge reports whether a word or a part of an identifier may begin or end at the offset.
func isPartEdge(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, size := utf8.DecodeRuneInString(text[at:])
	next, _ := utf8.DecodeRuneInString(text[at+size:])
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }
	switch {
	case at == 0 || at == len(text) || !isWord(before) || !isWord(after):
		return true
	case !unicode.IsUpper(before) && unicode.IsUpper(after):
		return true
	case unicode.IsUpper(before) && unicode.IsUpper(after) && unicode.IsLower(next):
		return true
	}
	// The s of a plural such as URLs.
	return unicode.IsUpper(before) && after == 's' && !unicode.IsLower(next)
}

// holdsForm reports whether the text has a word with the same stem.
func holdsForm(text, word string) bool {
	root := stem(word)
	return slices.ContainsFunc(wordPattern.FindAllString(text, -1), func(w string) bool { return stem(w) == root })
}

func stem(word string) string {
	env := snowballstem.NewEnv(strings.ToLower(word))
	english.Stem(env)
	return env.Current()
}
