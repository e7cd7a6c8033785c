// Package answer has the types of a search: a Request goes in, a Response with its hits comes out. It makes no decisions, so that
// the packages that find, rank and show can share it. Begin with request.go and response.go; several.go merges the answers of several
// repositories.
package answer

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/terminal"
)

// A Mode says which index answers a question.
type Mode string

const (
	// Auto lets the question decide.
	Auto Mode = "auto"
	// Semantic ranks by the likeness of embeddings.
	Semantic Mode = "semantic"
	// Keyword ranks by shared words (BM25).
	Keyword Mode = "keyword"
	// Hybrid weighs both with all that is known of a chunk and its file.
	Hybrid Mode = "hybrid"
	// Fusion joins both lists by reciprocal ranks.
	Fusion Mode = "fusion"
)

// Modes lists the modes that a Request may have.
var Modes = []Mode{Auto, Semantic, Keyword, Hybrid, Fusion}

// Limits of a request.
const (
	DefaultLimit = 15
	MaxLimit     = 100
)

// A Filter narrows what a request looks at, before its best hits are chosen. Its
// fields must all be satisfied; empty ones ask for nothing. Case never matters.
type Filter struct {
	// ChunkTypes admits chunks of any of these types.
	ChunkTypes []string
	// Tags admits chunks that have all of them.
	Tags []string
	// Languages admits chunks in any of these languages, by name or alias.
	Languages []string
	// Path is a glob over file paths: "lib/**", "*.go" (without a slash: in any folder),
	// or the name of a folder or file at any depth.
	Path string
	// SymbolType admits chunks that declare a symbol of this kind.
	SymbolType string
	// SymbolName is a glob over the symbol's name, qualified or not. With a SymbolType, it must
	// be one symbol that satisfies both.
	SymbolName string
	// Tests is TestsNo to leave test code out, TestsOnly for test code alone, "" for both.
	Tests string
}

// The values of Filter.Tests.
const (
	TestsNo   = "no"
	TestsOnly = "only"
)

// TestChoices lists the values of Filter.Tests.
func TestChoices() []string { return []string{TestsNo, TestsOnly} }

// A Request is one question.
type Request struct {
	// Queries are the question; in Search several topics, whose hits are merged; in
	// Exact only one.
	Queries []string
	// Like asks Search, instead of Queries, for what is like a place: "PATH:LINE", or the identifier of a chunk.
	Like string
	// Limit is the greatest number of hits; 0 means DefaultLimit, and a negative one
	// all hits.
	Limit int
	// Offset is the number of hits to leave out, for paging.
	Offset int
	// Mode is for Search alone; "" means Auto.
	Mode   Mode
	Filter Filter
	// Context asks for lines around each hit.
	Context Around
	// MinScore is the least score of a hit, from 0 to 1, for Search alone; nil is that of the Settings.
	MinScore *float64
	// Lines asks for the Lines of hits.
	Lines bool
	// Further asks Search with Lines for all hits in full. Without it, those of which a text of the default size says nothing have DetailPlace.
	Further bool
	// ByFile puts the places of one file together, where the best of them stands; Limit and Offset then count files. For Search alone.
	ByFile bool
	// Explain asks for the Reasons of hits, for Search alone.
	Explain bool
	// Counts asks for the Counts of the hits, and CountsIn is the folder below which folders are counted, "" for the root.
	Counts   bool
	CountsIn string
}

// Apart are requests that ask for each of the queries alone.
func (r Request) Apart() []Request {
	if len(r.Queries) < 2 {
		return []Request{r}
	}
	list := make([]Request, len(r.Queries))
	for i, query := range r.Queries {
		list[i] = r
		list[i].Queries = []string{query}
	}
	return list
}

// Bound is the number of hits that the request asks for and leaves out before these; math.MaxInt if it asks for all.
func (r Request) Bound() int {
	if r.Limit < 0 {
		return math.MaxInt
	}
	return max(r.Offset, 0) + cmp.Or(r.Limit, DefaultLimit)
}

// Page cuts out what the request asks for.
func Page[T any](list []T, req Request) []T {
	first := min(max(req.Offset, 0), len(list))
	return list[first:min(req.Bound(), len(list))]
}

// Beyond is the warning that the request leaves out all of the n things that there are, "" if it does not.
func Beyond(req Request, n int, one, many string) string {
	if n == 0 || req.Offset < n {
		return ""
	}
	return fmt.Sprintf("offset %d leaves nothing of %s", req.Offset, terminal.Count(n, one, many))
}

// Around asks for lines of the file around each hit; the zero value for none.
type Around struct {
	// Before and After are the numbers of lines before the hit and after it.
	Before, After int
	// Full asks for the innermost definition, or section of a document, that has all of the hit in it.
	Full bool
	// Read asks for the lines as a person reads them, in Hit.Excerpts instead of Hit.Context: those around each line that matches instead of
	// around the hit, or with Full the definition, also where it is the hit itself or longer than MaxContext.
	Read bool
	// Whole asks with Read for the hit itself, and for nothing around it.
	Whole bool
}

// fullContext is how Around.Full is written.
const fullContext = "full"

// ParseAround reads a number of lines, or "full"; "" asks for nothing.
func ParseAround(s string) (Around, error) {
	switch s = strings.TrimSpace(s); {
	case s == "":
		return Around{}, nil
	case strings.EqualFold(s, fullContext):
		return Around{Full: true}, nil
	}
	n, err := ParseLines(s)
	if err != nil {
		return Around{}, hint.Wrap(fmt.Errorf("context %q", s), fmt.Sprintf("give a number of lines from 0 to %d, or %s", MaxContext, fullContext))
	}
	return Around{Before: n, After: n}, nil
}

// ParseLines reads a number of lines for one side of a hit.
func ParseLines(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > MaxContext {
		return 0, hint.Wrap(fmt.Errorf("context %q", s), fmt.Sprintf("give a number of lines from 0 to %d", MaxContext))
	}
	return n, nil
}

const MaxContext = 50
