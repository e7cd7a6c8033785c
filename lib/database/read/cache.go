package read

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"cortex/lib/derived"
	"cortex/lib/parallel"
	"cortex/lib/search/index"
)

// cataloguesDir is one of the folders that readers keep for a database among the user's derived files:
//
//	catalogues/TREE.WRITTEN.FORM   the catalogue of a tree, by the tree's content and the format of the catalogue
//	graphs/KEY/...                 the graph of some trees; lib/graph/stored
//
// A process that writes a catalogue removes outdated ones of the same tree.
const cataloguesDir = "catalogues"

// keptName returns the name of the file with the catalogue of a tree.
func (r *Reader) keptName(t *tree) string {
	form := sha256.Sum256(fmt.Appendf(nil, "%q %+v", r.analysis.Version, r.analysis.Dicts))
	return fmt.Sprintf("%d.%s.%x", t.id, t.written, form[:8])
}

// openCatalogue maps a stored catalogue, which stays mapped as long as it is referenced.
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

// openKept opens the stored catalogues of the given trees. The result lacks those that cannot be read.
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
	group, _ := parallel.NewGroup(context.Background())
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

// keep stores catalogues for readers that start later. It does nothing if it cannot write, or if another process is
// writing at the same time.
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
		// A name without a number is a temporary file that a killed process left behind.
		return id != "" && (!mine || name == now)
	})
}
