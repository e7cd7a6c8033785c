package derived

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Share lets the store at dir have the files below a folder of the derived files of another store, under the same names. Files are replaced and never
// written in place, so both may have one file. What cannot be linked is left out: it is made when it is needed.
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
