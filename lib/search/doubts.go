package search

import (
	"fmt"
	"strconv"
	"strings"

	"cortex/lib/search/answer"
	"cortex/lib/search/rank"
	"cortex/lib/shorten"
)

// doubts collects what is doubtful about the topics of a request.
type doubts struct {
	topics, far      int
	guesses, unknown []string
	// words are the words of the topics in guesses that do occur.
	words             []string
	filtered, keyword bool
	// absent are the identifiers of the topics that do not occur. lone counts the topics that consist of one such
	// identifier.
	absent []string
	lone   int
}

func (d *doubts) add(topic string, found *topicHits) {
	d.topics++
	absent, alone := found.topic.Absent()
	d.absent = append(d.absent, absent...)
	if alone && len(absent) > 0 {
		d.lone++
	}
	switch found.doubt {
	case rank.Guesses:
		d.guesses = append(d.guesses, topic)
		d.words = append(d.words, found.known...)
		d.keyword = d.keyword || found.mode == answer.Keyword
	case rank.Far:
		d.far++
	case rank.ByMeaning:
		d.unknown = append(d.unknown, topic)
	}
}

// all reports whether all hits are guesses.
func (d *doubts) all() bool { return d.topics > 0 && len(d.guesses) == d.topics }

// tell writes the doubts into the response, as its Doubt, NoMatch or Warning.
func (d *doubts) tell(r *answer.Response) {
	r.Metadata.Absent = d.absent
	if len(d.absent) > 0 && len(d.guesses) == 0 && len(r.Results) > 0 {
		what := listed(d.absent) + " does not occur here"
		if len(d.absent) > 1 {
			what = listed(d.absent) + " do not occur here"
		}
		if d.lone == d.topics {
			r.Doubt, r.Metadata.Doubtful = what+": these results have parts of the name or are near in meaning", true
		} else {
			r.Metadata.Warning = what
		}
	}
	of, where := "the question", "here"
	if d.topics > 1 {
		of = "any topic"
	}
	if d.filtered {
		where = "in what the filter admits"
	}
	if len(d.guesses)+len(d.unknown)+d.far == 0 {
		return
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
			r.NoMatch = &answer.NoMatch{Message: what}
		}
	case len(d.guesses) > 0:
		r.Metadata.Warning = fmt.Sprintf("nothing is shown for %s: few of the words occur %s%s", listed(d.guesses), where, far)
	case len(d.unknown) == d.topics:
		r.Metadata.Warning = what + ": all hits are by meaning alone"
	case d.far == d.topics && len(r.Results) > 0 && len(d.absent) == 0:
		r.Metadata.Warning, r.Metadata.Far = fmt.Sprintf("nothing %s is near to %s in meaning: perhaps there is no answer", where, of), true
	}
}

// maxListed bounds the texts that a sentence lists.
const maxListed = 6

// listed returns the first texts in quotes.
func listed(texts []string) string {
	var list []string
	for _, text := range texts[:min(len(texts), maxListed)] {
		list = append(list, strconv.Quote(answer.Shorten(shorten.Line(text))))
	}
	if len(texts) > maxListed {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}
