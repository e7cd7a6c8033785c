// Package answer has the types of a search: a Request goes in, a Response with its hits comes out. It makes no
// decisions, so that the packages that find, rank and show can share it. Begin with request.go and response.go;
// several.go merges the answers of several repositories.
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

// A Mode says how a question is answered.
type Mode string

const (
	// Auto lets the question decide.
	Auto Mode = "auto"
	// Semantic ranks by the similarity of embeddings.
	Semantic Mode = "semantic"
	// Keyword ranks by shared words (BM25).
	Keyword Mode = "keyword"
	// Hybrid ranks by a weighted sum of words, embeddings, and all other evidence about a chunk and its file.
	Hybrid Mode = "hybrid"
	// Fusion joins the rankings by words and by embeddings by reciprocal ranks.
	Fusion Mode = "fusion"
)

// Modes lists the modes that a Request may have.
var Modes = []Mode{Auto, Semantic, Keyword, Hybrid, Fusion}

// Limits of a request.
const (
	DefaultLimit = 15
	MaxLimit     = 100
)

// A Filter restricts the chunks that a request considers, before its best hits are chosen. A chunk must satisfy all
// fields; an empty field allows everything. Case never matters.
type Filter struct {
	// ChunkTypes allows chunks of any of these types.
	ChunkTypes []string
	// Tags allows chunks that have all of these tags.
	Tags []string
	// Languages allows chunks in any of these languages, by name or alias.
	Languages []string
	// Path is a glob over file paths: "lib/**", "*.go" (without a slash: in any folder),
	// or the name of a folder or file at any depth.
	Path string
	// SymbolType allows chunks that declare a symbol of this kind.
	SymbolType string
	// SymbolName is a glob over the symbol's name, qualified or not. With a SymbolType, one symbol must satisfy both.
	SymbolName string
	// Tests is TestsNo for no test code, TestsOnly for test code alone, and "" for both.
	Tests string
}

// The values of Filter.Tests.
const (
	TestsNo   = "no"
	TestsOnly = "only"
)

// TestChoices lists the values of Filter.Tests.
func TestChoices() []string { return []string{TestsNo, TestsOnly} }

// A Request is a question or a query of exact search.
type Request struct {
	// Queries are the question: for Search one or more topics, whose hits are merged; for Exact a single query.
	Queries []string
	// Like asks Search for places similar to this one, instead of Queries: "PATH:LINE", or the identifier of a chunk.
	Like string
	// Limit is the greatest number of hits. 0 means DefaultLimit, a negative value all hits.
	Limit int
	// Offset is the number of hits to leave out, for paging.
	Offset int
	// Mode is for Search alone; "" means Auto.
	Mode   Mode
	Filter Filter
	// Context asks for lines around each hit.
	Context Around
	// MinScore is the least score of a hit, from 0 to 1, for Search alone; nil means the value of the Settings.
	MinScore *float64
	// Lines asks for the Lines of hits.
	Lines bool
	// Further asks Search with Lines for all hits in full. Without it, hits that a text of the default size does not
	// show have DetailPlace.
	Further bool
	// ByFile groups the hits of one file at the position of the best one. Limit and Offset then count files. For Search
	// alone.
	ByFile bool
	// Explain asks for the Reasons of hits, for Search alone.
	Explain bool
	// Counts asks for the Counts of the hits. CountsIn is the folder whose subfolders are counted, "" for the root.
	Counts   bool
	CountsIn string
}

// Apart returns a request for each of the queries.
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

// Bound returns the number of the last hit that the request asks for, Offset included; math.MaxInt if it asks for all.
func (r Request) Bound() int {
	if r.Limit < 0 {
		return math.MaxInt
	}
	return max(r.Offset, 0) + cmp.Or(r.Limit, DefaultLimit)
}

// Page returns the part of the list between the Offset and the Bound of the request.
func Page[T any](list []T, req Request) []T {
	first := min(max(req.Offset, 0), len(list))
	return list[first:min(req.Bound(), len(list))]
}

// Beyond returns a warning if the Offset of the request skips all n things; "" if it does not or if n is 0.
func Beyond(req Request, n int, one, many string) string {
	if n == 0 || req.Offset < n {
		return ""
	}
	return fmt.Sprintf("an offset of %d leaves nothing of %s", req.Offset, terminal.Count(n, one, many))
}

// Around asks for lines of the file around each hit. The zero value asks for none.
type Around struct {
	// Before and After are the numbers of lines before the hit and after it.
	Before, After int
	// Full asks for the innermost definition, or section of a document, that contains the hit.
	Full bool
	// Read asks for lines for a person to read, in Hit.Excerpts instead of Hit.Context: lines around each match instead
	// of around the hit or, with Full, the definition, even if it is the hit itself or longer than MaxContext.
	Read bool
	// Whole asks, with Read, for the hit itself without surrounding lines.
	Whole bool
}

// fullContext is the text that ParseAround reads as Around.Full.
const fullContext = "full"

// ParseAround parses a number of lines, or "full"; "" asks for nothing.
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

// ParseLines parses a number of lines for one side of a hit.
func ParseLines(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > MaxContext {
		return 0, hint.Wrap(fmt.Errorf("context %q", s), fmt.Sprintf("give a number of lines from 0 to %d", MaxContext))
	}
	return n, nil
}

const (
	// MaxContext is the greatest number of lines around a hit.
	MaxContext = 50
	// LineWidth is the number of characters after which lines of files are cut.
	LineWidth = 200
	// HighlightWidth is the number of characters of a line that a Highlight shows.
	HighlightWidth = 150
)
