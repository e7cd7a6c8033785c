package keep

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"cortex/lib/derived"
	"cortex/lib/gitdir"
	"cortex/lib/safeopen"
	"cortex/lib/store"
)

// sharedFolders are the folders of derived files whose files are named by digests of their input, so stores can share
// them: segments of the search index, facts and tables of the graph.
var sharedFolders = []string{"index", "graph"}

// takeOver creates the store in dir as a copy of the newest store of another worktree of the repository, if there is
// one, and makes both use the same derived files. The next run then updates only the files that differ. An error only
// costs time.
func (k *Keeper) takeOver(ctx context.Context, root, dir string) (done bool) {
	other := newestStore(worktrees(root), dir)
	if other == "" {
		return false
	}
	for _, folder := range sharedFolders {
		_ = derived.Share(other, dir, folder)
	}
	_ = k.copyStore(ctx, other, dir)
	return Exists(dir)
}

// leave removes the manifest of a store that was taken over.
func leave(dir string) error {
	root, err := safeopen.OpenFolder(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Remove(store.ManifestName) // a run replaces shards that are in no manifest
}

// copyStore copies the records of a store. The copy has the time of the other store, so that files in this worktree
// count as newer.
func (k *Keeper) copyStore(ctx context.Context, other, dir string) error {
	m, err := store.ReadManifest(other)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	commands := Stages()
	program := filepath.Join(k.opts.Bin, commands[len(commands)-1])
	read := exec.CommandContext(ctx, program, "cat", "--store", other)
	write := exec.CommandContext(ctx, program, "--quiet", "--no-index", "--store", dir)
	at, err := time.Parse(time.RFC3339, m.GeneratedAt)
	if err != nil {
		return err
	}
	write.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(at.Unix(), 10))
	read.WaitDelay, write.WaitDelay = lastWords, lastWords
	records, err := read.StdoutPipe()
	if err != nil {
		return err
	}
	to, err := write.StdinPipe()
	if err != nil {
		return err
	}
	if err := read.Start(); err != nil {
		return err
	}
	defer read.Wait()
	defer stop() // before Wait, which would block otherwise
	if err := write.Start(); err != nil {
		return err
	}
	_, err = io.Copy(to, records)
	to.Close()
	if writeErr := write.Wait(); err == nil {
		err = writeErr
	}
	return err
}

// newestStore returns the most recently written store of the given worktrees, "" if there is none. It skips dir, and
// stores that have anything but a single unnamed tree.
func newestStore(roots []string, dir string) string {
	newest := ""
	var at os.FileInfo
	for _, root := range roots {
		other := filepath.Join(root, filepath.Base(dir))
		info, err := os.Stat(filepath.Join(other, store.ManifestName))
		if err != nil || other == dir || at != nil && !at.ModTime().Before(info.ModTime()) {
			continue
		}
		m, err := store.ReadManifest(other)
		if _, ok := m.Trees[""]; err == nil && ok && len(m.Trees) == 1 {
			newest, at = other, info
		}
	}
	return newest
}

// worktrees returns the roots of all other worktrees of the git repository of root. It ignores a .git file that names a
// folder which does not name root in return: the folder belongs to another repository.
func worktrees(root string) []string {
	git := filepath.Join(root, ".git")
	common := git
	if info, err := os.Lstat(git); err != nil {
		return nil
	} else if !info.IsDir() {
		own, ok := gitdir.Target(read(git), root)
		if !ok {
			return nil
		}
		back, ok := gitdir.Path(read(filepath.Join(own, "gitdir")), own)
		if !ok || !isSame(back, git) {
			return nil
		}
		if common, ok = gitdir.Path(read(filepath.Join(own, "commondir")), own); !ok {
			return nil
		}
	}
	var found []string
	if filepath.Base(common) == ".git" {
		found = append(found, filepath.Dir(common))
	}
	for _, dir := range foldersIn(filepath.Join(common, "worktrees")) {
		if at, ok := gitdir.Path(read(filepath.Join(dir, "gitdir")), dir); ok && filepath.Base(at) == ".git" {
			found = append(found, filepath.Dir(at))
		}
	}
	return slices.DeleteFunc(found, func(dir string) bool { return isSame(dir, root) })
}

// foldersIn returns the folders in dir, none if dir cannot be read.
func foldersIn(dir string) (found []string) {
	root, err := safeopen.Open(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	entries, err := root.List(".")
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		if entry.IsDir() {
			found = append(found, filepath.Join(dir, entry.Name()))
		}
	}
	slices.Sort(found)
	return found
}

// read returns the text of a small git file that names a folder, nil if it cannot be read.
func read(file string) []byte {
	text, err := safeopen.ReadFile(file, gitdir.MaxPointer)
	if err != nil {
		return nil
	}
	return text
}

// isSame reports whether a and b are the same file or folder.
func isSame(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
