package parse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cortex/lib/hint"
)

// Select sets the root, Paths and Dirs from a user's arguments. A single folder becomes the root, unless root is given,
// or the folder is below the current one and that has an index: then a run of the part must not replace the whole in
// the store. Otherwise all arguments are parts of the tree root, or of the current folder if root is "".
func (o *Options) Select(root string, args []string) error {
	if slices.Contains(args, "") { // filepath.Clean would make it the current folder
		return hint.Wrap(errors.New("an argument is empty"), "name a folder or files, such as .; a variable may be unset")
	}
	if root == "" && len(args) == 1 && !isPartOfIndexed(args[0]) {
		if info, err := os.Stat(filepath.Clean(args[0])); err == nil && info.IsDir() {
			root, args = args[0], nil
		}
	}
	// Clean first: lib/.. means the folder around lib, even if the repository has made lib a link to another place.
	o.Source.Root = filepath.Clean(root)
	if info, err := os.Stat(o.Source.Root); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("root %q is not a folder", o.Source.Root)
	}
	var err error
	if o.RelativeRoot, err = fromHere(o.Source.Root); err != nil {
		return err
	}
	for _, arg := range args {
		if err := o.add(arg); err != nil {
			return err
		}
	}
	return nil
}

// fromHere returns root relative to the current folder if one of the two contains the other; "" otherwise, or if they
// are equal.
func fromHere(root string) (string, error) {
	here, err := filepath.Abs(".")
	if err != nil {
		return "", err
	}
	there, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(here, there)
	isAbove := strings.Trim(path, "."+string(filepath.Separator)) == ""
	if err != nil || path == "." || !isAbove && !filepath.IsLocal(path) {
		return "", nil
	}
	return filepath.ToSlash(path), nil
}

// isPartOfIndexed reports whether path is below the current folder and the current folder has a store.
func isPartOfIndexed(path string) bool {
	if inside, err := relative(".", path); err != nil || inside == "." {
		return false
	}
	info, err := os.Stat(".cortex")
	return err == nil && info.IsDir()
}

// add selects a file or folder that the user named relative to the current folder.
func (o *Options) add(arg string) error {
	info, err := os.Stat(filepath.Clean(arg))
	if errors.Is(err, os.ErrNotExist) {
		return hint.Wrap(err, "name a folder, files, or a list of files with --files-from")
	}
	if err != nil {
		return err
	}
	path, err := relative(o.Source.Root, arg)
	if err != nil {
		return err
	}
	if info.IsDir() {
		o.Dirs = append(o.Dirs, path)
	} else {
		o.Paths = append(o.Paths, path)
	}
	return nil
}

// relative returns arg as a path relative to root, with slashes. A path outside of root is an error.
func relative(root, arg string) (string, error) {
	from, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(arg)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(path) {
		err := fmt.Errorf("%q is outside of the root %q", arg, root)
		return "", hint.Wrap(err, "--root DIR names the folder to which paths are relative")
	}
	return filepath.ToSlash(path), nil
}

// SelectList sets Paths and Dirs from a list of paths that end with the byte end, relative to the root. A folder in the
// list, such as a submodule that git names, is in both, since it may have taken the place of a file.
func (o *Options) SelectList(r io.Reader, end byte) error {
	root, err := filepath.Abs(o.Source.Root)
	if err != nil {
		return err
	}
	if o.Paths, err = readPaths(r, end); err != nil {
		return err
	}
	for _, path := range o.Paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, path)
		}
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		if below, err := filepath.Rel(root, path); err == nil {
			o.Dirs = append(o.Dirs, filepath.ToSlash(below))
		}
	}
	return nil
}

// readPaths reads a list of paths that end with the byte end, without empty ones. The result is never nil.
func readPaths(r io.Reader, end byte) ([]string, error) {
	paths := []string{}
	in := bufio.NewReader(r)
	for {
		path, err := in.ReadString(end)
		path = strings.TrimSuffix(path, string(end))
		if end == '\n' {
			path = strings.TrimSuffix(path, "\r")
		}
		if path != "" {
			paths = append(paths, path)
		}
		if err == io.EOF {
			return paths, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
