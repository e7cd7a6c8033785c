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
	// filtered is set if the request has a filter.
	filtered bool
	// topics is the number of all topics, kinds their number by doubt.
	topics int
	kinds  [rank.Guesses + 1]int
	// guesses are the topics whose hits are guesses, words those of their words that do occur. keyword is set if one of
	// them was searched for by words alone.
	guesses, words []string
	keyword        bool
	// absent are the identifiers of the topics that do not occur. lone counts the topics that consist of one such
	// identifier.
	absent []string
	lone   int
}

func (d *doubts) add(topic string, found *topicHits) {
	d.topics++
	d.kinds[found.doubt]++
	if found.doubt == rank.Guesses {
		d.guesses = append(d.guesses, topic)
		d.words = append(d.words, found.known...)
		d.keyword = d.keyword || found.mode == answer.Keyword
	}
	absent, alone := found.topic.Absent()
	d.absent = append(d.absent, absent...)
	if alone && len(absent) > 0 {
		d.lone++
	}
}

// all reports whether all topics have this doubt.
func (d *doubts) all(kind rank.Doubt) bool { return d.topics > 0 && d.kinds[kind] == d.topics }

// tell writes the doubts into the response, as its Doubt, NoMatch or Warning.
func (d *doubts) tell(r *answer.Response) {
	r.Metadata.Absent = d.absent
	if len(d.absent) > 0 && len(d.guesses) == 0 && len(r.Results) > 0 {
		d.tellAbsent(r)
	}
	of, where := "the question", "here"
	if d.topics > 1 {
		of = "any topic"
	}
	if d.filtered {
		where = "in what the filter admits"
	}
	const far = ", and nothing is near in meaning"
	switch {
	case d.all(rank.Guesses):
		what := d.occurring(of, where)
		if !d.keyword {
			what += far
		}
		if len(r.Results) > 0 {
			r.Doubt = what + ": these are guesses"
		} else if r.NoMatch == nil {
			r.NoMatch = &answer.NoMatch{Message: what}
		}
	case len(d.guesses) > 0:
		r.Metadata.Warning = fmt.Sprintf("nothing is shown for %s: few of the words occur %s%s", listed(d.guesses), where, far)
	case d.all(rank.ByMeaning):
		r.Metadata.Warning = d.occurring(of, where) + ": all hits are by meaning alone"
	case d.all(rank.Far) && len(r.Results) > 0 && len(d.absent) == 0:
		r.Metadata.Warning, r.Metadata.Far = fmt.Sprintf("nothing %s is near to %s in meaning: perhaps there is no answer", where, of), true
	}
}

// tellAbsent says which identifiers do not occur: as a doubt about the hits if the topics are nothing but such
// identifiers, else as a warning.
func (d *doubts) tellAbsent(r *answer.Response) {
	what := listed(d.absent) + " does not occur here"
	if len(d.absent) > 1 {
		what = listed(d.absent) + " do not occur here"
	}
	if d.lone == d.topics {
		r.Doubt = what + ": these results have parts of the name or are near in meaning"
	} else {
		r.Metadata.Warning = what
	}
}

// occurring says which words of the question or topics occur, if any do.
func (d *doubts) occurring(of, where string) string {
	switch len(d.words) {
	case 0:
		return fmt.Sprintf("no word of %s occurs %s", of, where)
	case 1:
		return fmt.Sprintf("of the words of %s only %s occurs %s", of, listed(d.words), where)
	}
	return fmt.Sprintf("of the words of %s only %s occur %s", of, listed(d.words), where)
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
