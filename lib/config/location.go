package config

import (
	"cmp"
	"path/filepath"

	"github.com/spf13/pflag"
)

// StoreVariable is the environment variable with the folder of the store. A flag wins over it.
const StoreVariable = "CORTEX_CHUNKS_DIR"

// A Location says where the index is that the user means, and where its tree is. The zero value means the nearest parent folder with a store.
type Location struct {
	root, store string
	// from is the folder from which names count, "" for the working folder.
	from string
}

// Settle makes relative names count from the folder dir, which is absolute, and no longer from the working folder: that may be deleted, and a folder that is made
// later with its name is another one.
func (p *Location) Settle(dir string) {
	p.from = dir
	for _, name := range []*string{&p.root, &p.store} {
		*name = p.absolute(*name)
	}
}

// absolute is the name as it counts from p.from.
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

// Named is the folder of the store if it is named, "" if it is that of a root.
func (p *Location) Named(getenv func(string) string) string {
	if p.store != "" || p.root != "" {
		return p.store
	}
	return p.absolute(getenv(StoreVariable))
}

// Find returns the root of the tree and the folder of the store. Of a store that is named and called .cortex the tree is the folder in
// which it lies, of another one the folder that would be meant without it, unless --root says more.
func (p *Location) Find(getenv func(string) string) (root, store string) {
	store = p.Named(getenv)
	if store == "" {
		root = cmp.Or(p.root, FindRoot(cmp.Or(p.from, ".")))
		return root, filepath.Join(root, Dir)
	}
	return cmp.Or(p.root, treeOf(store, cmp.Or(p.from, "."))), store
}

// TreeOf is the tree of a store that is named: the folder in which it lies if it is called .cortex, otherwise the one that would be meant without it.
func TreeOf(store string) string { return treeOf(store, ".") }

func treeOf(store, from string) string {
	if full, err := filepath.Abs(store); err == nil && filepath.Base(full) == Dir {
		return filepath.Dir(full)
	}
	return FindRoot(from)
}
