package derived

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"cortex/lib/hint"
)

// Variable is the environment variable that selects another folder.
const Variable = "CORTEX_CACHE_DIR"

// Home returns the folder of the user's derived files, which need not exist. It returns an error if the environment
// defines none.
func Home() (string, error) {
	if dir := os.Getenv(Variable); dir != "" {
		return filepath.Abs(dir)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", withCure(fmt.Errorf("find the cache folder: %w", err))
	}
	return filepath.Join(base, "cortex"), nil
}

// withCure adds a hint to an error of writing to the folder.
func withCure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return hint.Wrap(err, "make room there, or set "+Variable+" to a folder on a disk with room")
	}
	return hint.Wrap(err, "set "+Variable+" to a folder that can be written")
}
