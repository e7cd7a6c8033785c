package config

import (
	"cmp"
	"path/filepath"

	"github.com/spf13/pflag"
)

// StoreVariable is the environment variable with the folder of the store. A flag wins over it.
const StoreVariable = "CORTEX_CHUNKS_DIR"

// A Location selects an index and its tree. The zero value selects the nearest parent folder with a store.
type Location struct {
	root, store string
	// from is the folder from which relative names start, "" for the working folder.
	from string
}

// Settle makes relative names start from the absolute folder dir instead of the working folder, which may be deleted
// and replaced by another one.
func (p *Location) Settle(dir string) {
	p.from = dir
	for _, name := range []*string{&p.root, &p.store} {
		*name = p.absolute(*name)
	}
}

// absolute returns the name as an absolute path, if p.from is set.
func (p *Location) absolute(name string) string {
	if name == "" || p.from == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.from, name)
}

// Flags adds --root and --store to fs.
func (p *Location) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&p.root, "root", "", "indexed `FOLDER` (default: the nearest parent with .cortex)")
	fs.StringVar(&p.store, "store", "", "search the store in `DIR` (default: $"+StoreVariable+", otherwise .cortex in the root)")
}

// Rooted reports whether the user has named the root.
func (p *Location) Rooted() bool { return p.root != "" }

// IsNamed reports whether the user has named the root or the store by a flag.
func (p *Location) IsNamed() bool { return p.root != "" || p.store != "" }

// Named returns the store's folder if the user has named one by a flag or variable, otherwise "".
func (p *Location) Named(getenv func(string) string) string {
	if p.store != "" || p.root != "" {
		return p.store
	}
	return p.absolute(getenv(StoreVariable))
}

// Find returns the root of the tree and the folder of the store. For a named store without --root, the root is that of
// TreeOf.
func (p *Location) Find(getenv func(string) string) (root, store string) {
	store = p.Named(getenv)
	if store == "" {
		root = cmp.Or(p.root, FindRoot(cmp.Or(p.from, ".")))
		return root, filepath.Join(root, Dir)
	}
	return cmp.Or(p.root, treeOf(store, cmp.Or(p.from, "."))), store
}

// TreeOf returns the root of the tree of a named store. If the store is called .cortex, the root is its parent folder.
// Otherwise the root is FindRoot of the working folder.
func TreeOf(store string) string { return treeOf(store, ".") }

func treeOf(store, from string) string {
	if full, err := filepath.Abs(store); err == nil && filepath.Base(full) == Dir {
		return filepath.Dir(full)
	}
	return FindRoot(from)
}
