package page

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/safeopen"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/status"
	"cortex/lib/store"
	"cortex/lib/store/shard"
)

// All questions to indexes, graphs and stores are in this file. Pages are made from its results.

// names returns the names of the repositories; the only one has the name "".
func (s *Server) names() []string {
	if names := s.opts.Indexes.Repositories(); len(names) > 0 {
		return names
	}
	return []string{""}
}

// chosen returns the given repository, or all if it is "".
func (s *Server) chosen(repository string) []string {
	if repository != "" {
		return []string{repository}
	}
	return s.names()
}

// loans are the indexes that a page uses. They are given back after the page is written.
type loans struct {
	indexes Indexes

	mu  sync.Mutex
	out []func()
}

// ask runs question on the index of a repository.
func (l *loans) ask(ctx context.Context, repository string, question func(context.Context, *OpenIndex) error) error {
	giveBack, err := l.indexes.Ask(ctx, repository, question)
	if giveBack != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.out = append(l.out, giveBack)
	}
	return err
}

// askEach asks the repositories concurrently, at most one per processor. It passes the repository's position to
// question, and returns the error of each.
func (l *loans) askEach(ctx context.Context, repositories []string, question func(context.Context, int, *OpenIndex) error) []error {
	errs := make([]error, len(repositories))
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(max(runtime.GOMAXPROCS(0), 2))
	for i, name := range repositories {
		group.Go(func() error {
			errs[i] = l.ask(ctx, name, func(ctx context.Context, e *OpenIndex) error { return question(ctx, i, e) })
			return nil
		})
	}
	_ = group.Wait() // the errors are in errs
	return errs
}

func (l *loans) giveBack() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, giveBack := range l.out {
		giveBack()
	}
	l.out = nil
}

// A found is the answer of one repository.
type found struct {
	repository string
	index      *search.Index
	response   *search.Response
	err        error
}

// ask asks the repository, or all if it is "". It returns an error if all of them fail.
func (s *Server) ask(ctx context.Context, l *loans, repository string, req search.Request, asExact bool) ([]found, error) {
	names := s.chosen(repository)
	if len(names) > 1 {
		req = req.ForSeveral()
	}
	all := make([]found, len(names))
	errs := l.askEach(ctx, names, func(ctx context.Context, i int, e *OpenIndex) (err error) {
		all[i].index = e.Index
		if asExact {
			all[i].response, err = e.Index.Exact(ctx, req)
		} else {
			all[i].response, err = e.Search(ctx, req)
		}
		return err
	})
	for i := range all {
		all[i].repository, all[i].err = names[i], errs[i]
	}
	for i := range all {
		if all[i].err == nil {
			return all, nil
		}
	}
	return nil, all[0].err
}

// merged returns the merged answer of all repositories, the sums of their counts, and the number of results by
// repository.
func merged(req search.Request, all []found) (*search.Response, *search.Counts, map[string]int) {
	var names []string
	var responses []*search.Response
	counts := &search.Counts{Languages: map[string]int{}, Kinds: map[string]int{}, Folders: map[string]int{}}
	byName := map[string]int{}
	for _, one := range all {
		if one.err != nil {
			continue
		}
		names, responses = append(names, one.repository), append(responses, one.response)
		c := one.response.Counts
		if c == nil {
			continue
		}
		counts.Total += c.Total
		counts.Tests += c.Tests
		counts.Documents += c.Documents
		byName[one.repository] = c.Total
		for _, pair := range []struct{ sum, part map[string]int }{{counts.Languages, c.Languages}, {counts.Kinds, c.Kinds}, {counts.Folders, c.Folders}} {
			for value, n := range pair.part {
				pair.sum[value] += n
			}
		}
	}
	if len(responses) == 1 {
		return responses[0].Of(names[0]), counts, byName
	}
	return answer.Merge(req, names, responses), counts, byName
}

// A source is a file as it was indexed.
type source struct {
	record.File
	Tree string
	// Changed says that the file on disk is different now, Missing that it does not exist any more, and Cut that Lines
	// are only its beginning.
	Lines                 []string
	Changed, Missing, Cut bool
}

// maxSource bounds the files that are read from disk, in bytes. The index has larger files only if its settings allow
// them.
const maxSource = 4 << 20

// read reads an indexed file. It takes the text from disk if that is what was indexed, otherwise from the chunks.
func (e *OpenIndex) read(ctx context.Context, path string) (*source, error) {
	if record.CheckPath(path) != nil && !strings.Contains(path, ":") {
		return nil, notFound("%.200q is not in the index", path)
	}
	src := &source{}
	known := false
	for entry, err := range e.records(ctx, path) {
		if err != nil {
			return nil, err
		}
		if record.TreePath(entry.Tree, entry.File.FilePath) != path && entry.File.FilePath != path {
			continue
		}
		if entry.Chunk == nil {
			src.File, src.Tree, known = *entry.File, entry.Tree, true
		}
	}
	if !known || src.Status == record.StatusSkipped {
		return nil, notFound("%.200q is not in the index", path)
	}
	if src.Tree == "" {
		text, err := e.onDisk(path)
		sum := sha256.Sum256(text)
		switch {
		case err != nil:
			src.Missing = true
		case hex.EncodeToString(sum[:]) != src.SHA256:
			src.Changed = true
		case utf8.Valid(text):
			src.Lines = strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(text), "\ufeff"), "\n"), "\n")
			return src, nil
		}
	}
	var err error
	src.Lines, src.Cut, err = e.Index.Text(path)
	return src, err
}

// records yields the records of the file, and possibly those of other files.
func (e *OpenIndex) records(ctx context.Context, path string) iter.Seq2[store.Entry, error] {
	if e.Database != nil {
		return e.Database.File(ctx, path)
	}
	of := e.Index.Store()
	return of.Records(ctx, shard.Of(path, len(of.Manifest().Shards)))
}

func (e *OpenIndex) onDisk(path string) ([]byte, error) {
	root, err := safeopen.Open(e.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Read(path, maxSource)
}

// matches returns the matches of the query in a file: byte ranges by line.
func (e *OpenIndex) matches(ctx context.Context, path string, st state) (map[int][][2]int, error) {
	marks := map[int][][2]int{}
	if st.Query == "" {
		return marks, nil
	}
	kind := st.Kind
	if kind == "" {
		kind = kindOf(st.Query)
	}
	req := search.Request{Queries: []string{st.Query}, Limit: search.MaxLimit, Filter: search.Filter{Path: exactly(path)}}
	if kind != question {
		if kind == symbol {
			req.Queries[0] = symbolQuery(st.Query)
		}
		req.Limit = -1
		found, err := e.Index.Find(ctx, req)
		if err == nil {
			err = found.Lines(func(l search.MatchedLine) error {
				if l.FilePath == path {
					marks[l.Number] = l.Matches
				}
				return nil
			})
		}
		if err == nil && len(marks) > 0 || kind == st.Kind {
			return marks, err
		}
	}
	req.Queries[0] = st.Query
	req.Limit = search.MaxLimit
	response, err := e.Search(ctx, req)
	if err != nil {
		return nil, err
	}
	for _, h := range response.Results {
		if h.Chunk.Metadata.FilePath != path {
			continue
		}
		for line, ranges := range marksOf(&h) {
			marks[line] = append(marks[line], ranges...)
		}
	}
	return marks, nil
}

// marksOf returns the matches in the lines of a hit.
func marksOf(h *search.Hit) map[int][][2]int {
	marks := map[int][][2]int{}
	for _, piece := range h.Highlights {
		for _, m := range piece.Matches {
			marks[m.Line] = append(marks[m.Line], [2]int{m.Column - 1, m.Column - 1 + m.Length})
		}
	}
	return marks
}

// exactly returns a pattern that matches only the path itself.
func exactly(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(path)
}

// A condition is the state of a repository's index. root is the folder of the repository.
type condition struct {
	root string
	*store.Status
	// Sources say whether files have changed. Problem says why the files could not be checked.
	Sources []status.Sources
	Problem string
}

// condition reads the state of the index.
func (e *OpenIndex) condition(ctx context.Context) (*condition, error) {
	read := func() (*store.Status, error) { return store.ReadStatus(ctx, e.Store) }
	if e.Database != nil {
		read = e.Database.Status
	}
	known, err := read()
	if err != nil {
		return nil, err
	}
	c := &condition{root: e.Root, Status: known}
	if e.Sources == nil || e.Database != nil {
		return c, nil
	}
	now, err := status.Read(ctx, e.Store, e.Root, e.Sources)
	if err != nil {
		c.Problem = explained(err)
		return c, nil
	}
	c.Sources = now.Sources
	return c, nil
}

// conditions returns the conditions of all repositories in their order. A condition is nil if it could not be read.
func (s *Server) conditions(ctx context.Context, l *loans) ([]*condition, []error) {
	names := s.names()
	all := make([]*condition, len(names))
	errs := l.askEach(ctx, names, func(ctx context.Context, i int, e *OpenIndex) (err error) {
		all[i], err = e.condition(ctx)
		return err
	})
	return all, errs
}
