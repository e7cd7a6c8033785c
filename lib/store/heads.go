package store

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A head is a file in a shard, with the place of its lines and those of its chunks there.
type head struct {
	*shard.File
	offset, size int64
}

// heads reads the shard for its files.
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

// filesOf returns the files of a shard, from its table if there is one.
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

// File returns what the generation has of the file with this tree path, without the facts about its code, if it knows that file.
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

// ReadFiles returns the manifest and, by tree path, what the store has of each file without the facts about its code.
func ReadFiles(ctx context.Context, dir string) (*layout.Manifest, map[string]*shard.File, error) {
	m, lists, err := readFiles(ctx, dir, false)
	if err != nil {
		return nil, nil, err
	}
	all := make(map[string]*shard.File, m.Stats.Files)
	for _, list := range lists {
		for _, f := range list {
			all[f.Path()] = f
		}
	}
	return m, all, nil
}

// readFiles returns the files by shard. Damage of shards is looked for if thorough is set.
func readFiles(ctx context.Context, dir string, thorough bool) (*layout.Manifest, [][]*shard.File, error) {
	g, err := Open(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	defer g.Close()
	t := layout.OpenTables(dir)
	defer t.Close()
	lists := make([][]*shard.File, len(g.files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range g.files {
		group.Go(func() (err error) {
			lists[i], err = g.filesOf(ctx, t, i, thorough)
			return err
		})
	}
	return &g.manifest, lists, group.Wait()
}
