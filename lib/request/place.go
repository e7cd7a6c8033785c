package request

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/terminal"
)

// A GraphSource is where AskGraph reads.
type GraphSource struct {
	// Query asks the graph.
	Query func(context.Context, table.Request) (*table.Answer, error)
	// LastLine returns the number of lines of a file by its tree path, 0 if the file is not indexed. Calls are rare.
	LastLine func(path string) (int, error)
	// Exact runs exact search. Calls are rare.
	Exact func(context.Context, answer.Request) (*answer.Response, error)
}

// AskGraph answers a request whose targets are relative to the root of the tree. pattern says which files count; "" means
// all. If nothing has the name of a target, AskGraph asks for it without arguments and type arguments: a target may be
// copied from a stack trace or a signature. It returns an error for a line beyond the end of a file, and notes why an
// answer is empty.
func AskGraph(ctx context.Context, req table.Request, pattern string, from GraphSource) (a *table.Answer, err error) {
	if req.Match = nil; pattern != "" {
		if req.Match, err = corpus.PathMatcher(pattern); err != nil {
			return nil, err
		}
	}
	a, err = from.Query(ctx, req)
	for _, target := range []*string{&req.Target, &req.To} {
		typed := *target
		for _, name := range slices.Compact([]string{withoutArguments(typed), declaredName(typed)}) {
			if err != nil || a.NotFound == "" || a.NotFound != *target || name == *target {
				continue
			}
			before, first := *target, a
			*target = name
			if a, err = from.Query(ctx, req); err == nil && a.NotFound == name && (len(a.Near) == 0 || before != typed) {
				a, *target = first, before
			}
		}
	}
	if err == nil {
		err = checkPlaces(a, from.LastLine)
	}
	if err == nil {
		err = noteNothing(ctx, a, pattern, from.Exact)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// checkPlaces returns an error if a target PATH:LINE of the answer has a line beyond the end of the file. A line
// outside of all symbols resolves to the file, so checkPlaces calls lastLine only for such targets. lastLine returns
// the number of lines of a file by its tree path, 0 if the file is not indexed.
func checkPlaces(a *table.Answer, lastLine func(path string) (int, error)) error {
	for _, named := range []struct {
		query string
		found *table.Symbol
	}{{a.Query, a.Target}, {a.QueryTo, a.To}} {
		colon := strings.LastIndexByte(named.query, ':')
		first, _, _ := strings.Cut(named.query[colon+1:], ",") // answers print 98-111,120-130
		first, _, _ = strings.Cut(first, "-")
		line, err := strconv.Atoi(strings.TrimSpace(first))
		if err != nil || colon < 0 || named.found == nil || named.found.Kind != table.FileKind || strings.HasSuffix(named.found.FilePath, named.query) {
			continue
		}
		last, err := lastLine(named.found.FilePath)
		if err != nil {
			return err
		}
		if 0 < last && last < line {
			return hint.Wrap(fmt.Errorf("place %q: the file has %s in the index", named.query, terminal.Count(last, "line", "lines")), "make the index again if the file has changed")
		}
	}
	return nil
}

// noteNothing adds to the note of an answer without results why there are none: path matches no file, or the index is
// empty. It asks exact search of the index for the reason.
func noteNothing(ctx context.Context, a *table.Answer, path string, exact func(context.Context, answer.Request) (*answer.Response, error)) error {
	switch {
	case a.NoFile:
	case a.NotFound != "" && len(a.Near) == 0:
		path = ""
	default:
		return nil
	}
	// The query matches every chunk without a made-up word, including those of documents, which the graph does not
	// have.
	r, err := exact(ctx, answer.Request{Queries: []string{"NOT qzxqzx"}, Limit: 1, Filter: answer.Filter{Path: path}})
	if err != nil || r.NoMatch == nil {
		return err
	}
	// Earlier lines of the message are about the query, which the user did not write.
	why := r.NoMatch.Message[strings.LastIndexByte(r.NoMatch.Message, '\n')+1:]
	a.Note = strings.TrimPrefix(a.Note+"; "+why, "; ")
	return nil
}

// withoutArguments returns the name of a function or type without arguments and type arguments: Map.get of
// "Map<K, V>.get(K key)".
func withoutArguments(name string) string {
	var b strings.Builder
	depth, last := 0, ' '
	for _, r := range name {
		switch {
		case depth > 0 && (r == '<' || r == '['):
			depth++
		case depth > 0 && (r == '>' || r == ']'):
			depth--
		case depth > 0:
		case (r == '<' || r == '[') && isPartOfName(last):
			depth++
		case r == '(' && isPartOfName(last) && strings.HasSuffix(name, ")"):
			return b.String()
		default:
			b.WriteRune(r)
			last = r
		}
	}
	if depth > 0 {
		return name
	}
	return b.String()
}

// declaredName returns the name of the function that a signature declares: T.get of "func (t *T) get(i int) (int, error)" and
// X::get of "virtual int X::get(int i) const = 0". Without parentheses it returns the text as it is.
func declaredName(signature string) string {
	end := strings.LastIndexByte(signature, ')')
	if end < 0 {
		return signature
	}
	name := strings.TrimSpace(withoutArguments(signature[:end+1]))
	before, last := "", name
	if space := strings.LastIndexByte(name, ' '); space >= 0 {
		before, last = name[:space], strings.TrimLeft(name[space+1:], "*&")
	}
	if receiver, ok := strings.CutPrefix(before, "func ("); ok {
		receiver = strings.TrimSuffix(receiver, ")")
		return strings.TrimLeft(receiver[strings.LastIndexByte(receiver, ' ')+1:], "*") + "." + last
	}
	return last
}

func isPartOfName(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
