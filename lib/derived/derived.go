// Package derived keeps the files that Cortex derives from a store for its own use: search index, graph tables, results
// of stat, and embeddings that cost time or money. They are in the user's cache folder and never in the repository. So
// a cloned repository cannot bring its own index, cache or graph, and every file that is mapped into memory or trusted
// without a check was written by this user's own runs.
//
//	HOME/embeddings.db        embeddings of all stores, by content; lib/embed
//	HOME/stores/KEY/path      path of the store that the folder belongs to
//	HOME/stores/KEY/...       its derived files, one folder or file for each kind
//
// HOME is $CORTEX_CACHE_DIR, otherwise the folder cortex in the user's cache folder ($XDG_CACHE_HOME, ~/.cache). KEY is
// a digest of the absolute path of the store, or of the address of a database. Everything below HOME may be deleted at
// any time; the next run makes it again. Begin with home.go and derived.go; publish.go locks, writes and maps files.
package derived

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	storesDir = "stores"
	ownerName = "path"
)

// maxOwner bounds the file with a store's path, in bytes: several times PATH_MAX of Linux.
const maxOwner = 64 << 10

// Limits applied when Create adds a store.
const (
	// maxBytes bounds the files of all stores together. The least recently used store is removed first.
	maxBytes = 20 << 30
	// useGrain is the least time between two updates of a store's time of use.
	useGrain = time.Hour
	// abandoned is the age at which a folder without an owner counts as left over from a process that died.
	abandoned = 24 * time.Hour
)

// Path returns the folder of the derived files of the store at dir. Neither folder needs to exist.
func Path(dir string) (string, error) {
	owner, err := ownerOf(dir)
	if err != nil {
		return "", err
	}
	return folderOf(owner)
}

// ownerOf returns the path that identifies a store: absolute, with links above the store resolved.
func ownerOf(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	// The store itself may not exist yet, and must not be a link.
	if parent, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
		dir = filepath.Join(parent, filepath.Base(dir))
	}
	return dir, nil
}

func keyOf(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return hex.EncodeToString(sum[:16])
}

// Open opens the folder name (or ".") in the derived files of the store at dir. The error is fs.ErrNotExist if the
// folder is missing.
func Open(dir, name string) (*os.Root, error) {
	owner, err := ownerOf(dir)
	if err != nil {
		return nil, err
	}
	return open(owner, name)
}

// Create is Open that creates a missing folder.
func Create(dir, name string) (*os.Root, error) {
	owner, err := ownerOf(dir)
	if err != nil {
		return nil, err
	}
	return create(owner, name)
}

// databasePrefix begins the owner of files derived from a database. Paths of stores never begin with it.
const databasePrefix = "database "

// OpenDatabase is Open for a database. address must hold no password.
func OpenDatabase(address, name string) (*os.Root, error) { return open(databasePrefix+address, name) }

// CreateDatabase is Create for a database.
func CreateDatabase(address, name string) (*os.Root, error) {
	return create(databasePrefix+address, name)
}

// folderOf returns the folder of an owner's files.
func folderOf(owner string) (string, error) {
	home, err := Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, storesDir, keyOf(owner)), nil
}

func open(owner, name string) (*os.Root, error) {
	folder, err := folderOf(owner)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	noteUse(root)
	return below(root, name)
}

func create(owner, name string) (_ *os.Root, err error) {
	defer func() { err = withCure(err) }()
	folder, err := folderOf(owner)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
		removeUnused(filepath.Dir(folder), maxBytes, time.Now())
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	if known, err := Read(root, ownerName, maxOwner); err != nil || string(known) != owner {
		if err := Write(root, ownerName, []byte(owner)); err != nil {
			return nil, errors.Join(err, root.Close())
		}
	}
	noteUse(root)
	if err := root.MkdirAll(name, 0o700); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return below(root, name)
}

// below opens a folder of root and closes root.
func below(root *os.Root, name string) (*os.Root, error) {
	if name == "." {
		return root, nil
	}
	defer root.Close()
	return root.OpenRoot(name)
}

// noteUse updates the store's time of use, at most once per useGrain. On an error, the files may be removed earlier.
func noteUse(root *os.Root) {
	now := time.Now()
	if info, err := root.Stat(ownerName); err == nil && now.Sub(info.ModTime()).Abs() > useGrain {
		_ = root.Chtimes(ownerName, now, now)
	}
}

// Write replaces the file, and creates its folder if it is missing. A reader sees the old or the new content, never a
// mixture. The file may be damaged after a power failure, so its reader must check it.
func Write(root *os.Root, name string, data []byte) error {
	return Publish(root, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Read reads a file. The size limit is most bytes.
func Read(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|asFile, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		size = min(info.Size(), most)
	}
	buf := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err = buf.ReadFrom(io.LimitReader(f, most+1))
	data := buf.Bytes()
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("read %s: it has more than %d bytes", name, most)
	}
	return data, err
}

// A candidate is a store's folder that may be removed.
type candidate struct {
	name  string
	used  time.Time
	bytes int64
}

// removeUnused removes the folders of stores that no longer exist, and then those used least recently until at most
// most bytes are left. A process with open files keeps them. Errors are ignored.
func removeUnused(stores string, most int64, now time.Time) {
	root, err := os.OpenRoot(stores)
	if err != nil {
		return
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	var left []candidate
	total := int64(0)
	for _, entry := range entries {
		c, gone := inspect(root, entry, now)
		if gone {
			_ = root.RemoveAll(entry.Name())
			continue
		}
		left = append(left, c)
		total += c.bytes
	}
	slices.SortFunc(left, func(a, b candidate) int { return cmp.Or(a.used.Compare(b.used), strings.Compare(a.name, b.name)) })
	for _, c := range left {
		if total <= most {
			break
		}
		if root.RemoveAll(c.name) == nil {
			total -= c.bytes
		}
	}
}

// inspect returns the use and size of a store's folder, and reports whether the store no longer exists.
func inspect(stores *os.Root, entry fs.DirEntry, now time.Time) (c candidate, gone bool) {
	c.name = entry.Name()
	info, err := entry.Info()
	if err != nil {
		return c, false
	}
	c.used = info.ModTime()
	name := path.Join(entry.Name(), ownerName)
	if info, err := stores.Stat(name); err == nil {
		c.used = info.ModTime()
		if root, err := stores.OpenRoot(entry.Name()); err == nil {
			owner, err := Read(root, ownerName, maxOwner)
			root.Close()
			if err == nil && keyOf(string(owner)) == entry.Name() && !strings.HasPrefix(string(owner), databasePrefix) {
				// A missing store alone does not count, since a store may be removed to be made again; its parent
				// folder must be missing.
				if _, err := os.Lstat(filepath.Dir(string(owner))); errors.Is(err, fs.ErrNotExist) {
					return c, true
				}
			}
		}
	} else if now.Sub(c.used) > abandoned {
		return c, true
	}
	_ = fs.WalkDir(stores.FS(), entry.Name(), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			c.bytes += info.Size()
		}
		return nil
	})
	return c, false
}
