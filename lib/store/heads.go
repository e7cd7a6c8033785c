package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"cortex/lib/derived"
	"cortex/lib/store/shard"
)

// derivedName is the folder among the derived files of a store in which there is a table for each shard: the lines of its files without facts.
// Who asks which files are indexed reads these instead of the shards.
const derivedName = "store"

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
				return &damage{what: err.Error()}
			}
			list = append(list, head{File: f, offset: offset})
		} else if len(list) == 0 {
			return &damage{what: "a chunk without its file"}
		}
		last := &list[len(list)-1]
		last.size = offset + int64(len(line)) + 1 - last.offset
		return nil
	})
	return list, err
}

// Files that look as they did when their content was compared with its digest are not read again. One that had been written less than settled
// before could have been written again without looking different.
const settled = 2 * time.Second

// looks is what a file looks like.
type looks struct {
	Inode    uint64 `json:"inode"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"`
}

func lookAt(f *os.File) (l looks, ok bool) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &stat); err != nil {
		return l, false
	}
	return looks{uint64(stat.Ino), stat.Size, stat.Mtim.Nano()}, true //nolint:unconvert // its size differs between systems
}

// table is the first line of a table.
type table struct {
	Digest string `json:"digest"`
	Looks  looks  `json:"looks"`
	// Checked is when the shard had this content.
	Checked int64 `json:"checked"`
	// Sum is the CRC-32C of the lines that follow.
	Sum uint32 `json:"sum"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxTable bounds a table that is read.
const maxTable = 256 << 20

// tables are the tables of a store.
type tables struct {
	root *os.Root // nil if there is no folder
}

// openTables opens the tables of the store in dir, for which it makes a folder if make is set. There may be none; they are but faster.
func openTables(dir string, make bool) *tables {
	open := derived.Open
	if make {
		open = derived.Create
	}
	root, err := open(dir, derivedName)
	if err != nil {
		return &tables{}
	}
	return &tables{root}
}

func (t *tables) close() {
	if t.root != nil {
		t.root.Close()
	}
}

// read returns the files of the shard if there is a table of this content. Of a thorough reading the shard, which is open, must look as it did.
func (t *tables) read(s *Shard, thoroughly *os.File) ([]*shard.File, bool) {
	if t.root == nil {
		return nil, false
	}
	data, err := derived.Read(t.root, s.Name, maxTable)
	if err != nil {
		return nil, false
	}
	first, rest, ok := bytes.Cut(data, []byte("\n"))
	var head table
	if !ok || json.Unmarshal(first, &head) != nil || head.Digest != s.Digest || head.Sum != crc32.Checksum(rest, castagnoli) {
		return nil, false
	}
	if thoroughly != nil {
		now, ok := lookAt(thoroughly)
		if !ok || now != head.Looks || head.Checked-now.Modified < int64(settled) {
			return nil, false
		}
	}
	files := make([]*shard.File, 0, s.Files)
	for len(rest) > 0 {
		line, after, ok := bytes.Cut(rest, []byte("\n"))
		f, _, err := shard.DecodeHead(line)
		if !ok || err != nil {
			return nil, false
		}
		files, rest = append(files, f), after
	}
	return files, true
}

// write makes the table of a shard that is open and has been compared with its digest. Nobody needs it.
func (t *tables) write(s *Shard, files []*shard.File, f *os.File) {
	if t.root == nil {
		return
	}
	head := table{Digest: s.Digest, Checked: time.Now().UnixNano()}
	var ok bool
	if head.Looks, ok = lookAt(f); !ok {
		return
	}
	var lines []byte
	for _, f := range files {
		var err error
		if lines, err = f.Append(lines, nil); err != nil {
			return
		}
	}
	head.Sum = crc32.Checksum(lines, castagnoli)
	data, err := json.Marshal(head)
	if err != nil {
		return
	}
	_ = derived.Write(t.root, s.Name, append(append(data, '\n'), lines...))
}

// filesOf returns the files of a shard, from its table if there is one.
func (g *Generation) filesOf(ctx context.Context, t *tables, number int, thorough bool) ([]*shard.File, error) {
	s := &g.manifest.Shards[number]
	var look *os.File
	if thorough {
		look = g.files[number]
	}
	if files, ok := t.read(s, look); ok {
		return files, nil
	}
	list, err := g.heads(ctx, number)
	if err != nil {
		return nil, err
	}
	files := make([]*shard.File, len(list))
	for i, h := range list {
		files[i] = h.File
	}
	t.write(s, files, g.files[number])
	return files, nil
}

// ReadFiles returns the manifest and, by tree path, what the store has of each file without the facts about its code. Damage of shards is looked for if thorough is set.
func ReadFiles(ctx context.Context, dir string, thorough bool) (*Manifest, map[string]*shard.File, error) {
	g, err := Open(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	defer g.Close()
	t := openTables(dir, true)
	defer t.close()
	lists := make([][]*shard.File, len(g.files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range g.files {
		group.Go(func() (err error) {
			lists[i], err = g.filesOf(ctx, t, i, thorough)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	all := map[string]*shard.File{}
	for i, list := range lists {
		for _, f := range list {
			path := f.Path()
			if all[path] != nil || shard.Of(path, len(lists)) != i {
				return nil, nil, withCure(dir, &damage{file: g.files[i].Name(), what: fmt.Sprintf("file %q stands where it does not belong", path)})
			}
			all[path] = f
		}
	}
	return &g.manifest, all, nil
}
