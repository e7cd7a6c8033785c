package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MaxOffsetOfSeveral bounds the Offset of a request to several indexes: each of them has to return all hits before the
// Offset.
const MaxOffsetOfSeveral = 1000

// ForSeveral returns the request for each of several indexes. It asks for all hits before the Offset, so that Merge can
// find the best of all.
func (req Request) ForSeveral() Request {
	if req.Limit >= 0 {
		req.Limit = req.Bound()
	}
	req.Offset = 0
	return req
}

// Of returns a copy of the response whose hits have Repository set.
func (r *Response) Of(repository string) *Response {
	named := *r
	named.Results = slices.Clone(r.Results)
	for i := range named.Results {
		named.Results[i].Repository = repository
	}
	return &named
}

// ByWholePaths returns a copy of the response in which hits with a Repository have the path REPOSITORY:PATH, for
// readers of text.
func (r *Response) ByWholePaths() *Response {
	whole := *r
	whole.Results = slices.Clone(r.Results)
	for i := range whole.Results {
		h := &whole.Results[i]
		if h.Repository == "" {
			continue
		}
		h.Chunk.Metadata.FilePath = h.Repository + ":" + h.Chunk.Metadata.FilePath
		h.Twins = slices.Clone(h.Twins)
		for j := range h.Twins {
			h.Twins[j].FilePath = h.Repository + ":" + h.Twins[j].FilePath
		}
	}
	return &whole
}

// Merge joins the answers of several indexes to a request. Each index was asked req.ForSeveral(); repositories has
// their names. If any of them has an answer, Merge leaves out the guesses of the others. It also leaves out an index
// that lacks an identifier of the question if another with results has all that this one has, and that identifier.
func Merge(req Request, repositories []string, answers []*Response) *Response {
	merged := &Response{}
	var asked []string // those that are not left out
	var groups []hitGroup
	sure := slices.ContainsFunc(answers, func(r *Response) bool { return r.Doubt == "" && len(r.Results) > 0 })
	near := slices.ContainsFunc(answers, func(r *Response) bool { return r.Doubt == "" && len(r.Results) > 0 && !r.Metadata.Far })
	var nothing, warnings Messages
	for i, r := range answers {
		m := &merged.Metadata
		merged.Query = cmp.Or(merged.Query, r.Query)
		m.Source = cmp.Or(m.Source, r.Metadata.Source)
		m.TookMS = max(m.TookMS, r.Metadata.TookMS)
		if r.NoMatch != nil {
			nothing.Add(r.NoMatch.Message, repositories[i])
		}
		if sure && r.Doubt != "" || slices.ContainsFunc(answers, r.knowsLessThan) {
			continue
		}
		asked = append(asked, repositories[i])
		if r.Metadata.Warning != "" && !(r.Metadata.Far && near) {
			warnings.Add(r.Metadata.Warning, repositories[i])
		}
		merged.Doubt = cmp.Or(merged.Doubt, r.Doubt)
		merged.TotalFound += r.TotalFound
		for _, h := range r.Results {
			h.Repository = repositories[i]
			if n := len(groups); req.ByFile && n > 0 && groups[n-1].isOf(&h) {
				groups[n-1].add(h)
				continue
			}
			groups = append(groups, hitGroup{h.Score, []Hit{h}})
		}
	}
	merged.Metadata.Warning = strings.Join(warnings.say(len(asked)), "; ")
	slices.SortStableFunc(groups, func(a, b hitGroup) int { return cmp.Compare(b.best, a.best) })
	merged.Offset, merged.Results = min(max(req.Offset, 0), len(groups)), []Hit{}
	for _, g := range Page(groups, req) {
		merged.Results = append(merged.Results, g.hits...)
	}
	if len(merged.Results) == 0 {
		merged.Metadata.Warning = cmp.Or(Beyond(req, len(groups), "result", "results"), merged.Metadata.Warning)
	}
	merged.TotalReturned, merged.Metadata.Doubtful = len(merged.Results), merged.Doubt != ""
	for i, r := range answers { // Also of the indexes with results
		if slices.ContainsFunc(merged.Results, func(h Hit) bool { return h.Repository == repositories[i] }) {
			for _, word := range r.Metadata.Also {
				if !slices.Contains(merged.Metadata.Also, word) {
					merged.Metadata.Also = append(merged.Metadata.Also, word)
				}
			}
		}
	}
	if len(groups) == 0 && len(nothing) > 0 {
		merged.NoMatch = noMatchInAny(repositories, nothing)
	}
	return merged
}

// knowsLessThan reports whether the other response has results and comes from an index with more identifiers of the
// question: with all that the index of r has.
func (r *Response) knowsLessThan(other *Response) bool {
	lacks := r.Metadata.Absent
	return len(other.Results) > 0 && !isSubset(lacks, other.Metadata.Absent) && isSubset(other.Metadata.Absent, lacks)
}

// isSubset reports whether all of the list are in another.
func isSubset(list, of []string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !slices.Contains(of, s) })
}

// A hitGroup counts as one for Limit and Offset: a single hit, or with ByFile the hits of a file.
type hitGroup struct {
	best float64
	hits []Hit
}

func (g *hitGroup) isOf(h *Hit) bool {
	first := &g.hits[0]
	return first.Repository == h.Repository && first.Chunk.Metadata.FilePath == h.Chunk.Metadata.FilePath
}

func (g *hitGroup) add(h Hit) {
	g.best = max(g.best, h.Score)
	g.hits = append(g.hits, h)
}

// maxReasons bounds the messages of single indexes that are told.
const maxReasons = 5

// noMatchInAny says why no repository has a match.
func noMatchInAny(repositories []string, nothing Messages) *NoMatch {
	n := &NoMatch{}
	for _, text := range nothing.say(len(repositories)) {
		n.Say("%s", text)
	}
	if len(nothing) > maxReasons {
		n.Say("and nothing in others")
	}
	return n
}

// say returns the messages, each with its senders unless all have sent it.
func (m Messages) say(all int) (texts []string) {
	for i, one := range m {
		switch {
		case len(one.From) == all:
			texts = append(texts, one.Text)
		case i < maxReasons:
			texts = append(texts, Few(one.From)+": "+strings.ReplaceAll(one.Text, "\n", "; "))
		}
	}
	return texts
}

// Messages are distinct texts with the repositories that sent each, in the order in which they came.
type Messages []Message

// A Message is a text with the names of the repositories that sent it.
type Message struct {
	Text string
	From []string
}

// Add adds the text of a repository.
func (m *Messages) Add(text, from string) {
	for i := range *m {
		if said := &(*m)[i]; said.Text == text {
			said.From = append(said.From, from)
			return
		}
	}
	*m = append(*m, Message{text, []string{from}})
}

// Few returns the first eight names, and the number of the others.
func Few(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
