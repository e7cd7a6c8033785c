package search

import (
	"cortex/lib/record"
	"cortex/lib/search/query"
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

// maxSymbols is the number of symbols that the metadata of a hit lists.
const maxSymbols = 10

// Settings shape what an Index holds and how it answers.
type Settings struct {
	// Stemmer names the language of the prose in documents (see Stemmers), in which a word is found in all its
	// forms; "" is DefaultStemmer, and NoStemmer finds words as they are written alone.
	Stemmer string
	// FuzzyDistance is how many edits away a term with ~ and no number may be, from 0 to 2; nil is 1. With 0, misspelt words of
	// questions are taken as they are, too.
	FuzzyDistance *int
	// MinScore is Request.MinScore for requests that have none.
	MinScore float64
	// Merging is how hits of one document become one, nil for DefaultMerging.
	Merging *Merging
}

// fuzziness is how many edits away a term with a bare ~ may be.
func (s *Settings) fuzziness() int {
	if s.FuzzyDistance == nil {
		return 1
	}
	return *s.FuzzyDistance
}

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
	// ByFile puts the places of one file together, where the best of them stands; Limit and Offset then count files. For Search alone.
	ByFile bool
	// Explain asks for the Reasons of hits, for Search alone.
	Explain bool
}

// A Response answers a Request.
type Response struct {
	// Doubt says that the hits of a question are guesses, and why; "" if they are not.
	Doubt string `json:"doubt,omitempty"`
	Query string `json:"query"`
	// Results are the hits, best first, ties in the order of chunk identifiers.
	Results []Hit `json:"results"`
	// TotalFound is the number of hits before Offset and Limit.
	TotalFound    int              `json:"total_found"`
	TotalReturned int              `json:"total_returned"`
	Metadata      ResponseMetadata `json:"metadata"`
	// NoMatch says why nothing was found; nil if anything was.
	NoMatch *NoMatch `json:"no_match,omitempty"`
	// Truncated tells that Fit has left something out, and Note what.
	Truncated bool   `json:"truncated,omitempty"`
	Note      string `json:"note,omitempty"`
}

// SourceExact is the Source of exact search; that of a question is the mode in which it was answered.
const SourceExact = "exact"

// ResponseMetadata says how a Response came about.
type ResponseMetadata struct {
	TookMS float64 `json:"took_ms"`
	// Source is what answered: SourceExact or a Mode.
	Source string `json:"source"`
	// Also are words of code that were looked for besides the question's own, since code is likely to have them for what it says.
	Also []string `json:"also,omitempty"`
	// Doubtful tells of Response.Doubt.
	Doubtful bool `json:"doubtful,omitempty"`
	// Warning says why the answer is not as good as it could be, "" if it is.
	Warning string `json:"warning,omitempty"`
}

// A Match says which index found a hit.
type Match string

// The matches.
const (
	MatchSemantic Match = "semantic"
	MatchKeyword  Match = "keyword"
	MatchBoth     Match = "both"
)

// A Hit is one chunk that answers the question.
type Hit struct {
	// Repository is the name of that in which the hit is, where several were searched; "" otherwise.
	Repository string `json:"repository,omitempty"`
	Chunk      Chunk  `json:"chunk"`
	// Score is in 0..1.
	Score float64 `json:"score"`
	Match Match   `json:"match"`
	// Detail says what Response.Fit has left of the hit; "" is all.
	Detail Detail `json:"detail,omitempty"`
	// Symbol is, in a chunk that declares several, the one that was asked for.
	Symbol *record.SymbolRef `json:"symbol,omitempty"`
	// Parts are the chunks of which a hit consists that was merged from several, in the order of their lines: Chunk is
	// then the best of them, or the heading above them, with the texts of all.
	Parts []Part `json:"parts,omitempty"`
	// Ranges are the lines of the parts, those that touch joined.
	Ranges []record.LineRange `json:"ranges,omitempty"`
	// Twins are places in other files that say nearly the same.
	Twins []Twin `json:"twins,omitempty"`
	// Lines are those of the hit in its file, if they were asked for.
	Lines []TellingLine `json:"-"`
	// Uses are lines of the same file, with constants, variables or errors that the hit uses and that have a word of the question, along with Lines.
	Uses []TellingLine `json:"-"`
	// Highlights are at most three places that show why.
	Highlights []Highlight `json:"highlights"`
	// Context are the lines around the hit, if they were asked for.
	Context *Excerpt `json:"context,omitempty"`
	// Excerpts are the lines for a person, if they were asked for: pieces of the file in the order of its lines. One that begins in line 0 is the text of a
	// hit that is in no line. JSON has Chunk.Text and Context.
	Excerpts []Excerpt `json:"-"`
	// Reasons are the signals that put the hit where it is, if they were asked for.
	Reasons []Reason `json:"reasons,omitempty"`
}

// A Chunk is what a Hit shows of a record.Chunk; it never holds an embedding. Its
// strings and tags are shared with the index and must not be changed.
type Chunk struct {
	ID        string           `json:"id"`
	ChunkType record.ChunkType `json:"chunk_type"`
	Title     string           `json:"title"`
	Text      string           `json:"text"`
	Tags      []string         `json:"tags"`
	// Metadata.Symbols are those that were asked for, or else the first ones.
	Metadata record.Metadata `json:"metadata"`
}

// A Highlight is a piece of a chunk's text, of one to three lines.
type Highlight struct {
	// Line is the line of the file at which the piece begins; 0 where the text is not
	// in the file, such as an outline.
	Line int `json:"line"`
	// Text is the piece with matches between <mark> and </mark> and nothing escaped. Long lines are cut.
	Text string `json:"text"`
	// Symbol is the qualified name of the declaration around the piece; "" if there is none.
	Symbol string `json:"symbol,omitempty"`
	// Matches are the places of the file that match, also where they are cut off from Text.
	Matches []MatchRange `json:"matches,omitempty"`
}

// A MatchRange is a match in one line of a file.
type MatchRange struct {
	// Line and Column are where it begins, both counted from 1, columns in bytes; Length is its length in bytes.
	Line   int `json:"line"`
	Column int `json:"column"`
	Length int `json:"length"`
	// Bytes is the interval [start, end) in the text of the file, without a byte order mark. A chunk that shows
	// pieces of a file knows it for the first of them alone; nil for others.
	Bytes *[2]int `json:"bytes,omitempty"`
}

// A QueryError points to the fault in a query that cannot be understood.
type QueryError = query.Error
