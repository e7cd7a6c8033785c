package page

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// A state is the state of a search page, as encoded in its URL.
type state struct {
	// Query is the query. Kind is one of the kinds, or "" to detect the kind.
	Query, Kind string
	// Repository, Language, Folder, Symbol (a kind of symbol), What (code or documents) and Tests are filters; "" means
	// no filter.
	Repository, Language, Folder, Symbol, What, Tests string
	// Page counts from 1.
	Page int
}

// The kinds of queries.
const (
	question = "question"
	exact    = "exact"
	symbol   = "symbol"
)

// The values of state.What, which are tags of chunks.
const (
	onlyCode      = "code"
	onlyDocuments = "doc"
)

const (
	maxQuery = 2000
	maxField = 1000
	maxPage  = 50
)

// fields returns the parameters of a URL, except the number of the page.
func (st *state) fields() []struct {
	name  string
	value *string
} {
	return []struct {
		name  string
		value *string
	}{
		{"q", &st.Query}, {"kind", &st.Kind}, {"repo", &st.Repository}, {"lang", &st.Language}, {"in", &st.Folder},
		{"symbol", &st.Symbol}, {"what", &st.What}, {"tests", &st.Tests},
	}
}

// readState reads the state from a URL. Unknown values are dropped, and the page number is brought into range. A value
// that is too long is an error.
func readState(values url.Values) (state, error) {
	var st state
	for _, f := range st.fields() {
		*f.value = strings.TrimSpace(strings.ToValidUTF8(values.Get(f.name), "\uFFFD"))
		most := maxField
		if f.name == "q" {
			most = maxQuery
		}
		if utf8.RuneCountInString(*f.value) > most {
			long := f.name
			*f.value = ""
			return st, badRequest("%s is longer than %d characters", long, most)
		}
	}
	keep := func(value *string, allowed ...string) {
		for _, a := range allowed {
			if *value == a {
				return
			}
		}
		*value = ""
	}
	keep(&st.Kind, question, exact, symbol)
	keep(&st.What, onlyCode, onlyDocuments)
	keep(&st.Tests, answer.TestsNo, answer.TestsOnly)
	st.Folder = strings.Trim(st.Folder, "/")
	n, _ := strconv.Atoi(values.Get("page")) // an invalid number means the first page
	st.Page = min(max(n, 1), maxPage)
	return st, nil
}

// values returns the parameters of the URL.
func (st state) values() url.Values {
	values := url.Values{}
	for _, f := range st.fields() {
		if *f.value != "" {
			values.Set(f.name, *f.value)
		}
	}
	if st.Page > 1 {
		values.Set("page", strconv.Itoa(st.Page))
	}
	return values
}

// URL returns the URL of the search page.
func (st state) URL() string { return link("/", st.values()) }

// with returns the state after a change, on the first page.
func (st state) with(change func(*state)) state {
	st.Page = 1
	change(&st)
	return st
}

// fileURL returns the URL of a file's page, which marks the matches of the search. line is 0 for no line.
func (st state) fileURL(repository, path string, line int) string {
	values := st.asked()
	values.Set("path", path)
	if repository != "" {
		values.Set("repo", repository)
	}
	to := link("/file", values)
	if line > 0 {
		to += anchor(line)
	}
	return to
}

// anchor returns the fragment for a line of the page of a file.
func anchor(line int) string { return fmt.Sprintf("#L%d", line) }

// relationsURL returns the URL of the page of relations of a target. show is the operation of the tab, "" for the
// first.
func (st state) relationsURL(repository, target, show string) string {
	st.Repository = repository
	return relationsState{state: st, Of: target, Show: show}.URL()
}

// A relationsState is the state of a page of relations, as encoded in its URL.
type relationsState struct {
	// state has the repository and the search.
	state
	// Of is the target. Show is the operation of the tab, "" for the first tab with results.
	Of, Show string
	// Depth is the depth of an impact, Listed the number of results listed. Wanted is the depth in the URL if that is
	// too great, otherwise 0.
	Depth, Listed, Wanted int
	// Guesses says to show relations of low confidence too.
	Guesses bool
	// Grown are the identifiers of the nodes that the user has expanded in the drawing.
	Grown []string
}

// Bounds of a page of relations: the number of results listed at first, and of expanded nodes.
const (
	maxListed = 100
	maxGrown  = 12
)

func readRelationsState(values url.Values) (relationsState, error) {
	st, err := readState(values)
	number := func(name string, least, most int) int {
		n, _ := strconv.Atoi(values.Get(name)) // an invalid number means the least
		return min(max(n, least), most)
	}
	grown := values["more"]
	r := relationsState{
		state: st, Of: strings.ToValidUTF8(values.Get("of"), "\uFFFD"), Show: values.Get("show"), Depth: number("depth", table.DefaultImpactDepth, table.MaxDepth),
		Listed: number("list", maxListed, table.MaxLimit), Guesses: values.Has("guesses"), Grown: grown[:min(len(grown), maxGrown)],
	}
	if n, _ := strconv.Atoi(values.Get("depth")); n > table.MaxDepth {
		r.Wanted = n
	}
	if err == nil && (r.Of == "" || len(r.Of) > record.MaxPath+maxField) {
		err = notFound("the link names nothing")
	}
	return r, err
}

// URL returns the URL of the page.
func (r relationsState) URL() string {
	values := r.asked()
	set := func(name, value string, differs bool) {
		if differs {
			values.Set(name, value)
		}
	}
	set("of", r.Of, true)
	set("repo", r.Repository, r.Repository != "")
	set("show", r.Show, r.Show != "")
	set("depth", strconv.Itoa(r.Depth), r.Depth > table.DefaultImpactDepth)
	set("list", strconv.Itoa(r.Listed), r.Listed > maxListed)
	set("guesses", "1", r.Guesses)
	if len(r.Grown) > 0 {
		values["more"] = r.Grown
	}
	return link("/relations", values)
}

// to returns a link to the page after a change.
func (r relationsState) to(label string, change func(*relationsState)) choice {
	change(&r)
	return choice{Label: label, URL: r.URL()}
}

// asked returns the query and its kind, which links to other pages keep.
func (st state) asked() url.Values {
	return state{Query: st.Query, Kind: st.Kind}.values()
}

func link(path string, values url.Values) string {
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// Filters returns the parameters that the form keeps besides the query and its kind.
func (st state) Filters() url.Values {
	return st.with(func(st *state) { st.Query, st.Kind = "", "" }).values()
}

// A choice is one of several links, or a value in a form.
type choice struct {
	Value, Label, URL string
	Count             int
	// Chosen is set for the active choice, Told for the detected kind.
	Chosen, Told bool
	Title        string
}

// kinds returns the choices of query kinds. told is the detected kind.
func (st state) kinds(told string) []choice {
	list := []choice{
		{Value: "", Label: "Auto", Title: "tell by what is typed"},
		{Value: question, Label: "Question", Title: "what you would ask a colleague: by meaning and words"},
		{Value: exact, Label: "Exact", Title: "words, \"phrases\", AND OR NOT, path:lib, /regular expressions/"},
		{Value: symbol, Label: "Symbol", Title: "the name of a definition: parse*, Server.Handle"},
	}
	for i := range list {
		c := &list[i]
		c.Chosen = st.Kind == c.Value
		c.Told = st.Kind == "" && told == c.Value && told != ""
		c.URL = st.with(func(st *state) { st.Kind = c.Value }).URL()
	}
	return list
}
