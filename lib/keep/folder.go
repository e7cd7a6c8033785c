package keep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/safeopen"
)

// Bounds of the search for repositories below a folder: levels, and entries of folders.
const (
	repositoryDepth   = 3
	repositoryFolders = 2000
)

// CheckRoot returns an error if root, which the user has named, is no folder that can be read.
func CheckRoot(root string) error {
	folder, err := safeopen.Open(root)
	if err == nil {
		return folder.Close()
	}
	info, missing := os.Stat(root)
	switch {
	case errors.Is(missing, fs.ErrNotExist):
		return hint.Wrap(fmt.Errorf("--root %s: the folder does not exist", root), "name an existing folder, or start cortex-serve in the repository without --root")
	case missing == nil && !info.IsDir():
		return hint.Wrap(fmt.Errorf("--root %s: it is a file", root), "name its folder: --root "+filepath.Dir(root))
	case errors.Is(err, fs.ErrPermission):
		return hint.Wrap(fmt.Errorf("--root %s: permission denied", root), "let the user who runs cortex-serve read the folder and those above it")
	}
	return fmt.Errorf("--root: %w", err)
}

// CheckFolder returns an error if creating an index of root unasked would surprise the user: root is the root of the
// file system, the home folder, a folder above it, or a folder above a repository.
func CheckFolder(root, home string) error {
	refuse := func(what string) error {
		return hint.Wrap(fmt.Errorf("no index is made of %s by itself: it is %s", root, what), "start cortex-serve in a repository, or with --root "+root)
	}
	real := func(path string) string {
		if full, err := filepath.EvalSymlinks(path); err == nil {
			return full
		}
		return filepath.Clean(path)
	}
	at := real(root)
	if at == "/" {
		return refuse("the root of the file system")
	}
	if home != "" {
		switch home = real(home); {
		case at == home:
			return refuse("the home folder")
		case strings.HasPrefix(home, at+"/"):
			return refuse("above the home folder")
		}
	}
	if _, ok := Repository(at); ok {
		return nil
	}
	left := repositoryFolders
	if below := repositoryBelow(at, repositoryDepth, &left); below != "" {
		return refuse("above the repository " + below)
	}
	return nil
}

// Repository returns the top of the git repository that contains dir.
func Repository(dir string) (top string, ok bool) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, true
		}
		if at == filepath.Dir(at) {
			return "", false
		}
	}
}

// repositoryBelow returns a repository below dir, "" if it finds none. left is the number of entries it may still look
// at.
func repositoryBelow(dir string, depth int, left *int) string {
	root, err := safeopen.Open(dir)
	if err != nil {
		return ""
	}
	entries, err := root.List(".")
	if err = errors.Join(err, root.Close()); err != nil {
		return ""
	}
	var folders []string
	for _, entry := range entries {
		if *left--; *left < 0 {
			return ""
		}
		if entry.IsDir() {
			folders = append(folders, filepath.Join(dir, entry.Name()))
		}
	}
	for _, folder := range folders {
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
			return folder
		}
	}
	for _, folder := range folders {
		if depth > 1 {
			if found := repositoryBelow(folder, depth-1, left); found != "" {
				return found
			}
		}
	}
	return ""
}
