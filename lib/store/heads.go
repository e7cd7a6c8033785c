package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"cortex/lib/derived"
	"cortex/lib/record"
	"cortex/lib/store/shard"
)

// derivedName is the folder among the derived files of a store in which there is a table for each shard: its files without facts, see appendRow.
// Who asks which files are indexed reads these instead of the shards.
const derivedName = "store"

// tableForm is the form of tables.
const tableForm = 2

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

// table is the first line of a table.
type table struct {
	Form   int    `json:"form"`
	Digest string `json:"digest"`
	Looks  looks  `json:"looks"`
	// Checked is when the shard had this content.
	Checked int64 `json:"checked"`
	// Sum is the CRC-32C of what follows.
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
	if !ok || json.Unmarshal(first, &head) != nil || head.Form != tableForm || head.Digest != s.Digest || head.Sum != crc32.Checksum(rest, castagnoli) {
		return nil, false
	}
	if thoroughly != nil {
		now, ok := lookAt(thoroughly)
		if !ok || now != head.Looks || head.Checked-now.Modified < int64(settled) {
			return nil, false
		}
	}
	return decodeRows(string(rest))
}

// write makes the table of a shard that is open and has been compared with its digest. Nobody needs it.
func (t *tables) write(s *Shard, files []*shard.File, f *os.File) {
	if t.root == nil {
		return
	}
	head := table{Form: tableForm, Digest: s.Digest, Checked: time.Now().UnixNano()}
	var ok bool
	if head.Looks, ok = lookAt(f); !ok {
		return
	}
	var rows []byte
	for _, f := range files {
		rows = appendRow(rows, f)
	}
	head.Sum = crc32.Checksum(rows, castagnoli)
	data, err := json.Marshal(head)
	if err != nil {
		return
	}
	_ = derived.Write(t.root, s.Name, append(append(data, '\n'), rows...))
}

// rowTexts and rowNumbers are what a row of a table says of a file beside its tags, in order.
func rowTexts(f *shard.File) [10]*string {
	r := &f.Record
	return [...]*string{&f.Tree, &r.FilePath, &r.Language, &r.SHA256, (*string)(&r.Status), &r.Reason, &r.Package, &r.Title, &f.Created, &f.Updated}
}

func rowNumbers(f *shard.File) [7]*int {
	return [...]*int{&f.Record.ErrorCount, &f.Unembedded, &f.Chunks[0], &f.Chunks[1], &f.Chunks[2], &f.Chunks[3], &f.Chunks[4]}
}

// appendRow appends a file to the rows of a table: texts, each after its length, and numbers, all as uvarints.
func appendRow(rows []byte, f *shard.File) []byte {
	text := func(s string) { rows = append(binary.AppendUvarint(rows, uint64(len(s))), s...) }
	for _, s := range rowTexts(f) {
		text(*s)
	}
	for _, n := range rowNumbers(f) {
		rows = binary.AppendUvarint(rows, uint64(*n))
	}
	rows = binary.AppendUvarint(rows, uint64(f.Record.Size))
	rows = binary.AppendUvarint(rows, uint64(len(f.Record.Tags)))
	for _, tag := range f.Record.Tags {
		text(tag)
	}
	return rows
}

// decodeRows undoes that. The texts of the files are pieces of the rows.
func decodeRows(rows string) (files []*shard.File, ok bool) {
	ok = true
	number := func() uint64 {
		n := uint64(0)
		for shift := 0; ok && shift < 64; shift += 7 {
			if ok = rows != ""; !ok {
				break
			}
			b := rows[0]
			rows = rows[1:]
			if n |= uint64(b&0x7f) << shift; b < 0x80 {
				return n
			}
		}
		ok = false
		return 0
	}
	text := func() string {
		n := number()
		if ok = ok && n <= uint64(len(rows)); !ok {
			return ""
		}
		s := rows[:n]
		rows = rows[n:]
		return s
	}
	for ok && rows != "" {
		f := &shard.File{Record: record.File{Type: record.TypeFile}}
		for _, s := range rowTexts(f) {
			*s = text()
		}
		for _, n := range rowNumbers(f) {
			*n = int(number())
		}
		f.Record.Size = int64(number())
		for n := number(); ok && n > 0; n-- {
			f.Record.Tags = append(f.Record.Tags, text())
		}
		files = append(files, f)
	}
	return files, ok
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
	paths := make(map[string]bool, len(list))
	for i, h := range list {
		path := h.Path()
		if paths[path] || shard.Of(path, len(g.files)) != number {
			return nil, withCure(g.dir, &damage{file: g.files[number].Name(), what: fmt.Sprintf("file %q stands where it does not belong", path)})
		}
		files[i], paths[path] = h.File, true
	}
	t.write(s, files, g.files[number])
	return files, nil
}

// ReadFiles returns the manifest and, by tree path, what the store has of each file without the facts about its code. Damage of shards is looked for if thorough is set.
func ReadFiles(ctx context.Context, dir string, thorough bool) (*Manifest, map[string]*shard.File, error) {
	m, lists, err := readFiles(ctx, dir, thorough)
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

// readFiles returns the files by shard.
func readFiles(ctx context.Context, dir string, thorough bool) (*Manifest, [][]*shard.File, error) {
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
	return &g.manifest, lists, group.Wait()
}
