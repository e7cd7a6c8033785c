package search

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/search/answer"
	"cortex/lib/search/rank"
	"cortex/lib/search/show"
	"cortex/lib/search/wording"
)

// A message is what a program has said, as its user sees it: "open a.txt: permission denied" for "open %s: %w". Its values are in no file, and its words
// may be anywhere; but the texts between the values stand in one literal of the code that makes it.

// messageWindow is how many of the best results are looked through for the literal of a message.
const messageWindow = 100

// A literal that makes less of a message than this is not taken for its source.
const (
	leastMessageWords   = 2
	leastMessageLetters = 9
	leastMessageShare   = 0.2 // of the letters of the message
)

// maxMessageNeedles bounds what is looked for in the text of each hit.
const maxMessageNeedles = 32

// messagesOf are the messages that a question in mode Auto may have, in lower case and with single spaces: all of it, and what it quotes. A message has a
// value in quotes, a number, a path or a colon; most questions have none of these. What a question that is no report quotes, in several words, is one or a piece of one, whatever it has.
func messagesOf(req answer.Request, topics []string) (messages []string) {
	if len(topics) != 1 || req.Mode != "" && req.Mode != answer.Auto {
		return nil
	}
	text := topics[0]
	if !strings.HasSuffix(text, "?") && strings.ContainsAny(text, `:'"/\[](){}<>=0123456789`) && strings.Count(text, " ") >= leastMessageWords {
		messages = append(messages, plainMessage(text))
	}
	if wording.Headline(text) != "" {
		return messages // a report quotes much
	}
	for _, match := range quotation.FindAllStringSubmatch(text, maxQuotations) {
		if quoted := plainMessage(cmp.Or(match[1:]...)); strings.Count(quoted, " ") >= leastMessageWords {
			messages = append(messages, quoted)
		}
	}
	return messages
}

// quotation is a text in quotes that stand at the ends of words, not within them as apostrophes do.
var quotation = regexp.MustCompile("(?:^|[\\s(])(?:\"([^\"\n]+)\"|'([^'\n]+)'|`([^`\n]+)`|“([^”\n]+)”)(?:$|[\\s).,:;?!])")

// maxQuotations bounds the quotations of a question that are looked for.
const maxQuotations = 4

func plainMessage(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// messagesFirst puts the results first whose code makes one of the messages, those that make most of it before others. It returns needles that find the literals
// in their text.
func (x *Index) messagesFirst(results []rank.Result, messages []string) ([]show.Needle, error) {
	window := results[:min(len(results), messageWindow)]
	var chunks []int
	of := map[int]int{} // the result of each chunk, by the chunk that stands for it
	for i := range window {
		for _, chunk := range append([]int{window[i].Chunk}, window[i].Parts...) {
			chunks = append(chunks, chunk)
			of[chunk] = window[i].Chunk
		}
	}
	if err := x.corpus.Generation.Prepare(chunks); err != nil {
		return nil, err
	}
	made := map[int]int{} // how many letters of a message each result makes
	says := map[string][]string{}
	for _, chunk := range chunks {
		c, err := x.corpus.Generation.Chunk(chunk)
		if err != nil {
			return nil, err
		}
		for literal := range literals(c.Text) {
			for _, message := range messages {
				if n := makes(literal, message); n >= leastMessageLetters && float64(n) >= leastMessageShare*float64(lettersIn(message)) {
					made[of[chunk]] = max(made[of[chunk]], n)
					says[plainMessage(hole.ReplaceAllString(literal, " "))] = hole.Split(literal, -1)
				}
			}
		}
	}
	if len(made) == 0 {
		return nil, nil
	}
	var needles []show.Needle
	for _, literal := range slices.Sorted(maps.Keys(says)) {
		for _, part := range says[literal] {
			if len(needles) < maxMessageNeedles {
				needles = append(needles, show.PhraseNeedles(part)...)
			}
		}
	}
	best := window[0]
	slices.SortStableFunc(window, func(a, b rank.Result) int { return made[b.Chunk] - made[a.Chunk] })
	for i := range window {
		if made[window[i].Chunk] > 0 {
			window[i].Score, window[i].Chance = max(window[i].Score, best.Score), max(window[i].Chance, best.Chance)
		}
	}
	return needles, nil
}

// literals are the texts in quotes that stand in one line each.
func literals(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			for i := 0; i < len(line); i++ {
				quote := line[i]
				if quote != '"' && quote != '\'' && quote != '`' || quote == '\'' && !opens.MatchString(line[max(i-3, 0):i]) {
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

// opens finds what may stand before a quote that is no apostrophe: no letter, or those by which languages mark literals.
var opens = regexp.MustCompile(`(?i)(^|[^\pL\d])([rbful]|[rbf]{2})?$`)

// hole is where a literal has the place of a value, or an escape: as printf, str.format, templates and interpolated strings write it.
var hole = regexp.MustCompile(`%\(\w+\)[-+#0-9.]*[a-zA-Z]|%[-+#0-9.*]*[a-zA-Z]|[$#]?\{[^{}]*\}|\\\([^()]*\)|\$\w+|\\.`)

// makes is how many letters of the message a literal makes: all if it has the whole message, else those of its texts between the values, all of which stand
// in the message in their order; 0 if they do not, or say too little.
func makes(literal, message string) int {
	if len(literal) >= len(message) && strings.Contains(plainMessage(literal), message) {
		return lettersIn(message)
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
	if words < leastMessageWords {
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
