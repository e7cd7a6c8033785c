package read

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"cortex/lib/derived"
	"cortex/lib/search/index"
)

// What readers make of a database they keep among the user's derived files:
//
//	catalogues/TREE.WRITTEN.FORM   the catalogue of a tree, by what the tree holds and how that is written down
//	graphs/KEY/...                 the graph of some trees; lib/graph/stored
//
// Whoever writes a catalogue removes those of the same tree that are not up to date.
const cataloguesDir = "catalogues"

// keptName names the file with the catalogue of a tree.
func (r *Reader) keptName(t *tree) string {
	form := sha256.Sum256(fmt.Appendf(nil, "%q %+v", r.analysis.Version, r.analysis.Dicts))
	return fmt.Sprintf("%d.%s.%x", t.id, t.written, form[:8])
}

// openCatalogue opens a catalogue that is kept, whose file stays in memory as long as anything refers to it.
func openCatalogue(root *os.Root, name string, a *index.Analysis) (*index.Catalogue, error) {
	m, err := derived.Map(root, name)
	if err != nil {
		return nil, err
	}
	c, err := index.CatalogueOf(m.Data, a)
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	runtime.AddCleanup(c, func(m *derived.Mapped) { _ = m.Close() }, m)
	return c, nil
}

// openKept opens those catalogues of trees of the state that are kept. What cannot be read is made again.
func (r *Reader) openKept(s *state, which []int) map[int]*index.Catalogue {
	kept := make(map[int]*index.Catalogue, len(which))
	if len(which) == 0 {
		return kept
	}
	root, err := derived.OpenDatabase(r.db.Address(), cataloguesDir)
	if err != nil {
		return kept
	}
	defer root.Close()
	list := make([]*index.Catalogue, len(which))
	var group errgroup.Group
	group.SetLimit(max(r.opts.Jobs, 1))
	for k, i := range which {
		group.Go(func() error {
			t := &s.trees[i]
			if c, err := openCatalogue(root, r.keptName(t), r.analysis); err == nil && c.Len() == t.chunks {
				list[k] = c
			}
			return nil
		})
	}
	_ = group.Wait()
	for k, i := range which {
		if list[k] != nil {
			kept[i] = list[k]
		}
	}
	return kept
}

// keep keeps catalogues for readers that start later. Where that cannot be, or another process does so at the same time, they make their own.
func (r *Reader) keep(s *state, which []int, made [][]byte) {
	root, err := derived.CreateDatabase(r.db.Address(), cataloguesDir)
	if err != nil {
		return
	}
	defer root.Close()
	lock, err := derived.TryAcquire(root)
	if err != nil {
		return
	}
	defer lock.Release()
	current := map[string]string{}
	for k, i := range which {
		t := &s.trees[i]
		name := r.keptName(t)
		if derived.Write(root, name, made[k]) != nil {
			return
		}
		current[strconv.Itoa(int(t.id))] = name
	}
	derived.Keep(root, ".", func(name string) bool {
		id, _, _ := strings.Cut(name, ".")
		now, mine := current[id]
		// A name without a number is that of a file which a process that died has begun.
		return id != "" && (!mine || name == now)
	})
}
