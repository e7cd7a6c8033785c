package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cortex/lib/request"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/render/brief"
	"cortex/lib/terminal"
)

// isText reports whether an answer in that format is text to be read, as opposed to JSON for programs.
func isText(format string) bool { return format == "" || format == request.FormatText }

// hitsOf returns functions that ask for hits with find and write them. With byFile, a text answer merges the hits of a
// file and answers each topic separately.
func hitsOf(req *request.Hits, byFile bool, find func(context.Context, *openIndex, search.Request) (*search.Response, error)) answering {
	read := func() []search.Request {
		asked := req.Request
		asked.Lines = isText(req.Format)
		asked.ByFile = byFile && asked.Lines
		asked.Context.Read = asked.Lines && asked.Context.Full
		asked.Further = asked.Lines && brief.Further(asked.Context, req.Answer.MaxTokens)
		if asked.ByFile {
			return asked.Apart()
		}
		return []search.Request{asked}
	}
	ask := func(ctx context.Context, e *openIndex, several bool) (*finding, error) {
		found := &finding{}
		for _, asked := range read() {
			if several {
				if asked.Offset > answer.MaxOffsetOfSeveral {
					return nil, fmt.Errorf("offset: expected a whole number from 0 to %d where several repositories are asked, got %d", answer.MaxOffsetOfSeveral, asked.Offset)
				}
				asked = asked.ForSeveral()
			}
			if err := e.resolvePaths(&asked); err != nil {
				return nil, err
			}
			response, err := find(ctx, e, asked)
			if err != nil {
				return nil, err
			}
			found.responses = append(found.responses, response)
		}
		if req.Stats {
			found.stats = e.stats(ctx)
		}
		return found, nil
	}
	return answering{ask, func(found []*finding) (string, error) { return writeHits(read(), &req.Answer, found) }}
}

// standpoint returns the folder from which an assistant's paths are read: the root of the tree.
func (e *openIndex) standpoint() request.Standpoint {
	if e.session != nil {
		root := e.manager.Root()
		return request.Standpoint{Dir: root, Root: root, Elsewhere: true}
	}
	root := e.manager.rootOf(e.dir)
	return request.Standpoint{Dir: root, Root: root}
}

// pattern returns the argument path as a pattern that starts at the root of the tree.
func (e *openIndex) pattern(path string) (pattern string, err error) {
	if path = strings.TrimSpace(path); path != "" {
		if pattern, err = e.standpoint().Pattern(path); err != nil {
			return "", fmt.Errorf("path: %w", err)
		}
	}
	return pattern, nil
}

// resolvePaths rewrites the paths of the request to start at the root of the tree.
func (e *openIndex) resolvePaths(asked *search.Request) (err error) {
	if asked.Filter.Path, err = e.pattern(asked.Filter.Path); err != nil {
		return err
	}
	if asked.Like != "" {
		if asked.Like, err = e.standpoint().Place(asked.Like); err != nil {
			return fmt.Errorf("like: %w", err)
		}
	}
	return nil
}

// A reply is a response and, if requested, the state of the index that answered.
type reply struct {
	*search.Response
	// Repositories are the folders, by name, of the repositories that have results.
	Repositories map[string]string `json:"repositories,omitempty"`
	// Stats is a *stats, or for several repositories a map of *stats by name.
	Stats any `json:"stats,omitempty"`
}

// writeHits writes the answers to the requests. There are several requests only if the answer is text.
func writeHits(requests []search.Request, a *request.Answer, found []*finding) (string, error) {
	responses := make([]*search.Response, len(requests))
	for i, req := range requests {
		responses[i] = joined(req, i, found)
	}
	stats := statsOf(found)
	folders := foldersOf(responses, found)
	if !isText(a.Format) {
		return answerJSON(responses[0], cmp.Or(a.MaxTokens, request.JSONTokens), folders, stats)
	}
	var after strings.Builder
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		fmt.Fprintf(&after, "\n%s: in %s", terminal.Clean(name), terminal.Clean(folders[name]))
	}
	budget := brief.Budget(responses, a.MaxTokens) - brief.Cost(after.String())
	for i, r := range responses {
		responses[i] = r.ByWholePaths()
	}
	text := brief.Topics(responses, budget, brief.Arguments) + after.String()
	if stats == nil {
		return text, nil
	}
	encoded, err := encode(stats)
	return text + "\nstats: " + encoded, err
}

// joined returns the responses of all findings to request number number, merged into one.
func joined(req search.Request, number int, found []*finding) *search.Response {
	if len(found) == 1 {
		response := found[0].responses[number]
		if found[0].repository != "" {
			response = response.Of(found[0].repository)
		}
		return response
	}
	var names []string
	var responses []*search.Response
	for _, one := range found {
		names, responses = append(names, one.repository), append(responses, one.responses[number])
	}
	return answer.Merge(req, names, responses)
}

// statsOf returns the stats of the only finding, or the stats of several repositories by name; nil if none were
// requested.
func statsOf(found []*finding) any {
	if len(found) == 1 {
		if found[0].stats == nil {
			return nil
		}
		return found[0].stats
	}
	byName := map[string]any{}
	for _, one := range found {
		if one.stats != nil {
			byName[one.repository] = one.stats
		}
	}
	if len(byName) == 0 {
		return nil
	}
	return byName
}

// foldersOf returns the folders of the repositories that have results, by name.
func foldersOf(responses []*search.Response, found []*finding) map[string]string {
	folders := map[string]string{}
	for _, response := range responses {
		for _, h := range response.Results {
			for _, one := range found {
				if one.repository == h.Repository && h.Repository != "" {
					folders[h.Repository] = one.root
				}
			}
		}
	}
	return folders
}

// answerJSON returns the JSON of the response, shortened to maxTokens by brief.Fit.
func answerJSON(response *search.Response, maxTokens int, folders map[string]string, stats any) (string, error) {
	a := *response
	r := reply{&a, folders, stats}
	a.Results = make([]search.Hit, len(response.Results))
	for i, h := range response.Results {
		a.Results[i] = compact(h)
	}
	results := a.Results
	a.Query, a.Results = "", []search.Hit{}
	frame, err := encode(&r)
	if err != nil {
		return "", err
	}
	a.Query, a.Results = response.Query, results
	brief.Fit(&a, maxTokens, len(frame), brief.Arguments, func(h *search.Hit) int {
		one, encodeErr := encode(h)
		if encodeErr != nil {
			err = encodeErr
		}
		return len(one) + len(",")
	})
	if err != nil {
		return "", err
	}
	return encode(&r)
}

// compact removes duplicated text from a hit. If the context contains all lines of the hit, the context's text becomes
// the hit's text, and Context keeps only its line numbers.
func compact(h search.Hit) search.Hit {
	if h.Chunk.Tags == nil {
		h.Chunk.Tags = []string{}
	}
	if h.Highlights == nil {
		h.Highlights = []search.Highlight{}
	}
	m := &h.Chunk.Metadata
	if c := h.Context; c != nil && h.Parts == nil && c.StartLine <= m.StartLine && m.EndLine <= c.EndLine {
		h.Chunk.Text = c.Text
		h.Context = &search.Excerpt{StartLine: c.StartLine, EndLine: c.EndLine}
	}
	return h
}

// encode returns the JSON of v without escaping <, > and &: a model reads the answer, not a browser.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode answer: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
