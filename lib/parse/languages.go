package parse

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"cortex/lib/language"
	"cortex/lib/parse/document"
	"cortex/lib/parse/grammar"
	"cortex/lib/record"
)

// A Language describes one language for users.
type Language struct {
	Name string
	// Endings lists file name endings and whole file names.
	Endings []string
	// Depth is "full", "structure", "headings" or "lines".
	Depth string
	// Tiers lists the chunk types of its files.
	Tiers []record.ChunkType
	// Grammar is the module of the grammar with its version, "" without a grammar.
	Grammar string
}

// Languages lists all languages by name.
func Languages() []Language {
	var out []Language
	for _, lang := range language.All() {
		l := Language{Name: lang.Name, Endings: append(slices.Clone(lang.Extensions), lang.Filenames...)}
		g := grammar.For(lang.Name, "")
		switch {
		case g != nil:
			l.Depth, l.Tiers, l.Grammar = "structure", g.Tiers(), g.Version()
			if g.Full {
				l.Depth = "full"
			}
		case lang.Class == language.Document:
			l.Depth, l.Tiers = "lines", []record.ChunkType{record.Documentation}
			if document.HasHeadings(lang.Name) || lang.Name == notebookLanguage {
				l.Depth = "headings"
			}
		default:
			l.Depth, l.Tiers = "lines", []record.ChunkType{record.Implementations}
		}
		out = append(out, l)
	}
	return out
}

// WriteLanguages writes a table of the languages, one line each.
func WriteLanguages(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "LANGUAGE\tDEPTH\tTIERS\tGRAMMAR\tFILES")
	for _, l := range Languages() {
		tiers := make([]string, len(l.Tiers))
		for i, tier := range l.Tiers {
			tiers[i] = string(tier)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", l.Name, l.Depth, strings.Join(tiers, ","), orDash(l.Grammar), orDash(strings.Join(l.Endings, " ")))
	}
	return t.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
