package store

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"

	"cortex/lib/parallel"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A head is the record of a file without its facts, with the place in the shard of its line and its chunks' lines.
type head struct {
	*shard.File
	offset, size int64
}

// heads reads a shard and returns its files.
func (g *Generation) heads(ctx context.Context, number int) ([]head, error) {
	var list []head
	err := g.scan(ctx, number, func(line []byte, offset int64) error {
		if shard.IsFile(line) {
			f, _, err := shard.DecodeHead(line)
			if err != nil {
				return &layout.Damage{What: err.Error()}
			}
			list = append(list, head{File: f, offset: offset})
		} else if len(list) == 0 {
			return &layout.Damage{What: "a chunk without its file"}
		}
		last := &list[len(list)-1]
		last.size = offset + int64(len(line)) + 1 - last.offset
		return nil
	})
	return list, err
}

// filesOf returns the files of a shard, from its table if there is a valid one, else from the shard. If thorough is
// set, the table is valid only if the shard's file has not changed since the table was written.
func (g *Generation) filesOf(ctx context.Context, t *layout.Tables, number int, thorough bool) ([]*shard.File, error) {
	s := &g.manifest.Shards[number]
	var look *os.File
	if thorough {
		look = g.files[number]
	}
	if files, ok := t.Read(s, look); ok {
		return files, nil
	}
	list, err := g.heads(ctx, number)
	if err != nil {
		return nil, err
	}
	files := make([]*shard.File, len(list))
	paths := make(map[string]bool, len(list))
	for i, h := range list {
		path := h.Path()
		if paths[path] || shard.Of(path, len(g.files)) != number {
			return nil, layout.WithCure(g.dir, &layout.Damage{File: g.files[number].Name(), What: fmt.Sprintf("file %q is in the wrong shard", path)})
		}
		files[i], paths[path] = h.File, true
	}
	t.Write(s, files, g.files[number])
	return files, nil
}

// File returns the file with this tree path, without the facts about its code; known is false if the generation does
// not have it.
func (g *Generation) File(ctx context.Context, treePath string) (f *shard.File, known bool, err error) {
	t := layout.OpenTables(g.dir)
	defer t.Close()
	files, err := g.filesOf(ctx, t, shard.Of(treePath, len(g.files)), false)
	if err != nil {
		return nil, false, err
	}
	at := slices.IndexFunc(files, func(f *shard.File) bool { return f.Path() == treePath })
	if at < 0 {
		return nil, false, nil
	}
	return files[at], true, nil
}

// ReadFiles returns the manifest and all files of the store by tree path, without the facts about their code.
func ReadFiles(ctx context.Context, dir string) (*layout.Manifest, map[string]*shard.File, error) {
	m, lists, err := readFiles(ctx, dir, false)
	if err != nil {
		return nil, nil, err
	}
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	all := make(map[string]*shard.File, n) // not the manifest's number of files, which anybody may have written
	for _, list := range lists {
		for _, f := range list {
			all[f.Path()] = f
		}
	}
	return m, all, nil
}

// readFiles returns the files by shard. If thorough is set, it checks each shard that has changed on disk.
func readFiles(ctx context.Context, dir string, thorough bool) (*layout.Manifest, [][]*shard.File, error) {
	g, err := Open(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	defer g.Close()
	t := layout.OpenTables(dir)
	defer t.Close()
	lists := make([][]*shard.File, len(g.files))
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range g.files {
		group.Go(func() (err error) {
			lists[i], err = g.filesOf(ctx, t, i, thorough)
			return err
		})
	}
	return &g.manifest, lists, group.Wait()
}
