package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"cortex/lib/hint"
)

// damage is a fault in the content of a shard.
type damage struct {
	file string
	line int // 0 if it cannot be told
	what string
}

func (d *damage) Error() string {
	if d.line > 0 {
		return fmt.Sprintf("%s:%d: damaged: %s", d.file, d.line, d.what)
	}
	return fmt.Sprintf("%s: damaged: %s", d.file, d.what)
}

// withCure adds to damage what mends it, and to what cannot be read what helps.
func withCure(dir string, err error) error {
	var d *damage
	if errors.As(err, &d) {
		return hint.Wrap(err, cureOfDamage)
	}
	if errors.Is(err, syscall.EIO) {
		return hint.Wrap(err, "the disk may be failing: if it says so again, remove the file and index again in full: "+indexAll)
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return hint.Wrap(err, "remove what stands in the place of a folder in "+dir+" and index again in full: "+indexAll)
	}
	if errors.Is(err, fs.ErrPermission) {
		return hint.Wrap(err, "make the files in "+dir+" readable")
	}
	return err
}

const cureOfDamage = "index again in full, which replaces what is damaged: " + indexAll
