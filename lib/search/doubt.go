package search

import (
	"context"
	"fmt"
	"strings"
)

// Doubt.
//
// A question always has nearest chunks, so nonsense has hits, too. But few of its words occur in the index, code has no words for what it says (see
// concepts.go), and its nearest chunk is as far as that of other nonsense. Where all of this holds, an answer begins by saying that its hits
// are guesses.
//
// How near is near depends on the model: embed.Card.Near says it where it was measured. In the built-in model it parts the best cosines of
// nonsense from those of most questions that have an answer; no difference to the other chunks of the index, such as standard deviations
// above their mean, does that. Questions in words that the code does not use are no nearer than nonsense, and are told from it by their
// concepts. scripts/relevance --nonsense measures both kinds of mistakes.

const (
	// leastKnown is the share of a topic's words, by their weight and rarity, that must occur where nothing is near in meaning. Words of
	// concepts count beside them.
	leastKnown = 0.4
	// misspeltShare is what a word counts there that occurs only in another spelling. Most short words are one edit away from another.
	misspeltShare = 0.5
	// conceptShare is what a word of a concept counts there, of which a phrase may call up many by half of its words.
	conceptShare = 0.5
)

// A doubt is how far the hits of a topic are guesses.
type doubt uint8

const (
	// sure: the words of the topic occur, or a chunk is near to it in meaning.
	sure doubt = iota
	// byMeaning: no word occurs, and nobody knows what is near in this model.
	byMeaning
	// guesses: few words occur, and nothing is near in meaning.
	guesses
)

// judge tells how far what was found for the asker's topic are guesses, and which of its words occur.
func (a *asker) judge(ctx context.Context, mode Mode) (doubt, []string, error) {
	near := 0.0
	if mode != Keyword {
		near = a.x.embedder.Card().Near
		if near > 0 && len(a.meaning) > 0 && a.meaning[0].score >= near {
			return sure, nil, nil
		}
	}
	terms := a.terms
	// Mode Semantic has not looked at words, and of a long text only those that occur are among the terms.
	if a.words == nil || a.headline != nil {
		a.text = a.x.text
		var err error
		if terms, err = a.x.terms(a.text, a.topic); err != nil {
			return sure, nil, err
		}
		words, err := a.x.wordScores(ctx, a.text, terms, a.allowed)
		if err != nil {
			return sure, nil, err
		}
		if a.words == nil {
			a.words = words
			if err := a.addConcepts(ctx); err != nil {
				return sure, nil, err
			}
		}
	}
	var known, all float32
	var words []string
	for _, t := range terms {
		all += t.rarity
		switch {
		case !t.occurs:
		case t.misspelt:
			known += misspeltShare * t.rarity
		default:
			known += t.rarity
			if t.weight == 1 {
				words = append(words, t.word)
			}
		}
	}
	known += conceptShare * a.byConcepts
	switch {
	case mode != Keyword && near > 0 && known < leastKnown*all:
		return guesses, words, nil
	case known > 0:
		return sure, nil, nil
	case mode != Keyword && near == 0 && len(a.meaning) > 0:
		return byMeaning, nil, nil
	}
	return guesses, nil, nil
}

// doubts gathers what is in doubt about the topics of a request.
type doubts struct {
	topics           int
	guesses, unknown []string
	// words are those of the guesses that occur after all.
	words             []string
	filtered, keyword bool
}

func (d *doubts) add(topic string, found *answer) {
	d.topics++
	switch found.doubt {
	case guesses:
		d.guesses = append(d.guesses, topic)
		d.words = append(d.words, found.known...)
		d.keyword = d.keyword || found.mode == Keyword
	case byMeaning:
		d.unknown = append(d.unknown, topic)
	}
}

// all reports whether all hits are guesses.
func (d *doubts) all() bool { return d.topics > 0 && len(d.guesses) == d.topics }

// tell says in the response what is in doubt.
func (d *doubts) tell(r *Response) {
	if len(d.guesses)+len(d.unknown) == 0 {
		return
	}
	of, where := "the question", "here"
	if d.topics > 1 {
		of = "any topic"
	}
	if d.filtered {
		where = "in what the filter admits"
	}
	what := fmt.Sprintf("no word of %s occurs %s", of, where)
	switch n := len(d.words); {
	case n == 1:
		what = fmt.Sprintf("of the words of %s only %s occurs %s", of, listed(d.words), where)
	case n > 1:
		what = fmt.Sprintf("of the words of %s only %s occur %s", of, listed(d.words), where)
	}
	const far = ", and nothing is near in meaning"
	switch {
	case d.all():
		if !d.keyword {
			what += far
		}
		if len(r.Results) > 0 {
			r.Doubt, r.Metadata.Doubtful = what+": these are guesses", true
		} else if r.NoMatch == nil {
			r.NoMatch = &NoMatch{Message: what}
		}
	case len(d.guesses) > 0:
		r.Metadata.Warning = fmt.Sprintf("nothing is shown for %s: few of the words occur %s%s", listed(d.guesses), where, far)
	case len(d.unknown) == d.topics:
		r.Metadata.Warning = what + ": all hits are by meaning alone"
	}
}

// maxListed bounds the words or topics that a sentence names.
const maxListed = 5

func listed(names []string) string {
	var list []string
	for _, name := range names[:min(len(names), maxListed)] {
		list = append(list, fmt.Sprintf("%q", shortened(name)))
	}
	return strings.Join(list, ", ")
}
