package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cortex/lib/gitdir"
	"cortex/lib/safeopen"
)

// The kinds of ignore files, in the order in which they are asked. The first file with a matching pattern decides.
// Within one kind, the file in the deepest folder is asked first.
const (
	cortexIgnore = iota // .cortexignore
	plainIgnore         // .ignore
	gitIgnore           // .gitignore
	gitExclude          // .git/info/exclude
	ignoreKinds
)

var ignoreNames = [...]string{cortexIgnore: ".cortexignore", plainIgnore: ".ignore", gitIgnore: ".gitignore"}

// A layer is an ignore file that applies to a folder, linked to the file of the same kind above it.
type layer struct {
	above *layer
	// prefix is the length of the path of the file's folder, with its slash.
	prefix int
	rules  *rules
}

// remainingGlobs returns how many bytes of patterns with wildcards ignore files further down may have.
func (s *scope) remainingGlobs() int {
	remaining := maxGlobs
	for _, l := range s.layers {
		if l != nil {
			remaining = min(remaining, l.rules.remaining)
		}
	}
	return remaining
}

// A scope decides which entries of one folder belong to the tree. It is immutable. Its paths are relative to the top of
// the repository, or to the root outside of one.
type scope struct {
	// path is the folder's path with a slash at the end, "" at the top. top is the absolute path of the top without
	// links.
	path, top string
	layers    [ignoreKinds]*layer
	repo      *repository
	// git is the absolute path of git's folder that all worktrees of the repository share, "" outside of a repository.
	// A file may have named this path, so it is only compared, never opened.
	git string
	// trackedOnly is set in a folder that git ignores and that has tracked files: only these belong to the tree.
	trackedOnly bool
	// linked is set for a linked worktree of the repository around it. None of its files belong to the tree.
	linked bool
	// builds is set at the top of a tree or worktree, and in a folder with a build file.
	builds bool
}

// A decision says whether an entry of a folder belongs to the tree.
type decision int

const (
	belongs decision = iota
	excluded
	// product is a folder of products, which is excluded but listed as skipped.
	product
)

// excludes reports whether an entry of the folder is excluded from the tree.
func (s *scope) excludes(name string, dir bool) bool { return s.judge(name, dir) != belongs }

// judge decides about an entry of the folder.
func (s *scope) judge(name string, dir bool) decision {
	if s.linked || never(name, dir) {
		return excluded
	}
	switch v, _ := s.verdict(name, dir); v {
	case ignored:
		return excluded
	case wanted:
		return belongs
	}
	switch {
	case s.isProduct(name, dir):
		return product
	case dir && cacheFolders[name], !dir && productFiles[name]:
		return excluded
	}
	return belongs
}

// verdict returns the decision of the ignore files about an entry of the folder. As with git, a tracked file is not
// ignored by git's ignore files. Then, and for the folders of such a file, but is true and the verdict undecided.
func (s *scope) verdict(name string, dir bool) (v verdict, but bool) {
	path := s.path + name
	for kind, l := range s.layers {
		byGit := kind == gitIgnore || kind == gitExclude
		if byGit && s.trackedOnly {
			return s.unlessTracked(path)
		}
		for ; l != nil; l = l.above {
			if v := l.rules.match(path[l.prefix:], dir); v == ignored && byGit {
				return s.unlessTracked(path)
			} else if v != undecided {
				return v, false
			}
		}
	}
	return undecided, false
}

// unlessTracked is the verdict about a path that git ignores unless it tracks it.
func (s *scope) unlessTracked(path string) (v verdict, but bool) {
	if s.repo.has(path) {
		return undecided, true
	}
	return ignored, false
}

// enter returns the scope of the folder called name inside s, or of the root if name is "". path is the folder's path
// relative to the root of the tree, list its entries. An error is one of the environment.
func (s *scope) enter(name string, root *safeopen.Root, path string, list []fs.DirEntry, report func(error)) (*scope, error) {
	inner := *s
	inner.builds = name == ""
	if name != "" {
		inner.path = s.path + name + "/"
		_, inner.trackedOnly = s.verdict(name, true)
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

// push adds an ignore file in a folder below root. Like git, it ignores a link, but follows that of git's info/exclude. An
// error is one of the environment; other errors are reported.
func (s *scope) push(kind int, root *safeopen.Root, folder, name string, report func(error)) error {
	shown := s.path + name
	data, more, err := root.Head(path.Join(folder, name), maxIgnoreFile)
	if kind == gitExclude {
		shown = filepath.Join(root.Name(), filepath.FromSlash(folder), filepath.FromSlash(name))
		if errors.Is(err, safeopen.ErrLink) {
			data, more, err = linkedHead(shown)
		}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safeopen.ErrNotRegular) {
		return nil
	}
	if err != nil {
		if err = fmt.Errorf("read %s: %w", shown, cause(err)); isEnvironment(err) {
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
		report(fmt.Errorf("read %s: too much; only the first patterns count", shown))
	}
	s.layers[kind] = &layer{s.layers[kind], len(s.path), r}
	return nil
}

// linkedHead is Head for a file that a link outside of its folder names. It does not read a file without a size, such as
// those of /proc, since reading one may never end.
func linkedHead(path string) (data []byte, more bool, err error) {
	f, info, err := safeopen.File(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, min(info.Size(), maxIgnoreFile)))
	return data, info.Size() > maxIgnoreFile, err
}

// startRepository makes the folder the top of a worktree: git's ignore files above it no longer apply. If ".git" is a
// file, as in a submodule, startRepository reads but does not open the folder that it names, since a repository is not
// trusted to name folders. An error is one of the environment.
func (s *scope) startRepository(root *safeopen.Root, folder string, report func(error)) error {
	around := s.git
	s.layers[gitIgnore], s.layers[gitExclude], s.repo, s.builds, s.git, s.trackedOnly = nil, nil, nil, true, "", false
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

// rootScope returns the scope around the root: the ignore files of git and of all folders from the top of the worktree
// down to the root's parent. Outside of a worktree it is empty.
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

// findTop returns the top of the nearest git worktree that contains dir.
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

// isProduct reports whether an entry is a folder of dependencies or build products, by its name, its folder, and whether git
// tracks files in it.
func (s *scope) isProduct(name string, dir bool) bool {
	if maybeFolders[name] {
		return dir && s.builds && !s.repo.tracks(s.path+name)
	}
	return dir && productFolders[name]
}
