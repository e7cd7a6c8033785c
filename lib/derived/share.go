package derived

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Share links the files in a folder of another store's derived files into that folder of the store at dir. Files are
// replaced and never written in place, so two stores can share them. A file that cannot be linked is left out, and made
// when it is needed.
func Share(other, dir, folder string) error {
	from, err := Open(other, folder)
	if err != nil {
		return ignoreMissing(err)
	}
	defer from.Close()
	to, err := Create(dir, folder)
	if err != nil {
		return err
	}
	defer to.Close()
	return fs.WalkDir(from.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return ignoreMissing(err)
		case entry.IsDir():
			return to.MkdirAll(name, 0o700)
		case !entry.Type().IsRegular() || base == lockName || strings.HasPrefix(base, tempPrefix):
			return nil
		}
		err = os.Link(filepath.Join(from.Name(), name), filepath.Join(to.Name(), name))
		if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}
