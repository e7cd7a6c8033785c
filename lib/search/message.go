package search

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/rank"
	"cortex/lib/search/show"
	"cortex/lib/search/wording"
)

// A message is the output of a program as its user sees it: "open a.txt: permission denied" for "open %s: %w". No file
// has its values, and its words may occur anywhere; but the texts between the values are in one literal of the code
// that produces it.

// messageWindow is the number of best results that are searched for the literal of a message.
const messageWindow = 100

// A literal must produce at least this much of a message to count as its source.
const (
	leastMessageWords   = 2
	leastMessageLetters = 9
	leastMessageShare   = 0.2 // share of the letters of the message
	leastFragmentShare  = 0.5 // the same for a literal without values that is only part of a clause
)

// maxMessageNeedles bounds the needles that mark literals in the text of a hit.
const maxMessageNeedles = 32

// messagesOf returns the messages that a question in the mode Auto may contain, in lower case and with single spaces:
// the whole question if it has a value in quotes, a number, a path or a colon, which most questions do not have; and,
// unless the question is a report, its quotations of several words.
func messagesOf(req answer.Request, topics []string) (messages []string) {
	if len(topics) != 1 || req.Mode != "" && req.Mode != answer.Auto {
		return nil
	}
	text := topics[0]
	if !strings.HasSuffix(text, "?") && strings.ContainsAny(text, `:'"/\[](){}<>=0123456789`) && strings.Count(text, " ") >= leastMessageWords {
		messages = append(messages, plainMessage(text))
	}
	if wording.Headline(text) != "" {
		return messages // a report quotes many texts
	}
	for _, match := range quotation.FindAllStringSubmatch(text, maxQuotations) {
		if quoted := plainMessage(cmp.Or(match[1:]...)); strings.Count(quoted, " ") >= leastMessageWords {
			messages = append(messages, quoted)
		}
	}
	return messages
}

// quotation matches a text in quotes at the edges of words. An apostrophe within a word is no quote.
var quotation = regexp.MustCompile("(?:^|[\\s(])(?:\"([^\"\n]+)\"|'([^'\n]+)'|`([^`\n]+)`|“([^”\n]+)”)(?:$|[\\s).,:;?!])")

// maxQuotations bounds the quotations of a question that are used.
const maxQuotations = 4

func plainMessage(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// messagesFirst moves the results whose code produces one of the messages to the front, in descending order of how much
// of it they produce. If the topic is a message and code has all of it, only these results remain. If none produces
// any of it and the topic points to no line, the code that exact search takes for the maker of the topic comes first.
// It returns needles for the literals.
func (x *Index) messagesFirst(ctx context.Context, results []rank.Result, messages []string, topic string, pointed bool, req answer.Request) ([]rank.Result, []show.Needle, error) {
	p := &producers{x: x, window: results[:min(len(results), messageWindow)], of: map[int]int{}, made: map[int]int{}, says: map[string][]string{}}
	if err := p.read(ctx, messages); err != nil {
		return nil, nil, err
	}
	whole := messages[0] == plainMessage(topic) && wording.Headline(topic) == ""
	if len(p.made) == 0 && whole && !pointed {
		if err := p.addMakers(ctx, topic, req.Filter); err != nil {
			return nil, nil, err
		}
	}
	if len(p.made) == 0 {
		return results, nil, nil
	}
	p.sort()
	if best := p.window[0].Chunk; whole && p.made[best] == lettersIn(messages[0]) && x.corpus.Generation.ChunkType(best) != record.Documentation {
		results = slices.DeleteFunc(p.window, func(r rank.Result) bool { return p.made[r.Chunk] == 0 })
	}
	return results, p.needles(), nil
}

// producers are those of the best results whose code produces a message.
type producers struct {
	x      *Index
	window []rank.Result
	// of has for each chunk of a result the Chunk of the result.
	of map[int]int
	// made has the number of letters of a message that each result produces, by its Chunk.
	made map[int]int
	// says has the texts between the values of each literal that produces a message, by the plain literal.
	says map[string][]string
}

// read finds the results whose chunks produce one of the messages.
func (p *producers) read(ctx context.Context, messages []string) error {
	var chunks []int
	for i := range p.window {
		for _, chunk := range append([]int{p.window[i].Chunk}, p.window[i].Parts...) {
			chunks = append(chunks, chunk)
			p.of[chunk] = p.window[i].Chunk
		}
	}
	if err := p.x.corpus.Generation.Prepare(chunks); err != nil {
		return err
	}
	for _, chunk := range chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := p.x.corpus.Generation.Chunk(chunk)
		if err != nil {
			return err
		}
		text := plainMessage(c.Text)
		for _, message := range messages {
			if strings.Contains(text, message) {
				p.made[p.of[chunk]] = lettersIn(message)
			}
		}
		for literal := range literals(c.Text) {
			for _, message := range messages {
				if n := makes(literal, message); n > 0 {
					p.made[p.of[chunk]] = max(p.made[p.of[chunk]], n)
					p.says[plainMessage(hole.ReplaceAllString(literal, " "))] = hole.Split(literal, -1)
				}
			}
		}
	}
	return nil
}

// addMakers adds the results that exact search takes for the makers of the topic, in its order. An error of the search
// means that there are none.
func (p *producers) addMakers(ctx context.Context, topic string, filter answer.Filter) error {
	makers, err := p.x.FindOrMakers(ctx, answer.Request{Queries: []string{topic}, Filter: filter, Limit: maxMakers})
	if err != nil || makers.Doubt == "" {
		return nil
	}
	page, err := makers.page()
	if err != nil {
		return err
	}
	for i, m := range page {
		if result, ok := p.of[m.Chunk]; ok && p.x.corpus.Generation.ChunkType(m.Chunk) != record.Documentation {
			p.made[result] = max(p.made[result], len(page)-i)
		}
	}
	return nil
}

// sort moves the results that produce most of a message to the front, and gives them at least the score of the first.
func (p *producers) sort() {
	first := p.window[0]
	slices.SortStableFunc(p.window, func(a, b rank.Result) int { return p.made[b.Chunk] - p.made[a.Chunk] })
	for i := range p.window {
		if r := &p.window[i]; p.made[r.Chunk] > 0 {
			r.Score, r.Chance = max(r.Score, first.Score), max(r.Chance, first.Chance)
		}
	}
}

// needles returns needles for the texts of the literals.
func (p *producers) needles() (needles []show.Needle) {
	for _, literal := range slices.Sorted(maps.Keys(p.says)) {
		for _, part := range p.says[literal] {
			if len(needles) < maxMessageNeedles {
				needles = append(needles, show.PhraseNeedles(part)...)
			}
		}
	}
	return needles
}

// maxMakers is the number of makers that exact search is asked for.
const maxMakers = 5

// leastShare returns the share of the letters of a message that a literal must produce to count as its source.
func leastShare(literal, message string) float64 {
	if value.MatchString(literal) || opensOrEnds.MatchString(literal) || isClause(plainMessage(hole.ReplaceAllString(literal, " ")), message) {
		return leastMessageShare
	}
	return leastFragmentShare
}

// opensOrEnds matches a literal to which code appends a value, or which it appends to one.
var opensOrEnds = regexp.MustCompile(`^\s|[\s:=]$`)

// isClause reports whether a part of the message is its beginning or follows a mark, and is its end or precedes a mark:
// a message that wraps another has its text between such marks.
func isClause(part, message string) bool {
	before, after, _ := strings.Cut(message, part)
	before, after = strings.TrimSpace(before), strings.TrimSpace(after)
	return (before == "" || strings.ContainsRune(clauseMarks, rune(before[len(before)-1]))) && (after == "" || strings.ContainsRune(clauseMarks, rune(after[0])))
}

// clauseMarks are the marks that separate the texts of a message.
const clauseMarks = ".,:;!?()[]{}<>\"'`|=-"

// literals iterates over the quoted texts with a space in them. A text must begin and end on one line.
func literals(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			unclosed := "" // the quotes that nothing closes in the rest of the line
			for i := 0; i < len(line); i++ {
				quote := line[i]
				if quote != '"' && quote != '\'' && quote != '`' || strings.IndexByte(unclosed, quote) >= 0 || quote == '\'' && !opens.MatchString(line[max(i-3, 0):i]) {
					continue
				}
				end := i + 1
				for end < len(line) && line[end] != quote {
					if line[end] == '\\' && quote != '`' {
						end++
					}
					end++
				}
				if end >= len(line) {
					unclosed += string(quote)
					continue // an apostrophe, or a text of several lines
				}
				if strings.IndexByte(line[i+1:end], ' ') >= 0 && !yield(line[i+1:end]) {
					return
				}
				i = end
			}
		}
	}
}

// opens matches the text before an opening quote: no letter, or the prefix of a literal in some languages. It tells
// quotes from apostrophes.
var opens = regexp.MustCompile(`(?i)(^|[^\pL\d])([rbful]|[rbf]{2})?$`)

// value matches a placeholder for a value in a literal: those of printf, str.format, templates and interpolated
// strings.
var value = regexp.MustCompile(`%\(\w+\)[-+#0-9.]*[a-zA-Z]|%[-+#0-9.*]*[a-zA-Z]|[$#]?\{[^{}]*\}|\\\([^()]*\)|\$\w+`)

// hole matches a value or an escape.
var hole = regexp.MustCompile(value.String() + `|\\.`)

// makes returns the number of letters of the message that a literal produces: all letters if the literal contains the
// whole message. Otherwise they are those of its texts between the placeholders, if all of these are in the message in
// the same order; 0 if they are not, or are too few.
func makes(literal, message string) int {
	all := lettersIn(message)
	if len(literal) >= len(message) && strings.Contains(plainMessage(literal), message) {
		return all
	}
	words, letters, rest := 0, 0, message
	for _, part := range hole.Split(literal, -1) {
		part = plainMessage(part)
		n := lettersIn(part)
		if n == 0 {
			continue
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return 0
		}
		rest = rest[at+len(part):]
		letters += n
		words += strings.Count(part, " ") + 1
	}
	if words < leastMessageWords || letters < leastMessageLetters || float64(letters) < leastShare(literal, message)*float64(all) {
		return 0
	}
	return letters
}

func lettersIn(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
