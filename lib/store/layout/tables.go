package layout

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"time"

	"cortex/lib/derived"
	"cortex/lib/record"
	"cortex/lib/store/shard"
)

// derivedName is the folder among the derived files of a store that has a table for each shard: the records of its
// files, without facts. Callers that need only the list of files read these tables instead of the shards.
const derivedName = "store"

// tableForm is the version of the format of tables.
const tableForm = 2

// table is the first line of a table; the rows of appendRow follow.
type table struct {
	Form   int    `json:"form"`
	Digest string `json:"digest"`
	Looks  looks  `json:"looks"`
	// Checked is the time at which the shard was compared with its digest, in nanoseconds since 1970.
	Checked int64 `json:"checked"`
	// Sum is the CRC-32C of the rows.
	Sum uint32 `json:"sum"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxTable is the greatest size in bytes of a table that is read.
const maxTable = 256 << 20

// Tables reads and writes the tables of a store.
type Tables struct {
	root *os.Root // nil if there is no cache folder
}

// OpenTables opens the tables of the store in dir, and creates their folder if it is missing. If that fails, there are
// no tables, and callers read the shards.
func OpenTables(dir string) *Tables {
	root, err := derived.Create(dir, derivedName)
	if err != nil {
		return &Tables{}
	}
	return &Tables{root}
}

// Close closes the folder of the tables.
func (t *Tables) Close() {
	if t.root != nil {
		t.root.Close()
	}
}

// Read returns the files of the shard; ok is false if there is no valid table of its content. If thoroughly is not nil,
// it is the open shard, whose metadata must be the same as when the table was written.
func (t *Tables) Read(s *Shard, thoroughly *os.File) ([]*shard.File, bool) {
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

// Write writes the table of a shard; f is the open shard, which was compared with its digest. It ignores errors, since
// tables are optional.
func (t *Tables) Write(s *Shard, files []*shard.File, f *os.File) {
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

// rowTexts and rowNumbers return the fields of a file in the order of a row, except size and tags.
func rowTexts(f *shard.File) [10]*string {
	r := &f.Record
	return [...]*string{&f.Tree, &r.FilePath, &r.Language, &r.SHA256, (*string)(&r.Status), &r.Reason, &r.Package, &r.Title, &f.Created, &f.Updated}
}

func rowNumbers(f *shard.File) [7]*int {
	return [...]*int{&f.Record.ErrorCount, &f.Unembedded, &f.Chunks[0], &f.Chunks[1], &f.Chunks[2], &f.Chunks[3], &f.Chunks[4]}
}

// appendRow appends a file to the rows of a table: texts, each after its length in bytes, and numbers, all as uvarints.
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

// decodeRows decodes the rows of a table. The texts of the files refer to rows.
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
