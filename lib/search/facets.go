package search

import (
	"context"
	"strings"
	"sync"

	"cortex/lib/language"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// facets are the fields that are compared as a whole: which chunks have which value.
// Each field is made when it is first asked for. It also knows the files.
type facets struct {
	tags, chunkType, language,
	symbolType, tree func() map[string][]uint32
	files func() *fileTable
}

func newFacets(cat catalogue) *facets {
	f := &facets{}
	column := func(visit func(chunk int, add func(string))) func() map[string][]uint32 {
		return sync.OnceValue(func() map[string][]uint32 {
			values := map[string][]uint32{}
			for i := range cat.Len() {
				visit(i, func(value string) {
					value = token.Fold(value)
					// A chunk may have a value twice.
					if list := values[value]; value != "" && (len(list) == 0 || list[len(list)-1] != uint32(i)) {
						values[value] = append(list, uint32(i))
					}
				})
			}
			return values
		})
	}
	f.chunkType = column(func(i int, add func(string)) { add(string(cat.ChunkType(i))) })
	f.language = column(func(i int, add func(string)) { add(cat.Language(i)) })
	f.tree = column(func(i int, add func(string)) { add(cat.Tree(i)) })
	f.symbolType = column(func(i int, add func(string)) {
		for s := range cat.Symbols(i) {
			add(string(s.Type))
		}
	})
	f.tags = column(func(i int, add func(string)) {
		for tag := range cat.Tags(i) {
			add(tag)
		}
	})
	f.files = sync.OnceValue(func() *fileTable { return newFileTable(cat) })
	return f
}

// column is the table of a field that is compared as a whole.
func (f *facets) column(field query.Field) map[string][]uint32 {
	switch field {
	case query.Tags:
		return f.tags()
	case query.ChunkType:
		return f.chunkType()
	case query.Language:
		return f.language()
	case query.SymbolType:
		return f.symbolType()
	case query.Tree:
		return f.tree()
	}
	return nil
}

// addValue adds to set the chunks whose field has the value.
func (f *facets) addValue(set bitset, field query.Field, value string) {
	for _, i := range f.column(field)[facetValue(field, value)] {
		set.add(int(i))
	}
}

// facetValue is the form in which values of the field are kept; languages may go by an alias.
func facetValue(field query.Field, value string) string {
	value = token.Fold(strings.TrimSpace(value))
	if field == query.Language {
		if l, ok := language.ByName(value); ok {
			return token.Fold(l.Name)
		}
	}
	return value
}

// addMatching adds to set the chunks whose field has a value that satisfies match.
func (f *facets) addMatching(ctx context.Context, set bitset, field query.Field, match func(string) bool) error {
	for value, list := range f.column(field) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if match(value) {
			for _, i := range list {
				set.add(int(i))
			}
		}
	}
	return nil
}

// A fileTable knows which chunks are of which file.
type fileTable struct {
	paths  []string // as in metadata.file_path
	of     []uint32 // file of each chunk
	chunks [][]uint32
}

func newFileTable(cat catalogue) *fileTable {
	t := &fileTable{of: make([]uint32, cat.Len())}
	known := map[string]uint32{}
	var count []int
	for i := range t.of {
		path := cat.FilePath(i)
		file, ok := known[path]
		if !ok {
			file = uint32(len(t.paths))
			known[path] = file
			t.paths = append(t.paths, path)
			count = append(count, 0)
		}
		t.of[i] = file
		count[file]++
	}
	all := make([]uint32, len(t.of))
	t.chunks = make([][]uint32, len(t.paths))
	for file, n := range count {
		t.chunks[file], all = all[:0:n], all[n:]
	}
	for i, file := range t.of {
		t.chunks[file] = append(t.chunks[file], uint32(i))
	}
	return t
}

// addMatching adds to set the chunks of all files whose path satisfies match.
func (t *fileTable) addMatching(ctx context.Context, set bitset, match func(path string) bool) error {
	for file, path := range t.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		if match(path) {
			for _, i := range t.chunks[file] {
				set.add(int(i))
			}
		}
	}
	return nil
}
