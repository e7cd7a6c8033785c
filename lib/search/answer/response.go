package answer

import (
	"fmt"
	"math"
	"time"

	"cortex/lib/record"
	"cortex/lib/shorten"
)

// A Response answers a Request.
type Response struct {
	// Doubt says that the hits of a question are guesses, and why; "" if they are not.
	Doubt string `json:"doubt,omitempty"`
	Query string `json:"query"`
	// Results are the hits, best first, ties in the order of chunk identifiers.
	Results []Hit `json:"results"`
	// TotalFound is the number of hits before Offset and Limit.
	TotalFound int `json:"total_found"`
	// Offset is how many of these stand before Results.
	Offset        int              `json:"-"`
	TotalReturned int              `json:"total_returned"`
	Metadata      ResponseMetadata `json:"metadata"`
	// NoMatch says why nothing was found; nil if anything was.
	NoMatch *NoMatch `json:"no_match,omitempty"`
	// Counts are those of the hits, if they were asked for.
	Counts *Counts `json:"-"`
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
	// Also are words of the results that the question lacks. The search looked for them, since code is likely to use them for what the question asks.
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
	// Score is in 0..1: of a question, the chance that the place answers it; of a query of exact search, how good a match it is beside the
	// best one; else a likeness.
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
	// Lines finds those of the hit in its file, if they were asked for. Most hits of an answer are shown by their place alone, and the others' texts cost the most to
	// go through.
	Lines func() []TellingLine `json:"-"`
	// Uses are lines of the same file, with constants, variables or errors that the hit uses and that have a word of the question, along with Lines.
	Uses []TellingLine `json:"-"`
	// Highlights are at most three places that show why; none where Lines were asked for, and nothing around them.
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

// A MatchedLine is a line of a file that matches.
type MatchedLine struct {
	FilePath, Tree string
	// Number counts from 1.
	Number int
	// Text is the line without its end, as far as the chunk has it.
	Text string
	// Matches are the bytes [from, to) of Text that match, ascending.
	Matches [][2]int
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

// A Part is one of the chunks that a hit consists of.
type Part struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}

// A Twin is a place that says nearly the same as the hit.
type Twin struct {
	ID        string `json:"id"`
	FilePath  string `json:"file_path"`
	Tree      string `json:"tree,omitempty"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}

// A Reason is what one signal gave a hit.
type Reason struct {
	Signal string `json:"signal"`
	// Value is from 0 to 1, those of Size and Prose from -1; for what is no signal of its own, a factor.
	Value float64 `json:"value"`
	// Gain is what it adds to the score. What the gains leave open is the same for all hits of an answer, since no score is negative.
	Gain float64 `json:"gain"`
}

// A TellingLine is a line of a hit, and how much it tells of why the hit answers.
type TellingLine struct {
	// Number is the line in the file, counted from 1.
	Number int
	Text   string
	// Worth is 0 for a line that says nothing about the question.
	Worth float32
	// Declares is set for the line at which the declaration begins, and Names as well if the name that is declared has what was asked for.
	Declares, Names bool
	// Matches is how many of the words that were asked for the line has.
	Matches int
	// Dull is set for a line that is not worth showing: a notice of a licence, an import, a long literal, for which nobody asked.
	Dull bool
}

// An Excerpt is a piece of a file as it was when it was indexed.
//
// It has at most MaxContext lines, of which each is cut after 200 characters; of a longer one those around the declaration that
// was asked for, or else the first highlight, are kept. It ends with the file, and there is none where it would show nothing but the hit itself would. Chunks hold
// every line of a file but blank ones and, in some languages, a line that only closes a type, which are empty here.
type Excerpt struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
	// Text are the lines with a line feed after each but the last.
	Text string `json:"text,omitempty"`
}

// A NoMatch says why a query finds nothing.
type NoMatch struct {
	// Message is all of it in words, one finding a line.
	Message string `json:"message"`
	// Terms are those that match nowhere.
	Terms []UnmatchedTerm `json:"terms,omitempty"`
	// Apart are two parts of the query each of which matches, never both in one chunk.
	Apart []string `json:"apart,omitempty"`
}

// An UnmatchedTerm matches nowhere.
type UnmatchedTerm struct {
	// Term is as it stands in the query.
	Term string `json:"term"`
	// Near are the nearest terms of the index, best first; there may be none.
	Near []NearTerm `json:"near"`
}

// A NearTerm is a term of the index.
type NearTerm struct {
	Term string `json:"term"`
	// Count is the number of chunks that a query for the term finds.
	Count int `json:"count"`
}

// Say adds a finding to the message.
func (n *NoMatch) Say(format string, args ...any) {
	if n.Message != "" {
		n.Message += "\n"
	}
	n.Message += fmt.Sprintf(format, args...)
}

// Finish counts the results and the time since start.
func (r *Response) Finish(start time.Time) {
	if r.Results == nil {
		r.Results = []Hit{}
	}
	r.TotalReturned = len(r.Results)
	r.Metadata.TookMS = math.Round(float64(time.Since(start).Microseconds())/10) / 100
}

// A Detail says what is missing of a hit, so that the answer keeps to its size.
type Detail string

// The details; whole hits have "".
const (
	// DetailCut has a text that ends early.
	DetailCut Detail = "cut"
	// DetailShort has the signature, or the first line, for its text, and the highlights.
	DetailShort Detail = "short"
	// DetailPlace says only where it is: no text, no title.
	DetailPlace Detail = "place"
)

// Shorten is text of a request as an answer repeats it.
func Shorten(text string) string {
	return shorten.End(text, maxWritten)
}

// maxWritten is the number of characters of a query that an explanation repeats in one place.
const maxWritten = 80

// Counts say how many hits each narrower request would have: of exact search all hits, of a question the best MaxLimit ones.
type Counts struct {
	// Total is the number of hits that are counted.
	Total int
	// Languages, Kinds and Folders count by Filter.Languages, Filter.SymbolType and, one level below Request.CountsIn, Filter.Path. A hit counts for each kind
	// that it declares. The folder "" has the files that are in CountsIn itself.
	Languages, Kinds, Folders map[string]int
	// Tests are hits in test code, Documents those in documentation.
	Tests, Documents int
}
