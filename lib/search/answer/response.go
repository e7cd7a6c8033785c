package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
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
	// Offset is how many of the hits found precede Results.
	Offset        int              `json:"-"`
	TotalReturned int              `json:"total_returned"`
	Metadata      ResponseMetadata `json:"metadata"`
	// NoMatch says why nothing was found; nil if there are hits.
	NoMatch *NoMatch `json:"no_match,omitempty"`
	// Counts has the counts of the hits if the request asks for them.
	Counts *Counts `json:"-"`
	// Truncated is set if Fit left something out, and Note says what.
	Truncated bool   `json:"truncated,omitempty"`
	Note      string `json:"note,omitempty"`
}

// SourceExact is the Source of exact search. The Source of a question is its mode.
const SourceExact = "exact"

// ResponseMetadata says how a Response was made.
type ResponseMetadata struct {
	TookMS float64 `json:"took_ms"`
	// Source is SourceExact or a Mode.
	Source string `json:"source"`
	// Also are words of the results that the question lacks. The search looked for them because code probably uses them
	// for the subject of the question.
	Also []string `json:"also,omitempty"`
	// Doubtful is set if Response.Doubt is not "".
	Doubtful bool `json:"doubtful,omitempty"`
	// Warning says why the answer is not as good as it could be; "" if there is no reason.
	Warning string `json:"warning,omitempty"`
	// Far is set if Warning says that nothing is near to the question in meaning.
	Far bool `json:"-"`
	// Absent are the identifiers of the question that the index lacks.
	Absent []string `json:"-"`
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
	// Repository is the name of the hit's repository if several were searched, else "".
	Repository string `json:"repository,omitempty"`
	Chunk      Chunk  `json:"chunk"`
	// Score is from 0 to 1: for a question, the chance that the place answers it; for exact search, the quality of the
	// match relative to the best one; else a similarity.
	Score float64 `json:"score"`
	Match Match   `json:"match"`
	// Detail says what brief.Fit has left of the hit; "" means all.
	Detail Detail `json:"detail,omitempty"`
	// Symbol is the symbol that was asked for, in a chunk that declares several.
	Symbol *record.SymbolRef `json:"symbol,omitempty"`
	// Parts are the chunks of a hit that was merged from several, in the order of their lines. Chunk is then the best
	// of them, or the heading above them, with the texts of all.
	Parts []Part `json:"parts,omitempty"`
	// Ranges are the lines of the parts; ranges that touch are joined.
	Ranges []record.LineRange `json:"ranges,omitempty"`
	// Twins are places that say nearly the same, of a question in other files; of exact search they show the same lines.
	Twins []Twin `json:"twins,omitempty"`
	// Lines computes the lines of the hit in its file, if the request asks for lines. It is a function because most
	// hits are shown by their place alone, and reading the text of the others costs most.
	Lines func() []TellingLine `json:"-"`
	// LinesBytes is about how many bytes of memory Lines keeps in addition to the fields of the hit.
	LinesBytes int `json:"-"`
	// Uses are lines of the same file with constants, variables or errors that the hit uses and that have a word of the
	// question. They are set along with Lines.
	Uses []TellingLine `json:"-"`
	// Highlights are at most three pieces that show why the hit was found. They are empty if the request asks for lines
	// without surrounding lines.
	Highlights []Highlight `json:"highlights"`
	// Context are the surrounding lines, if the request asks for them.
	Context *Excerpt `json:"context,omitempty"`
	// Excerpts are the lines for a person, if the request asks for them: pieces of the file in the order of its lines.
	// An excerpt with StartLine 0 is the text of a hit without lines. JSON has Chunk.Text and Context instead.
	Excerpts []Excerpt `json:"-"`
	// Reasons are the signals that determined the score, if the request asks for them.
	Reasons []Reason `json:"reasons,omitempty"`
}

// A Chunk is the part of a record.Chunk that a Hit shows; it never holds an embedding. Its strings and tags are shared
// with the index and must not be changed.
type Chunk struct {
	ID        string           `json:"id"`
	ChunkType record.ChunkType `json:"chunk_type"`
	Title     string           `json:"title"`
	Text      string           `json:"text"`
	Tags      []string         `json:"tags"`
	// Metadata has in Symbols those that were asked for, or else the first ones.
	Metadata record.Metadata `json:"metadata"`
}

// A MatchedLine is a line of a file that matches.
type MatchedLine struct {
	FilePath, Tree string
	// Number counts from 1.
	Number int
	// Text is the line without its line break, as far as the chunk has it.
	Text string
	// Matches are the byte intervals [from, to) of Text that match, ascending.
	Matches [][2]int
}

// A Highlight is a piece of a chunk's text, of one to three lines.
type Highlight struct {
	// Line is the line of the file at which the piece begins; 0 if the text is not in the file, as in an outline.
	Line int `json:"line"`
	// Text is the piece with matches between <mark> and </mark> and nothing escaped. Long lines are cut.
	Text string `json:"text"`
	// Symbol is the qualified name of the declaration around the piece; "" if there is none.
	Symbol string `json:"symbol,omitempty"`
	// Matches are the matches in the file, including those that are cut off from Text.
	Matches []MatchRange `json:"matches,omitempty"`
}

// A MatchRange is a match in one line of a file.
type MatchRange struct {
	// Line and Column are the place of the first byte, both counted from 1, columns in bytes. Length is in bytes.
	Line   int `json:"line"`
	Column int `json:"column"`
	Length int `json:"length"`
	// Bytes is the interval [start, end) in the text of the file, without a byte order mark. In a chunk of several
	// pieces of a file it is set for matches in the first piece only, and nil for others.
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

// SortTwins sorts twins by path and line.
func SortTwins(list []Twin) {
	slices.SortFunc(list, func(a, b Twin) int {
		return cmp.Or(strings.Compare(a.FilePath, b.FilePath), cmp.Compare(a.StartLine, b.StartLine))
	})
}

// A Reason is the effect of one signal on the score of a hit.
type Reason struct {
	Signal string `json:"signal"`
	// Value is the value of the signal: from 0 to 1, and for Size and Prose also negative. For a reason that is no
	// signal, it is a factor.
	Value float64 `json:"value"`
	// Gain is what the signal adds to the score. The difference between the score and the sum of the gains is the same
	// for all hits of an answer: it keeps scores from being negative.
	Gain float64 `json:"gain"`
}

// A TellingLine is a line of a hit, with a measure of how much it shows why the hit answers.
type TellingLine struct {
	// Number is the line in the file, counted from 1.
	Number int
	Text   string
	// From is the offset in Text from which on to show a line that is too long to be shown whole.
	From int
	// Worth is 0 for a line that says nothing about the question.
	Worth float32
	// Declares is set for the line at which the declaration begins. Names is set as well if the declared name was
	// asked for, or a part of it and all other words are in the line.
	Declares, Names bool
	// Matches is the number of distinct words of the request in the line.
	Matches int
	// Dull is set for a line that is not worth showing, such as a licence notice, an import or a long literal, unless
	// the request is about such lines.
	Dull bool
}

// An Excerpt is a piece of a file as it was when it was indexed.
//
// As a Hit.Context it has at most MaxContext lines, each cut after LineWidth characters; of a longer piece it keeps the
// lines around the declaration that was asked for, or else around the first highlight. It ends with the file, and it is
// nil if it would show only the hit itself. Chunks hold every line of a file except blank lines and, in some languages,
// a line that only closes a type; these lines are empty here.
type Excerpt struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
	// Text has a line feed after each line but the last.
	Text string `json:"text,omitempty"`
}

// A NoMatch says why a query matches nothing.
type NoMatch struct {
	// Message says everything in words, with one finding per line.
	Message string `json:"message"`
	// Terms are the terms that match nowhere.
	Terms []UnmatchedTerm `json:"terms,omitempty"`
	// Apart are two parts of the query that match, but never in the same chunk.
	Apart []string `json:"apart,omitempty"`
}

// An UnmatchedTerm is a term that matches nowhere.
type UnmatchedTerm struct {
	// Term is the term as the query writes it.
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

// Finish sets what follows from the other fields, and the time since start.
func (r *Response) Finish(start time.Time) {
	if r.Results == nil {
		r.Results = []Hit{}
	}
	r.TotalReturned, r.Metadata.Doubtful = len(r.Results), r.Doubt != ""
	r.Metadata.TookMS = math.Round(float64(time.Since(start).Microseconds())/10) / 100
}

// A Detail says what was removed from a hit to keep the answer within its budget.
type Detail string

// The details; whole hits have "".
const (
	// DetailCut marks a hit whose text ends early.
	DetailCut Detail = "cut"
	// DetailShort marks a hit with its signature, or its first line, in place of the text, and with highlights.
	DetailShort Detail = "short"
	// DetailPlace marks a hit that has only its place: no text, no title.
	DetailPlace Detail = "place"
)

// Shorten cuts a text of the request for an answer that repeats it.
func Shorten(text string) string {
	return shorten.End(text, maxWritten)
}

// maxWritten is the number of characters to which Shorten cuts.
const maxWritten = 80

// Counts says how many hits narrower requests would have. For exact search it counts all hits, for a question the best
// MaxLimit ones.
type Counts struct {
	// Total is the number of hits that are counted.
	Total int
	// Languages, Kinds and Folders count hits by the values of Filter.Languages, Filter.SymbolType and, one level below
	// Request.CountsIn, Filter.Path. A hit counts for each kind that it declares. The folder "" counts the files
	// directly in CountsIn.
	Languages, Kinds, Folders map[string]int
	// Tests counts hits in test code, Documents hits in documentation.
	Tests, Documents int
}
