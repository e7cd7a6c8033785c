// Package render writes the answers of package search for people at a terminal, for editors, and for programs that read
// JSON lines. Package brief writes answers for assistants.
package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/query"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// Options say how an answer is written.
type Options struct {
	// JSON asks for one JSON object per hit, as in the results of an answer.
	JSON bool
	// Color asks for ANSI escape sequences.
	Color bool
	// View says how paths are shown to the reader.
	View terminal.View
	// Rows bounds the rows of a Response on a screen with Columns columns, although each hit gets at least one row; 0
	// for no bound. Titles are cut at the last column.
	Columns, Rows int
	// Null makes File write names unchanged, each with a NUL at its end, for programs that read them.
	Null bool
}

// The styles, as parameters of SGR.
const (
	pathStyle, lineStyle, dimStyle, markStyle = "1;35", "32", "2", "1;31"
)

// Response writes the hits of an answer. For people, it first writes what is doubtful about the hits, and at the end
// their number.
func Response(w io.Writer, r *answer.Response, opts Options) error {
	if r.Doubt != "" && !opts.JSON {
		if _, err := io.WriteString(w, page{nil, opts}.paint(markStyle, terminal.Clean(r.Doubt))+"\n\n"); err != nil {
			return err
		}
	}
	room := opts.Rows - len(r.Results) - 1 // each hit has at least one row, and so has the summary
	for i := range r.Results {
		h := r.Results[i]
		if opts.Rows > 0 {
			more := rowsOf(&h, opts) - 1
			if i > 0 && more > room {
				more, room = 0, 0 // so that no later hit is shown in full
				h.Detail = answer.DetailPlace
			}
			room -= more
		}
		if err := Hit(w, &h, opts); err != nil {
			return err
		}
	}
	return Summary(w, len(r.Results), r.TotalFound, r.Metadata, opts)
}

// rowsOf returns the number of rows that a hit takes on the screen, where long lines wrap.
func rowsOf(h *answer.Hit, opts Options) int {
	opts.Color = false
	var b strings.Builder
	page{&b, opts}.hit(h)
	rows := strings.Count(b.String(), "\n")
	if opts.Columns > 0 {
		for line := range strings.Lines(b.String()) {
			rows += max(utf8.RuneCountInString(line)-2, 0) / opts.Columns // the last character is the line break
		}
	}
	return rows
}

// Hit writes one hit.
func Hit(w io.Writer, h *answer.Hit, opts Options) error {
	if opts.JSON {
		return writeJSON(w, h)
	}
	var b strings.Builder
	page{&b, opts}.hit(h)
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary writes for people how many hits were written, if any, and for exact search how many were found. For a
// question, the number found is not shown: it counts all chunks that share a word with the question, which tells
// nothing.
func Summary(w io.Writer, written, found int, m answer.ResponseMetadata, opts Options) error {
	if opts.JSON || written == 0 {
		return nil
	}
	count := fmt.Sprintf("%d of %s", written, terminal.Count(found, "hit", "hits"))
	if m.Source != answer.SourceExact {
		count = terminal.Count(written, "place", "places")
	}
	p := page{nil, opts}
	_, err := io.WriteString(w, p.paint(dimStyle, fmt.Sprintf("%s, %s, %g ms", count, m.Source, m.TookMS))+"\n")
	return err
}

// NoMatch writes, as JSON, why nothing was found.
func NoMatch(w io.Writer, why *answer.NoMatch) error {
	return writeJSON(w, struct {
		NoMatch *answer.NoMatch `json:"no_match"`
	}{why})
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Line writes a matching line as grep does, path:line:text, or for editors with the column of the first match in bytes:
// path:line:column: text.
func Line(w io.Writer, l *answer.MatchedLine, column bool, opts Options) error {
	var b strings.Builder
	p := page{&b, opts}
	text := l.Text
	b.WriteString(p.paint(pathStyle, terminal.Clean(opts.View.Path(l.Tree, l.FilePath))) + ":" + p.paint(lineStyle, fmt.Sprint(l.Number)) + ":")
	if column {
		at := 1
		if len(l.Matches) > 0 {
			at += l.Matches[0][0]
		}
		fmt.Fprintf(&b, "%d: ", at)
	}
	at := 0
	for _, m := range l.Matches {
		b.WriteString(terminal.Clean(text[at:m[0]]) + p.paint(markStyle, terminal.Clean(text[m[0]:m[1]])))
		at = m[1]
	}
	b.WriteString(terminal.Clean(text[at:]) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// File writes the path of a file.
func File(w io.Writer, tree, path string, opts Options) error {
	if opts.Null {
		_, err := io.WriteString(w, opts.View.Path(tree, path)+"\x00")
		return err
	}
	p := page{nil, opts}
	_, err := io.WriteString(w, p.paint(pathStyle, terminal.Clean(opts.View.Path(tree, path)))+"\n")
	return err
}

type page struct {
	b    *strings.Builder
	opts Options
}

func (p page) paint(style, text string) string { return terminal.Paint(p.opts.Color, style, text) }

// hit writes the place of a hit, a description, and the lines that show why it was found.
func (p page) hit(h *answer.Hit) {
	head := headOf(h)
	p.place(&h.Chunk.Metadata, head)
	if h.Detail == answer.DetailPlace {
		return
	}
	p.describe(h, head.what)
	if h.Excerpts != nil {
		p.excerpts(h)
	} else {
		p.highlights(h)
	}
	p.b.WriteByte('\n')
}

// A head says what is on a line of a hit.
type head struct {
	line        int
	what, title string
}

// headOf returns the declaration that was asked for, or else the best part of the hit, or else all of it.
func headOf(h *answer.Hit) head {
	m := &h.Chunk.Metadata
	if s := h.Symbol; s != nil {
		return head{s.Line, string(s.Type), string(s.Type) + " " + s.Name}
	}
	line := m.StartLine
	// The title is that of the best part.
	if i := slices.IndexFunc(h.Parts, func(part answer.Part) bool { return part.ID == h.Chunk.ID }); i >= 0 && !isOfHit(h, &h.Parts[0]) {
		line = h.Parts[i].StartLine
	}
	return head{line, cmp.Or(string(m.SymbolType), string(h.Chunk.ChunkType)), cmp.Or(m.SymbolSignature, h.Chunk.Title)}
}

// isOfHit reports whether a part is of the definition after which the hit is titled.
func isOfHit(h *answer.Hit, part *answer.Part) bool {
	return h.Chunk.ChunkType == record.Implementations && notation.WholeTitle(part.Title) == notation.WholeTitle(h.Chunk.Title)
}

// place writes where a hit is and its title, cut at the last column.
func (p page) place(m *record.Metadata, head head) {
	place := terminal.Clean(fmt.Sprintf("%s:%d", p.path(m), max(head.line, 1)))
	title := terminal.Clean(strings.TrimPrefix(shorten.Line(head.title), m.FilePath+": "))
	if p.opts.Columns > 0 {
		left := p.opts.Columns - utf8.RuneCountInString(place) - 2
		if title = shorten.End(title, left); left <= 0 {
			title = ""
		}
	}
	p.b.WriteString(strings.TrimRight(p.paint(pathStyle, place)+"  "+title, " ") + "\n")
}

// describe writes what a hit is, its lines and those of its parts, its twins, and why it is where it is.
func (p page) describe(h *answer.Hit, what string) {
	m := &h.Chunk.Metadata
	p.dim(fmt.Sprintf("%s · %s · %s · score %.2f", terminal.Clean(what), lines(m.StartLine, m.EndLine), h.Match, h.Score))
	for i := range h.Parts {
		if part := &h.Parts[i]; !isOfHit(h, part) {
			p.dim(lines(part.StartLine, part.EndLine) + " · " + terminal.Clean(shorten.Line(part.Title)))
		}
	}
	for _, twin := range h.Twins {
		p.dim(fmt.Sprintf("also in %s:%d-%d", terminal.Clean(p.opts.View.Path(twin.Tree, twin.FilePath)), twin.StartLine, twin.EndLine))
	}
	if len(h.Reasons) > 0 {
		p.dim(reasons(h.Reasons))
	}
}

// dim writes a row of a description.
func (p page) dim(text string) { p.b.WriteString("  " + p.paint(dimStyle, text) + "\n") }

// highlights writes the lines of the highlights of a hit, with the matches marked.
func (p page) highlights(h *answer.Hit) {
	for _, piece := range h.Highlights {
		number := piece.Line
		for line := range strings.SplitSeq(piece.Text, "\n") {
			p.line(number, p.marked(terminal.Clean(line)))
			if number > 0 {
				number++
			}
		}
	}
}

// line writes a line of a file with its number; 0 means no number.
func (p page) line(number int, text string) {
	label := ""
	if number > 0 {
		label = fmt.Sprint(number)
	}
	fmt.Fprintf(p.b, "%s  %s\n", p.paint(lineStyle, fmt.Sprintf("%7s", label)), text)
}

// excerpts writes the excerpts of a hit, with -- between them, and marks the matches in lines of highlights.
func (p page) excerpts(h *answer.Hit) {
	marked := map[int]string{}
	for _, piece := range h.Highlights {
		if piece.Line == 0 {
			continue
		}
		number := piece.Line
		for line := range strings.SplitSeq(piece.Text, "\n") {
			marked[number] = line
			number++
		}
	}
	for i, e := range h.Excerpts {
		if i > 0 {
			fmt.Fprintf(p.b, "%s\n", p.paint(dimStyle, fmt.Sprintf("%7s", "--")))
		}
		number := e.StartLine
		for line := range strings.SplitSeq(e.Text, "\n") {
			// A highlight cuts a long line around its match; the excerpt has the line whole or cut at its end.
			if own, ok := marked[number]; ok && (page{}.marked(own) == line || strings.HasSuffix(line, "…")) {
				p.line(number, p.marked(terminal.Clean(own)))
			} else {
				p.line(number, terminal.Clean(line))
			}
			if number > 0 {
				number++
			}
		}
	}
}

// reasons lists signals with the gain of each, and its value in brackets.
func reasons(list []answer.Reason) string {
	var b strings.Builder
	for i, r := range list {
		if i > 0 {
			b.WriteString(" · ")
		}
		fmt.Fprintf(&b, "%s %+.2f (%.2f)", r.Signal, r.Gain, r.Value)
	}
	return b.String()
}

func (p page) path(m *record.Metadata) string { return p.opts.View.Path(m.Tree, m.FilePath) }

// marked turns the marks of a highlight into colour, or removes them.
func (p page) marked(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "<mark>")
		if !ok {
			b.WriteString(text)
			return b.String()
		}
		inside, after, ok := strings.Cut(rest, "</mark>")
		if !ok {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before + p.paint(markStyle, inside))
		text = after
	}
}

// QueryError returns an error that shows the place in the query; the suggestion becomes the hint.
func QueryError(e *query.Error) error {
	err := fmt.Errorf("query: position %d: %s\n%s", e.Position, e.Problem, e.Pointer())
	if e.Suggestion == "" {
		return err
	}
	return hint.Wrap(err, e.Suggestion)
}

// lines names the lines of a place.
func lines(start, end int) string {
	if start == end {
		return fmt.Sprintf("line %d", start)
	}
	return fmt.Sprintf("lines %d-%d", start, end)
}
