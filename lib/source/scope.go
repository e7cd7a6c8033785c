package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cortex/lib/gitdir"
	"cortex/lib/safeopen"
)

// The ignore files, in the order in which they are asked. The first
// whose patterns match decides; within one kind, the one in the deepest folder is asked first.
const (
	cortexIgnore = iota // .cortexignore
	plainIgnore         // .ignore
	gitIgnore           // .gitignore
	gitExclude          // .git/info/exclude
	ignoreKinds
)

var ignoreNames = [...]string{cortexIgnore: ".cortexignore", plainIgnore: ".ignore", gitIgnore: ".gitignore"}

// A layer is an ignore file that reaches a folder, and those of its kind above it.
type layer struct {
	above *layer
	// prefix is the length of the path of the file's folder, with its slash.
	prefix int
	rules  *rules
}

// remainingGlobs is how many bytes patterns with wildcards may still have in the folders below.
func (s *scope) remainingGlobs() int {
	remaining := maxGlobs
	for _, l := range s.layers {
		if l != nil {
			remaining = min(remaining, l.rules.remaining)
		}
	}
	return remaining
}

// A scope is all that decides about the entries of one folder. It is never changed once made.
// Paths in it are relative to the top of the repository, or else to the root.
type scope struct {
	// path is that of the folder, with a slash at the end; "" at the top, which has that absolute path without links.
	path, top string
	layers    [ignoreKinds]*layer
	repo      *repository
	// git is the absolute path of the folder in which the repository that the folder lies in lists its linked work trees, "" outside of one. It is only compared,
	// since a file may have named it.
	git string
	// linked is set for a linked work tree of that repository, of which nothing belongs to the tree.
	linked bool
	// builds is set for the top of a tree or work tree, and where a build file lies.
	builds bool
}

// excludes reports whether an entry of the folder does not belong to the tree.
func (s *scope) excludes(name string, dir bool) bool {
	if s.linked || never(name, dir) {
		return true
	}
	path := s.path + name
	for _, l := range s.layers {
		for ; l != nil; l = l.above {
			switch l.rules.match(path[l.prefix:], dir) {
			case ignored:
				return true
			case wanted:
				return false
			}
		}
	}
	return s.isProduct(name, dir)
}

// enter returns the scope of the folder of that name inside s, or of the root if the name is "". The folder has that path below the root of the
// tree; list is what is in it. An error is one of the environment.
func (s *scope) enter(name string, root *safeopen.Root, path string, list []fs.DirEntry, report func(error)) (*scope, error) {
	inner := *s
	inner.builds = name == ""
	if name != "" {
		inner.path = s.path + name + "/"
	}
	var has [len(ignoreNames)]bool
	for _, d := range list {
		n := d.Name()
		if n == ".git" && name != "" {
			if err := inner.startRepository(root, path, report); err != nil || inner.linked {
				return &inner, err
			}
		}
		for kind, file := range ignoreNames {
			has[kind] = has[kind] || n == file && d.Type().IsRegular()
		}
		inner.builds = inner.builds || isBuildFile(n)
	}
	for kind, file := range ignoreNames {
		if has[kind] {
			if err := inner.push(kind, root, path, file, report); err != nil {
				return nil, err
			}
		}
	}
	return &inner, nil
}

// push adds an ignore file in a folder below the root. As in git, one that is a link does not count. An error is one of the environment; others are reported.
func (s *scope) push(kind int, root *safeopen.Root, folder, name string, report func(error)) error {
	data, more, err := root.Head(path.Join(folder, name), maxIgnoreFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safeopen.ErrNotRegular) {
		return nil
	}
	if err != nil {
		if err = fmt.Errorf("read %s%s: %w", s.path, name, cause(err)); isEnvironment(err) {
			return err
		}
		report(err)
		return nil
	}
	r := parseRules(data, s.remainingGlobs())
	if r == nil {
		return nil
	}
	if r.cut || more {
		report(fmt.Errorf("read %s%s: too much; only the first patterns count", s.path, name))
	}
	s.layers[kind] = &layer{s.layers[kind], len(s.path), r}
	return nil
}

// startRepository makes the folder the top of a work tree, inside the root: git's ignore
// files above it do not reach into it. Where ".git" is a file, as in a submodule, it is not followed, since
// a repository is not trusted to name places. An error is one of the environment.
func (s *scope) startRepository(root *safeopen.Root, folder string, report func(error)) error {
	around := s.git
	s.layers[gitIgnore], s.layers[gitExclude], s.repo, s.builds, s.git = nil, nil, nil, true, ""
	inRoot := path.Join(folder, ".git")
	info, err := root.Lstat(inRoot)
	if err != nil {
		return environment(err)
	}
	if !info.IsDir() {
		dir := filepath.Join(s.top, filepath.FromSlash(s.path))
		named, err := gitFolder(root, inRoot, dir)
		if err == nil {
			var linked bool
			s.git, linked = gitdir.Common(named)
			s.linked = linked && s.git == around
		}
		return environment(err)
	}
	s.git = filepath.Join(s.top, filepath.FromSlash(s.path), ".git")
	path := filepath.Join(root.Name(), filepath.FromSlash(inRoot))
	s.repo = newRepository(len(s.path), func() (git, common *safeopen.Root, err error) {
		if git, err = safeopen.OpenFolder(path); err != nil {
			return nil, nil, err
		}
		common, err = git.Folder(".")
		return git, common, err
	})
	return s.push(gitExclude, root, inRoot, "info/exclude", report)
}

// rootScope returns the scope in which the root lies: what git and the folders above it, up
// to the top of its work tree, say. Outside a work tree that is nothing.
func rootScope(root string, report func(error)) (*scope, error) {
	path, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, err
	}
	top, ok := findTop(path)
	if !ok {
		return &scope{top: path}, nil
	}
	s := &scope{top: top}
	git, common, err := gitFolders(top)
	if err == nil {
		git.Close()
		s.git = filepath.Clean(common.Name())
		err = s.push(gitExclude, common, "", "info/exclude", report)
		common.Close()
		s.repo = newRepository(0, func() (git, common *safeopen.Root, err error) { return gitFolders(top) })
	}
	if err := environment(err); err != nil {
		return nil, err
	}
	below, err := filepath.Rel(top, path)
	if err != nil {
		return nil, err
	}
	dir := top
	for _, name := range strings.Split(filepath.ToSlash(below), "/") {
		if name == "." {
			break
		}
		if err := s.readParent(dir, report); err != nil {
			return nil, err
		}
		s.path += name + "/"
		dir = filepath.Join(dir, name)
	}
	return s, nil
}

// readParent adds the ignore files of a folder above the root.
func (s *scope) readParent(path string, report func(error)) error {
	dir, err := safeopen.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	for kind, file := range ignoreNames {
		if err := s.push(kind, dir, "", file, report); err != nil {
			return err
		}
	}
	return nil
}

// findTop returns the nearest folder, from dir upwards, that is the top of a git work tree.
func findTop(dir string) (string, bool) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// isProduct reports whether the name, its place, and what git tracks say that an entry of the
// folder is no source.
func (s *scope) isProduct(name string, dir bool) bool {
	switch {
	case !dir:
		return productFiles[name]
	case maybeFolders[name]:
		return s.builds && !s.repo.tracks(s.path+name)
	}
	return productFolders[name]
}
