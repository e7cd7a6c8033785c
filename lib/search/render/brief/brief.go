// Package brief writes answers of package search for assistants, which pay for every token. An answer and a number of
// tokens go in, and text comes out that says where each result is and shows the lines that answer:
//
//	lib/retry/backoff.go:40-58
//	func (b *Backoff) Next() time.Duration {
//	…57
//		return min(d, b.Max)
//
//	:12-18  type Backoff struct
//
// Exact search shows a use of the name that was asked for as one line, and any declaration of one line is one:
//
//	lib/retry/client.go:31  delay := b.Next()  (in Client.Do, also 44)
//
// Each result has its place. The best results have lines, the others their signature. "…57" stands for lines that are
// left out before line 57. Results of one file are together under its path, each line of a file appears once, and
// nothing is escaped.
//
// Package show has chosen the lines of the hits and their worth. Begin with brief.go. budget.go and tokens.go say how
// many tokens an answer may take and what a text costs, levels.go in which order they are spent, plan.go which results
// come first, and layout.go spends them. place.go writes the place of a result, excerpt.go its lines, of which
// reading.go has the worth. json.go keeps an answer in JSON to a number of tokens.
package brief

import (
	"fmt"
	"strings"

	"cortex/lib/search/answer"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// Bounds are the names of what a reader raises to see more.
type Bounds struct{ Limit, Tokens string }

var (
	// Arguments are the bounds of a tool.
	Arguments = Bounds{"limit", "max_tokens"}
	// Flags are the bounds of a command.
	Flags = Bounds{"--limit", "--max-tokens"}
)

// Text returns the response as text of at most maxTokens tokens (see Cost), or more if the place of the best result
// needs more. A last line about results that are left out names the bounds.
func Text(r *answer.Response, maxTokens int, bounds Bounds) string {
	p := &forQuestion
	switch exact := r.Metadata.Source == answer.SourceExact; {
	case exact && maxTokens > DefaultTokens:
		p = &forMoreExact
	case exact:
		p = &forExact
	case maxTokens > DefaultTokens:
		p = &forMore
	}
	return text(r, maxTokens, p, &bounds)
}

// maxTopic is the number of characters of a topic in the heading of its answer.
const maxTopic = 60

// Topics returns the answers to several topics as text of at most maxTokens tokens, each under a heading. Each topic
// gets an equal share of the tokens that are left.
func Topics(responses []*answer.Response, maxTokens int, bounds Bounds) string {
	if len(responses) == 1 {
		return Text(responses[0], maxTokens, bounds)
	}
	p := &forTopic
	if maxTokens > topicTokens*len(responses) {
		p = &forQuestion
	}
	var b strings.Builder
	for i, r := range responses {
		part := "# " + shorten.End(shorten.Line(terminal.Clean(r.Query)), maxTopic+1) + "\n"
		part += text(r, maxTokens/(len(responses)-i)-Cost(part), p, nil) + "\n\n"
		maxTokens -= Cost(part)
		b.WriteString(part)
	}
	return strings.TrimRight(b.String(), "\n")
}

// text writes a response by a policy. With bounds, it adds the words of concepts and a last line about results that are
// left out.
func text(r *answer.Response, maxTokens int, p *policy, bounds *Bounds) string {
	var before, after strings.Builder
	if r.Doubt != "" {
		before.WriteString(terminal.Clean(r.Doubt) + "\n")
	}
	if r.Metadata.Warning != "" {
		before.WriteString(terminal.Clean(r.Metadata.Warning) + "\n")
	}
	if r.NoMatch != nil {
		before.WriteString(terminal.CleanLines(r.NoMatch.Message) + "\n")
	}
	if bounds != nil && len(r.Metadata.Also) > 0 {
		after.WriteString("also as: " + strings.Join(r.Metadata.Also, ", ") + "\n")
	}
	results := together(r.Results)
	budget := maxTokens - Cost(before.String()) - Cost(after.String()) - noteTokens
	blocks, cut, complete := fit(results, budget, p)
	left := cut
	if !complete {
		left += max(r.TotalFound-r.Offset-len(r.Results), 0)
	}
	var b strings.Builder
	b.WriteString(before.String())
	for i, block := range blocks {
		if i > 0 && (block.shows() || blocks[i-1].shows()) {
			b.WriteByte('\n')
		}
		if i > 0 && blocks[i-1].path == block.path {
			block.text = strings.TrimPrefix(block.text, block.path)
		}
		b.WriteString(block.text)
	}
	b.WriteString(after.String())
	if bounds == nil {
		return strings.TrimSuffix(b.String(), "\n")
	}
	if left > 0 && len(blocks) > 0 && r.Metadata.Source == answer.SourceExact {
		raise := bounds.Limit + " and " + bounds.Tokens
		switch cut {
		case 0:
			raise = bounds.Limit
		case left:
			raise = bounds.Tokens
		}
		fmt.Fprintf(&b, "%d more: add words or a path, or raise %s\n", left, raise)
	} else if cut > 0 {
		b.WriteString(terminal.Count(cut, "more result", "more results") + ": raise " + bounds.Tokens + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// noteTokens is the part of the budget that is reserved for the last line.
const noteTokens = 24
