package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"cortex/lib/search"
)

// charsPerToken is the usual estimate for English and code.
const charsPerToken = 4

// leastText is the length, in characters, below which texts are not shortened while results can be left out.
const leastText = 400

// A searchAnswer is a search.Response that fits into a number of tokens.
type searchAnswer struct {
	Query         string                  `json:"query"`
	Results       []result                `json:"results"`
	TotalFound    int                     `json:"total_found"`
	TotalReturned int                     `json:"total_returned"`
	Truncated     bool                    `json:"truncated,omitempty"`
	Note          string                  `json:"note,omitempty"`
	NoMatch       *search.NoMatch         `json:"no_match,omitempty"`
	Metadata      search.ResponseMetadata `json:"metadata"`
}

type result struct {
	search.Hit
	Truncated bool `json:"truncated,omitempty"`
}

// answer is the JSON of the response within maxTokens. First the longest texts are
// shortened, then the last results left out; the best one always stays. What was done
// is said in the answer.
func answer(response *search.Response, maxTokens int) (string, error) {
	budget := maxTokens * charsPerToken
	var encodeErr error
	longest := 0
	for i := range response.Results {
		longest = max(longest, utf8.RuneCountInString(response.Results[i].Chunk.Text))
	}
	fits := func(results, textChars int) (string, bool) {
		text, err := encode(shape(response, results, textChars))
		if err != nil {
			encodeErr = err
		}
		return text, err == nil && utf8.RuneCountInString(text) <= budget
	}
	results := len(response.Results)
	text, ok := fits(results, longest)
	if ok || encodeErr != nil || results == 0 {
		return text, encodeErr
	}
	// The largest number of results whose texts need not become too short, and then the largest
	// length that fits: both by bisection, as more of either makes a longer answer.
	results = max(1, sort.Search(results, func(n int) bool {
		_, ok := fits(n+1, leastText)
		return !ok
	}))
	textChars := max(0, sort.Search(longest+1, func(n int) bool {
		_, ok := fits(results, n)
		return !ok
	})-1)
	text, _ = fits(results, textChars)
	return text, encodeErr
}

// shape makes an answer of the first results with texts of at most textChars characters.
func shape(response *search.Response, results, textChars int) *searchAnswer {
	a := &searchAnswer{
		Query:         response.Query,
		Results:       make([]result, results),
		TotalFound:    response.TotalFound,
		TotalReturned: results,
		NoMatch:       response.NoMatch,
		Metadata:      response.Metadata,
	}
	shortened := 0
	for i, hit := range response.Results[:results] {
		r := result{Hit: hit}
		r.Chunk.Text, r.Truncated = head(hit.Chunk.Text, textChars)
		if r.Truncated {
			shortened++
		}
		if r.Highlights == nil {
			r.Highlights = []search.Highlight{}
		}
		if r.Chunk.Tags == nil {
			r.Chunk.Tags = []string{}
		}
		a.Results[i] = r
	}
	var notes []string
	switch {
	case shortened == 1:
		notes = append(notes, "the text of 1 result ends early")
	case shortened > 1:
		notes = append(notes, fmt.Sprintf("the text of %d results ends early", shortened))
	}
	switch left := len(response.Results) - results; {
	case left == 1:
		notes = append(notes, "1 result is left out")
	case left > 1:
		notes = append(notes, fmt.Sprintf("%d results are left out", left))
	}
	if len(notes) > 0 {
		a.Truncated = true
		a.Note = strings.Join(notes, " and ") + " to stay within max_tokens; raise it, lower limit or narrow the search"
	}
	return a
}

// head is the beginning of text with at most chars characters, in whole lines where that
// costs less than half, and whether anything is missing.
func head(text string, chars int) (string, bool) {
	end := 0
	for range chars {
		if end == len(text) {
			return text, false
		}
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	if end == len(text) {
		return text, false
	}
	cut := text[:end]
	if line := strings.LastIndexByte(cut, '\n') + 1; line > len(cut)/2 {
		cut = cut[:line]
	}
	return cut, true
}

// encode leaves <, > and & as they are: the answer is read by a model, not by a browser.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode answer: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
