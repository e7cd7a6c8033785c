package parse

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"cortex/lib/language"
	"cortex/lib/record"
)

// A Language is what is known of one language.
type Language struct {
	Name string
	// Endings are endings and names of files.
	Endings []string
	// Depth is "full", "structure", "headings" or "lines".
	Depth string
	// Tiers are the chunk types that its files can have.
	Tiers []record.ChunkType
	// Grammar is the module of the grammar with its version, or "".
	Grammar string
}

// Languages lists all languages by name.
func Languages() []Language {
	var out []Language
	for _, lang := range language.All() {
		l := Language{Name: lang.Name, Endings: append(slices.Clone(lang.Extensions), lang.Filenames...)}
		g := grammarFor(lang.Name, "")
		switch {
		case g != nil:
			l.Depth, l.Tiers, l.Grammar = "structure", g.tiers(), g.version()
			if g.full {
				l.Depth = "full"
			}
		case lang.Class == language.Document:
			l.Depth, l.Tiers = "headings", []record.ChunkType{record.Documentation}
		default:
			l.Depth, l.Tiers = "lines", []record.ChunkType{record.Implementations}
		}
		out = append(out, l)
	}
	return out
}

// WriteLanguages writes the table of languages for people, a line each.
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

var definitions = regexp.MustCompile(`@definition\.(\w+)`)

// tiers are the tiers that the kinds in the queries can fill.
func (g *grammar) tiers() []record.ChunkType {
	var declares, holds bool
	for _, name := range g.queries {
		data, err := queries.ReadFile("queries/" + name)
		if err != nil {
			continue // a test reads all
		}
		for _, m := range definitions.FindAllSubmatch(data, -1) {
			switch k := kind(m[1]); {
			case k.IsCallable() || k.IsType():
				declares = true
			case k != record.Module:
				holds = true
			}
		}
	}
	tiers := []record.ChunkType{record.Symbols}
	if declares {
		tiers = append(tiers, record.Definitions)
	}
	if holds {
		tiers = append(tiers, record.Data)
	}
	return append(tiers, record.Implementations)
}

// version is the module and version of the grammar, from the build information of the program.
func (g *grammar) version() string {
	function := runtime.FuncForPC(reflect.ValueOf(g.language).Pointer()).Name()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	best := ""
	for _, module := range info.Deps {
		if strings.HasPrefix(function, module.Path+"/") || strings.HasPrefix(function, module.Path+".") {
			best = module.Path[strings.LastIndexByte(module.Path, '/')+1:] + " " + strings.TrimPrefix(module.Version, "v")
		}
	}
	return best
}
