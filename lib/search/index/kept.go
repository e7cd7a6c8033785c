package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"cortex/lib/derived"
)

// Kept files are what was derived from others of the store and is mapped into memory rather than derived again. Each is a folder with the content and its seal;
// they share the rules of the index: a file gets its name when it is whole, and its seal tells whether it is still the file that was written.
//
//	NAME/KEY/content
//	NAME/KEY/seal
const (
	keptContent = "content"
	keptSeal    = "seal"
	keptFiles   = 2
	maxSeal     = 4096
)

// keptKey matches keys, and the names of what a writer that died left behind.
var keptKey = regexp.MustCompile(`^[0-9a-f]{32}(-[0-9]{1,9})?$|^tmp-`)

// A Kept is the content of a kept file, mapped into memory. It begins at a multiple of 8.
type Kept struct {
	Data []byte
	m    *mapping
}

// Close frees the memory. Nothing of it may be in use.
func (k *Kept) Close() error { return k.m.close() }

// OpenKept opens what KeepFile wrote under the name and key. The error is fs.ErrNotExist if there is nothing, and ErrDamaged if it is not what was written.
func OpenKept(storeDir, name, key string) (*Kept, error) {
	root, err := derived.Open(storeDir, name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return openKept(root, key)
}

func openKept(root *os.Root, key string) (*Kept, error) {
	if !keptKey.MatchString(key) {
		return nil, fmt.Errorf("open %q in %s: it is no key", key, root.Name())
	}
	f, err := openPlain(root, key+"/"+keptSeal)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if stat, err := sealOf(f); err != nil || stat.Size > maxSeal {
		return nil, cmp.Or(err, fmt.Errorf("open %s: %w", f.Name(), ErrDamaged))
	}
	var want seal
	if err := json.NewDecoder(f).Decode(&want); err != nil {
		return nil, fmt.Errorf("open %s: %w: %w", f.Name(), ErrDamaged, err)
	}
	m, err := openSealed(root, key+"/"+keptContent, want, false)
	if err != nil {
		return nil, err
	}
	return &Kept{m.data, m}, nil
}

// KeepFile keeps the content under the name and a key of 32 hexadecimal digits, perhaps followed by "-" and a number, for the next OpenKept. One that is there
// already stays. The newest few are kept, others removed. The error is ErrBusy if another process writes.
func KeepFile(ctx context.Context, storeDir, name, key string, content []byte) (err error) {
	if !keptKey.MatchString(key) || strings.HasPrefix(key, tempPrefix) {
		return fmt.Errorf("keep %q: it is no key", key)
	}
	c := &cache{storeDir: storeDir, folder: name}
	if err := c.create(); err != nil {
		return err
	}
	defer func() { c.root.Close() }()
	l, err := c.lock(ctx, 0)
	if err != nil {
		return err
	}
	defer l.release()
	if k, err := openKept(c.root, key); err == nil {
		return k.Close()
	}
	temp := tempName()
	defer func() {
		if err != nil {
			err = errors.Join(err, c.root.RemoveAll(temp))
		}
	}()
	if err := c.root.Mkdir(temp, 0o777); err != nil {
		return err
	}
	if err := writeFile(ctx, c.root, temp+"/"+keptContent, bytes.NewReader(content), true); err != nil {
		return err
	}
	s, err := c.sealed(ctx, temp+"/"+keptContent, true)
	if err != nil {
		return err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := writeFile(ctx, c.root, temp+"/"+keptSeal, bytes.NewReader(text), true); err != nil {
		return err
	}
	if err := c.root.RemoveAll(key); err != nil {
		return err
	}
	if err := c.root.Rename(temp, key); err != nil {
		return err
	}
	return c.removeOld(key)
}

// removeOld removes all kept files but that of the key and the newest others.
func (c *cache) removeOld(key string) error {
	old, err := newestFirst(c.root, func(e fs.DirEntry) bool { return e.Name() != key && keptKey.MatchString(e.Name()) })
	if err != nil {
		return err
	}
	kept := 1
	for _, name := range old {
		if kept < keptFiles && !strings.HasPrefix(name, tempPrefix) {
			kept++
			continue
		}
		if err := c.root.RemoveAll(name); err != nil {
			return err
		}
	}
	return nil
}
