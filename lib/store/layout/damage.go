package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"cortex/lib/hint"
)

// Damage is a fault in the content of a shard.
type Damage struct {
	File string
	Line int // 0 if it is not known
	What string
}

func (d *Damage) Error() string {
	if d.Line > 0 {
		return fmt.Sprintf("%s:%d: damaged: %s", d.File, d.Line, d.What)
	}
	return fmt.Sprintf("%s: damaged: %s", d.File, d.What)
}

// WithCure adds a hint to an error in reading a store, if it knows how to repair the cause.
func WithCure(dir string, err error) error {
	var d *Damage
	if errors.As(err, &d) {
		return hint.Wrap(err, CureOfDamage(dir))
	}
	if errors.Is(err, syscall.EIO) {
		return hint.Wrap(err, "the disk may be failing: if it says so again, remove the file and index again in full: "+InFolder(dir, IndexAll))
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return hint.Wrap(err, "remove what stands in the place of a folder in "+dir+" and index again in full: "+InFolder(dir, IndexAll))
	}
	if errors.Is(err, fs.ErrPermission) {
		return hint.Wrap(err, "let this user read "+dir+" and the files in it")
	}
	return err
}

// CureOfDamage returns the hint for a damaged store.
func CureOfDamage(dir string) string {
	return "index again in full, which replaces what is damaged: " + InFolder(dir, IndexAll)
}
