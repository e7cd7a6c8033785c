package corpus

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/token"
)

// maxNearPaths is the number of files and folders that NearPaths suggests.
const maxNearPaths = 3

// NearPaths returns files and folders of the index to suggest for a path that matches none. Their last name is similar
// to the last name of the path or, if there are none, to the name before it. Names with the fewest edits come first,
// then paths that share most of the other names.
func (x *Corpus) NearPaths(pattern string) []string {
	names := strings.FieldsFunc(token.FoldAll(pattern), func(r rune) bool { return r == '/' || r == ':' })
	for i := len(names) - 1; i >= 0; i-- {
		if near := x.nearPaths(names[i], names[:i]); len(near) > 0 {
			return near
		}
	}
	return nil
}

// nearPaths returns the paths whose last name is similar to name; above are the names before it in the pattern.
func (x *Corpus) nearPaths(name string, above []string) []string {
	const leastPart, mostEdits = 4, 3
	if strings.ContainsAny(name, `*?[{\`) {
		return nil
	}
	stem := strings.TrimSuffix(name, path.Ext(name)) // extensions make unrelated names similar
	most := min(len(stem)-1, max(1, len(stem)/3), mostEdits)
	edits := map[string]int{} // edit distance by folded name
	type candidate struct {
		path          string
		edits, shared int
	}
	found := map[string]candidate{}
	x.Generation.EachFile(func(_ uint32, file string, _ int) {
		shared := 0
		for at := 0; at < len(file); {
			end := at + strings.IndexAny(file[at:]+"/", "/:")
			own := token.FoldAll(file[at:end])
			n, known := edits[own]
			if !known {
				if n = hint.Distance(name, own, most); n > most && len(name) >= leastPart && strings.Contains(own, name) {
					n = most
				}
				edits[own] = n
			}
			if isTree := end < len(file) && file[end] == ':'; n <= most && !isTree {
				found[file[:end]] = candidate{file[:end], n, shared}
			}
			if slices.Contains(above, own) {
				shared++
			}
			at = end + 1
		}
	})
	list := slices.SortedFunc(maps.Values(found), func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.shared, a.shared), cmp.Compare(len(a.path), len(b.path)), strings.Compare(a.path, b.path))
	})
	var paths []string
	for _, c := range list[:min(len(list), maxNearPaths)] {
		paths = append(paths, c.path)
	}
	return paths
}

// maxNearNames is the number of names that NearNames suggests.
const maxNearNames = 3

// NearNames returns names of the index to suggest for a name that matches none, those with the fewest edits first. It
// compares the last components of names.
func (x *Corpus) NearNames(name string) []string {
	want := token.FoldAll(LastComponent(name))
	most := hint.MostEdits(want)
	if most == 0 || strings.ContainsAny(want, "*?") {
		return nil
	}
	edits := map[string]int{} // by name
	for i := range x.Generation.Len() {
		for s := range x.Generation.Symbols(i) {
			last := LastComponent(s.Name)
			if _, known := edits[last]; known || s.Type == record.Heading {
				continue
			}
			other := token.FoldAll(last)
			if n := hint.Distance(want, other, most); n <= most && hint.IsTypo(want, other, n) {
				edits[last] = n
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(edits), func(a, b string) int { return cmp.Or(edits[a]-edits[b], strings.Compare(a, b)) })
	return names[:min(len(names), maxNearNames)]
}

// Skipped returns a sentence with the reason why the last run skipped the file that the pattern names, or a folder
// above it. It returns "" if neither was skipped, or if the index has no store.
func (x *Corpus) Skipped(ctx context.Context, pattern string) (why string, err error) {
	store := x.Generation.Store()
	if store == nil {
		return "", nil
	}
	pattern = strings.Trim(strings.TrimPrefix(strings.TrimSpace(pattern), "./"), "/")
	for file := range record.Folders(pattern + "/") {
		if strings.ContainsAny(file, `*?[{\`) {
			continue
		}
		f, known, err := store.File(ctx, file)
		if err != nil {
			return "", err
		}
		if known && f.Record.Status == record.StatusSkipped {
			return fmt.Sprintf("%s is not indexed: %s", answer.Shorten(file), f.Record.Reason), nil
		}
	}
	return "", nil
}
