package search

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/search/answer"
)

// TestNonsenseIsNoSuccess uses the built-in model, whose Near was measured.
func TestNonsenseIsNoSuccess(t *testing.T) {
	e, err := embed.Open(t.Context(), embed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	x, err := newInMemory(snapshot(t, storeOf(), e), e, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	const (
		far     = "no word of the question occurs here, and nothing is near in meaning: these are guesses"
		noWords = "no word of the question occurs here: these are guesses"
	)
	type want struct{ doubt, warning, nothing string }
	var long strings.Builder
	for _, word := range strings.Fields("blorptastic zindle framgrak snarfblat wibble") {
		for i := range 10 {
			fmt.Fprintf(&long, "%s%c is ", word, 'a'+i)
		}
	}
	for _, tt := range []struct {
		req  answer.Request
		want want
	}{
		{answer.Request{Queries: []string{long.String()}}, want{doubt: far}},
		{answer.Request{Queries: []string{"chocolate cake recipe with vanilla frosting"}}, want{doubt: far}},
		{answer.Request{Queries: []string{"blorptastic zindle framgrak"}}, want{doubt: far}},
		{answer.Request{Queries: []string{"blorptastic zindle framgrak"}, Mode: answer.Semantic}, want{doubt: far}},
		{answer.Request{Queries: []string{"blorptastic zindle framgrak"}, Mode: answer.Fusion}, want{doubt: far}},
		{answer.Request{Queries: []string{"blorptastic zindle framgrak"}, Mode: answer.Keyword}, want{nothing: "no word of the question occurs here"}},
		{answer.Request{Queries: []string{"blorptastic zindle framgrak", "chocolate cake"}}, want{doubt: strings.Replace(far, "the question", "any topic", 1)}},
		{answer.Request{Queries: []string{"chocolate cake recipe with vanilla frosting"}, Filter: answer.Filter{Path: "lib/**"}}, want{doubt: strings.Replace(far, "here", "in what the filter admits", 1)}},
		// The words are elsewhere.
		{answer.Request{Queries: []string{"日本語 reader"}, Mode: answer.Keyword, Filter: answer.Filter{Path: "run.sh"}}, want{nothing: "no word of the question occurs in what the filter admits"}},
		// Few words occur.
		{answer.Request{Queries: []string{"chocolate cake with vanilla frosting provider"}}, want{doubt: `of the words of the question only "provider" occurs here, and nothing is near in meaning: these are guesses`}},
		{answer.Request{Queries: []string{"chocolate provdier with vanilla"}}, want{doubt: far}},
		// Most words occur, misspelt or in another form too, or something is near.
		{answer.Request{Queries: []string{"new vanilla provider"}}, want{}},
		{answer.Request{Queries: []string{"provdier"}}, want{}},
		{answer.Request{Queries: []string{"locks"}, Mode: answer.Semantic}, want{}},
		{answer.Request{Queries: []string{"locking"}}, want{}},
		// The words occur, but in different places, and nothing is near; in the second question one place has them.
		{answer.Request{Queries: []string{"user guide with a flag"}}, want{warning: "nothing here is near to the question in meaning: perhaps there is no answer"}},
		{answer.Request{Queries: []string{"guide the server for a while"}}, want{}},
		{answer.Request{Queries: []string{"user guide with a flag", "login handler"}}, want{}},
		// A name that does not occur is mentioned, next to hits with parts of the name.
		{answer.Request{Queries: []string{"loginProvider"}}, want{doubt: `"loginProvider" does not occur here: these results have parts of the name or are near in meaning`}},
		{answer.Request{Queries: []string{"what does loginProvider do with the handler"}}, want{warning: `"loginProvider" does not occur here`}},
		{answer.Request{Queries: []string{"login_provider", "the login handler"}}, want{warning: `"login_provider" does not occur here`}},
		{answer.Request{Queries: []string{"what does the handler do, e.g. with run.sh or lib/x-y"}}, want{}},
		// Guesses are left out if another topic has hits.
		{answer.Request{Queries: []string{"login handler", "chocolate cake"}}, want{warning: `nothing is shown for "chocolate cake": few of the words occur here, and nothing is near in meaning`}},
	} {
		r, err := x.Search(t.Context(), tt.req)
		if err != nil {
			t.Fatal(err)
		}
		got := want{doubt: r.Doubt, warning: r.Metadata.Warning}
		if r.NoMatch != nil {
			got.nothing = r.NoMatch.Message
		}
		if got != tt.want || r.Metadata.Doubtful != (r.Doubt != "") || (len(r.Results) == 0) != (tt.want.nothing != "") {
			t.Errorf("%+v: %+v with %d hits, want %+v", tt.req, got, len(r.Results), tt.want)
		}
		if r.Doubt != "" && tt.req.Mode != answer.Semantic && tt.req.Mode != answer.Fusion && r.Results[0].Score > guessed {
			t.Errorf("%v: the first of guesses has a chance of %g", tt, r.Results[0].Score)
		}
		if r.Doubt != "" {
			if data, err := json.Marshal(r); err != nil || !strings.HasPrefix(string(data), `{"doubt":"`) {
				t.Errorf("%.60s, %v", data, err)
			}
		}
	}
	// Names of files may be guessed from words alone.
	if r, err := x.Search(t.Context(), answer.Request{Queries: []string{"provid"}, Mode: answer.Keyword}); err != nil || r.Doubt != "" && r.Doubt != noWords {
		t.Errorf("%+v, %v", r, err)
	}
}

// An unmeasured model does not say which cosines are near.
type unmeasured struct{ embed.Embedder }

func (unmeasured) Card() embed.Card { return embed.Card{} }

// TestNobodyKnowsWhatIsNear uses a model whose Near was not measured: only the words show whether hits are guesses.
func TestNobodyKnowsWhatIsNear(t *testing.T) {
	e := unmeasured{builtin()}
	x, err := newInMemory(snapshot(t, storeOf(), e), e, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	r, err := x.Search(t.Context(), answer.Request{Queries: []string{"blorptastic zindle framgrak"}})
	if err != nil || r.Doubt != "" || r.Metadata.Warning != "no word of the question occurs here: all hits are by meaning alone" || len(r.Results) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
