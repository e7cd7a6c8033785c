package parse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cortex/lib/hint"
)

// Select sets the root and what of it to read from a user's arguments. One folder is
// itself the tree, unless root names that or the folder lies in the current one and that is indexed: a
// part must not take the place of the whole in its store. Other folders and files are parts
// of the tree root, which is the current folder if it is "".
func (o *Options) Select(root string, args []string) error {
	if root == "" && len(args) == 1 && !isPartOfIndexed(args[0]) {
		if info, err := os.Stat(filepath.Clean(args[0])); err == nil && info.IsDir() {
			root, args = args[0], nil
		}
	}
	// As a path is written, lib/.. is the folder around lib, also where lib is a link that a repository set to elsewhere.
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

// fromHere is root as seen from the current folder if that contains root or lies in it, and "" otherwise or where they are the same.
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

// isPartOfIndexed reports whether path lies below the current folder and that has a store.
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

// relative is arg as a path below root, with slashes.
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

// ReadPaths reads a list of paths, each ended by the byte end; empty ones do not count.
// The result is never nil.
func ReadPaths(r io.Reader, end byte) ([]string, error) {
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
