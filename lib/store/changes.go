package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"cortex/lib/derived"
)

// A commit notes of which pieces of the generation before it every chunk file consists, so that who knows that generation need not read
// all of the next one to find what is new. The notes are derived, and nothing depends on their being there:
//
//	changes/KEY.json  of the generation whose chunk files KEY stands for
const (
	changesDir    = "changes"
	changesSuffix = ".json"
	// keptChanges is the number of notes that are kept, for readers that have missed some generations.
	keptChanges = 16
	// Bounds of one note: a generation that differs in more pieces is read as a whole.
	maxPieces      = 1 << 16
	maxChangesSize = 4 << 20
)

// A Piece is a run of whole lines of a chunk file: Size bytes that stand at Old in the file of the older generation, or that
// are new, if Old is negative.
type Piece struct{ Old, Size int64 }

// changes is what a note says.
type changes struct {
	From map[string]ChunkFile `json:"from"`
	To   map[string]ChunkFile `json:"to"`
	// Pieces are the files of To in order, as Old and Size alternately. A file that is the same in both has none.
	Pieces map[string][]int64 `json:"pieces"`
}

// changesPath names the note of a generation.
func changesPath(files map[string]ChunkFile) string {
	h := sha256.New()
	for _, name := range fileNames {
		fmt.Fprintln(h, name, files[name].SHA256)
	}
	return changesDir + "/" + hex.EncodeToString(h.Sum(nil)[:16]) + changesSuffix
}

// pieces writes down the pieces of one file while it is written.
type pieces []Piece

// add takes the next bytes of the file.
func (p *pieces) add(old, size int64) {
	if size == 0 {
		return
	}
	if last := len(*p) - 1; last >= 0 {
		before := &(*p)[last]
		if old < 0 && before.Old < 0 || old >= 0 && before.Old >= 0 && before.Old+before.Size == old {
			before.Size += size
			return
		}
	}
	*p = append(*p, Piece{old, size})
}

// noteChanges notes how the next generation came from the last one. What goes wrong costs readers time, and nothing else.
func (w *writer) noteChanges() {
	if w.old == nil {
		return
	}
	note := changes{From: w.old.ChunkFiles, To: w.next.ChunkFiles, Pieces: map[string][]int64{}}
	total := 0
	for kind, name := range fileNames {
		if w.old.ChunkFiles[name] == w.next.ChunkFiles[name] {
			continue
		}
		list := w.plans[kind].pieces
		if w.plans[kind].kept == 0 {
			list = pieces{{-1, w.next.ChunkFiles[name].Size}}
		}
		if total += len(list); total > maxPieces {
			return
		}
		for _, piece := range list {
			note.Pieces[name] = append(note.Pieces[name], piece.Old, piece.Size)
		}
	}
	data, err := codec.Marshal(note)
	if err != nil || len(data) > maxChangesSize {
		return
	}
	root, err := derived.Create(w.lock.root.Name(), derivedName)
	if err != nil {
		return
	}
	defer root.Close()
	path := changesPath(w.next.ChunkFiles)
	if derived.Write(root, path, data) == nil {
		removeOldNotes(root, path)
	}
}

// removeOldNotes removes all notes but the one and the newest others.
func removeOldNotes(root *os.Root, path string) {
	entries, err := fs.ReadDir(root.FS(), changesDir)
	if err != nil || len(entries) <= keptChanges {
		return
	}
	var old []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && changesDir+"/"+e.Name() != path {
			old = append(old, info)
		}
	}
	slices.SortFunc(old, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for i, info := range old {
		if i >= keptChanges-1 || !strings.HasSuffix(info.Name(), changesSuffix) {
			root.Remove(changesDir + "/" + info.Name())
		}
	}
}

// readNote reads the note of the generation with these chunk files.
func readNote(root *os.Root, files map[string]ChunkFile) (*changes, error) {
	data, err := derived.Read(root, changesPath(files), maxChangesSize)
	if err != nil {
		return nil, err
	}
	var note changes
	if err := codec.Unmarshal(data, &note); err != nil {
		return nil, err
	}
	for _, name := range fileNames {
		if note.To[name] != files[name] {
			return nil, errNoNote
		}
	}
	return &note, nil
}

// of are the pieces of a file, whose sizes must agree with those of the files.
func (c *changes) of(name string) (pieces, error) {
	from, to := c.From[name], c.To[name]
	if from == to {
		return pieces{{0, to.Size}}, nil
	}
	var list pieces
	total, end := int64(0), int64(0)
	numbers := c.Pieces[name]
	for i := 0; i+1 < len(numbers); i += 2 {
		p := Piece{numbers[i], numbers[i+1]}
		if p.Size <= 0 || p.Size > to.Size-total {
			return nil, errNoNote
		}
		if p.Old >= 0 {
			if p.Old < end || p.Size > from.Size-p.Old {
				return nil, errNoNote
			}
			end = p.Old + p.Size
		}
		total += p.Size
		list = append(list, p)
	}
	if total != to.Size {
		return nil, errNoNote
	}
	return list, nil
}

// after are the pieces of a file in terms of a generation before that, of which the pieces of the older one are given.
func (p pieces) after(older pieces) pieces {
	var all pieces
	next, start := 0, int64(0) // of the older pieces, and where it begins
	for _, piece := range p {
		if piece.Old < 0 {
			all.add(-1, piece.Size)
			continue
		}
		for at, end := piece.Old, piece.Old+piece.Size; at < end; {
			for start+older[next].Size <= at {
				start += older[next].Size
				next++
			}
			size := min(end, start+older[next].Size) - at
			if old := older[next].Old; old < 0 {
				all.add(-1, size)
			} else {
				all.add(old+at-start, size)
			}
			at += size
		}
	}
	return all
}

// errNoNote says that it is not known how a generation came from another.
var errNoNote = errors.New("how the chunk files came to be is not known")

// Changes tells, by chunk type, of which pieces of an older generation's chunk files these consist. The order of what is taken from the
// older one is the same in both. It is an error if that is not known, and then nothing is wrong; the lines have to be scanned. It comes from
// files that were not verified: who uses it must make sure of the lines it arrives at.
func (l *Lines) Changes(older map[string]ChunkFile) ([][]Piece, error) {
	root, err := derived.Open(l.dir, derivedName)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	all := make([]pieces, kinds)
	for kind, name := range fileNames {
		all[kind] = pieces{{0, l.Head.ChunkFiles[name].Size}}
	}
	files := l.Head.ChunkFiles
	for range keptChanges {
		if sameFiles(files, older) {
			out := make([][]Piece, kinds)
			for kind := range all {
				out[kind] = all[kind]
			}
			return out, nil
		}
		note, err := readNote(root, files)
		if err != nil {
			return nil, err
		}
		total := 0
		for kind, name := range fileNames {
			before, err := note.of(name)
			if err != nil {
				return nil, err
			}
			all[kind] = all[kind].after(before)
			total += len(all[kind])
		}
		if total > maxPieces {
			return nil, errNoNote
		}
		files = note.From
	}
	return nil, errNoNote
}

func sameFiles(a, b map[string]ChunkFile) bool {
	for _, name := range fileNames {
		if a[name] != b[name] {
			return false
		}
	}
	return true
}

// Among finds the lines that stand in a run of whole lines of one chunk type's file, in their order.
func (l *Lines) Among(ctx context.Context, file int, offset, size int64) ([]Line, error) {
	name := l.files[file].Name()
	if offset < 0 || size < 0 || size > l.Head.ChunkFiles[fileNames[file]].Size-offset {
		return nil, fmt.Errorf("read %s: %d bytes at %d: %w", name, size, offset, ErrChanged)
	}
	data := make([]byte, size)
	if _, err := l.files[file].ReadAt(data, offset); err != nil {
		if err == io.EOF {
			err = ErrChanged
		}
		return nil, fmt.Errorf("read %s: %w", name, cause(err))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if size > 0 && data[size-1] != '\n' || bytes.HasPrefix(data, []byte("\n")) {
		return nil, fmt.Errorf("read %s: %w", name, ErrChanged)
	}
	number := 2 // any but the first
	if offset == 0 {
		number = 1
	}
	m := &Manifest{Model: l.Head.Model, Dimensions: l.Head.Dimensions}
	lines, err := linesOf(m, file, block{data: data, number: number})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, ErrChanged)
	}
	if offset == 0 && len(lines) > 0 {
		lines = lines[1:]
	}
	for i := range lines {
		lines[i].Offset += offset
	}
	return lines, nil
}
