package corpus

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/token"
)

// maxNearPaths is how many files and folders are named for a path that matches none.
const maxNearPaths = 3

// NearPaths are the files and folders of the index that are named like the last name of a path that matches none, or if there are none, like the name before that.
// Those with the fewest edits come first, and of these, those that share most of the other names.
func (x *Corpus) NearPaths(pattern string) []string {
	names := strings.FieldsFunc(token.FoldAll(pattern), func(r rune) bool { return r == '/' || r == ':' })
	for i := len(names) - 1; i >= 0; i-- {
		if near := x.nearPaths(names[i], names[:i]); len(near) > 0 {
			return near
		}
	}
	return nil
}

// Skipped says why the file of that path has no chunks, where the run that indexed its folder skipped it; otherwise it is "". An index that is not of a store does not know.
func (x *Corpus) Skipped(ctx context.Context, path string) (reason string, err error) {
	store := x.Generation.Store()
	if store == nil {
		return "", nil
	}
	f, known, err := store.File(ctx, strings.Trim(strings.TrimPrefix(strings.TrimSpace(path), "./"), "/"))
	if err != nil || !known || f.Record.Status != record.StatusSkipped {
		return "", err
	}
	return f.Record.Reason, nil
}

// nearPaths are those whose last name is like this one, which stands below the others.
func (x *Corpus) nearPaths(name string, above []string) []string {
	const leastPart, mostEdits = 4, 3
	if strings.ContainsAny(name, `*?[{\`) {
		return nil
	}
	stem := strings.TrimSuffix(name, path.Ext(name)) // endings are alike in many names
	most := min(len(stem)-1, max(1, len(stem)/3), mostEdits)
	edits := map[string]int{} // of the names in the index
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
	var list []candidate
	for _, c := range found {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.shared, a.shared), cmp.Compare(len(a.path), len(b.path)), strings.Compare(a.path, b.path))
	})
	var paths []string
	for _, c := range list[:min(len(list), maxNearPaths)] {
		paths = append(paths, c.path)
	}
	return paths
}
