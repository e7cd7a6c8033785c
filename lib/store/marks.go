package store

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"fmt"
	"hash"
	"hash/crc32"
	"sync"

	"golang.org/x/sys/unix"

	"cortex/lib/derived"
	"cortex/lib/safeopen"
)

// Marks spare a writer the digest of what stays at the beginning of a file that it writes anew, which is most of what it does otherwise: they
// hold states of the SHA-256 over the beginnings of the files of the current generation. They are derived, and nothing depends on their being there.
//
// They are used for a file alone that has the inode and the time of change that it had when its writer had committed it. Neither a copy nor an
// archive has these; that the content is right is found out besides, by its CRC-32C, while it is copied.
const (
	marksName    = "marks"
	markEvery    = 4 << 20
	maxMarksSize = 16 << 20
)

// A mark is the state of the digest of the first Offset bytes.
type mark struct {
	Offset int64  `json:"offset"`
	State  []byte `json:"state"`
}

// marked are the marks of one file, in order.
type marked struct {
	SHA256 string `json:"sha256"`
	evidence
	Marks []mark `json:"marks"`
}

// evidence tells whether a file is the one that was written.
type evidence struct {
	Size   int64  `json:"size"`
	Inode  uint64 `json:"inode"`
	Change int64  `json:"change"` // in nanoseconds since 1970
}

func evidenceOf(root *safeopen.Root, path string) (evidence, error) {
	f, _, err := root.File(path)
	if err != nil {
		return evidence{}, err
	}
	defer f.Close()
	var stat unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &stat); err != nil {
		return evidence{}, err
	}
	return evidence{Size: stat.Size, Inode: stat.Ino, Change: stat.Ctim.Nano()}, nil
}

// readMarks reads the marks of all files by path; there are none if anything is wrong.
func readMarks(dir string) map[string]marked {
	root, err := derived.Open(dir, derivedName)
	if err != nil {
		return nil
	}
	defer root.Close()
	data, err := derived.Read(root, marksName, maxMarksSize)
	if err != nil {
		return nil
	}
	sum, data, ok := bytes.Cut(data, []byte("\n"))
	if !ok || string(sum) != formatCRC(crc32.Checksum(data, castagnoli)) {
		return nil
	}
	var all map[string]marked
	if codec.Unmarshal(data, &all) != nil {
		return nil
	}
	return all
}

// writeMarks replaces them. A file that is torn is found by its sum.
func writeMarks(dir string, all map[string]marked) error {
	data, err := codec.Marshal(all)
	if err != nil {
		return err
	}
	root, err := derived.Create(dir, derivedName)
	if err != nil {
		return err
	}
	defer root.Close()
	return derived.Write(root, marksName, fmt.Appendf(nil, "%s\n%s", formatCRC(crc32.Checksum(data, castagnoli)), data))
}

// marksOf are the marks of a file of the old generation.
func (w *writer) marksOf(path string, content ChunkFile) []mark {
	m := w.marks()[path]
	if len(m.Marks) == 0 || m.SHA256 != content.SHA256 || m.Size != content.Size {
		return nil
	}
	if now, err := evidenceOf(w.lock.root, path); err != nil || now != m.evidence {
		return nil
	}
	return m.Marks
}

// noteMarks writes down the marks of the generation that was committed. What goes wrong costs time, and nothing else.
func (w *writer) noteMarks() {
	if len(w.marking.made) == 0 {
		return
	}
	all := map[string]marked{}
	add := func(path string, content ChunkFile, replaced bool) {
		now, err := evidenceOf(w.lock.root, path)
		if err != nil || now.Size != content.Size {
			return
		}
		if marks, made := w.marking.made[path]; made && replaced {
			all[path] = marked{content.SHA256, now, marks}
		} else if before := w.marks()[path]; before.SHA256 == content.SHA256 && before.evidence == now {
			all[path] = before
		}
	}
	for kind, name := range fileNames {
		add(chunkPath(kind), w.next.ChunkFiles[name], w.plans[kind].changed)
	}
	if w.next.Graph != nil {
		add(graphPath, w.next.Graph.content(), w.graph.changed)
	}
	_ = writeMarks(w.lock.root.Name(), all)
}

// marking are the marks of the old generation and of the files that were written.
type marking struct {
	once  sync.Once
	old   map[string]marked
	mutex sync.Mutex
	made  map[string][]mark
}

func (w *writer) marks() map[string]marked {
	w.marking.once.Do(func() { w.marking.old = readMarks(w.lock.root.Name()) })
	return w.marking.old
}

// takeMarks takes the marks that were made while the file was written that goes to the path.
func (w *writer) takeMarks(path string, c *chunkWriter) {
	w.marking.mutex.Lock()
	defer w.marking.mutex.Unlock()
	if w.marking.made == nil {
		w.marking.made = map[string][]mark{}
	}
	w.marking.made[path] = c.digest.marks
}

// A digest is the SHA-256 of what is written, of which the beginning may be known.
type digest struct {
	hash  hash.Hash
	marks []mark
	// known bytes at the beginning are in the hash already.
	known, size int64
	// every is how many bytes lie between two marks at least; 0 makes none.
	every int64
}

// resume goes on from the last of the marks of an older file of which so many bytes at the beginning will be written again.
func (d *digest) resume(marks []mark, same int64) {
	n := 0
	for n < len(marks) && marks[n].Offset > 0 && marks[n].Offset <= same && (n == 0 || marks[n].Offset > marks[n-1].Offset) {
		n++
	}
	if n == 0 {
		return
	}
	h := sha256.New()
	if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(marks[n-1].State); err != nil {
		return
	}
	d.hash, d.marks, d.known = h, marks[:n:n], marks[n-1].Offset
}

func (d *digest) write(data []byte) {
	skip := min(max(d.known-d.size, 0), int64(len(data)))
	d.hash.Write(data[skip:])
	d.size += int64(len(data))
	last := int64(0)
	if n := len(d.marks); n > 0 {
		last = d.marks[n-1].Offset
	}
	if d.every > 0 && d.size-last >= d.every {
		if state, err := d.hash.(encoding.BinaryMarshaler).MarshalBinary(); err == nil {
			d.marks = append(d.marks, mark{d.size, state})
		}
	}
}

// sameBeginning is how many bytes at the beginning of a stored chunk file stay as they are.
func (w *writer) sameBeginning(kind int) int64 {
	if w.next.Model != w.old.Model || w.next.Dimensions != w.old.Dimensions {
		return 0
	}
	line, err := metadataLine(w.next.Model, w.next.Dimensions, kind)
	if err != nil {
		return 0
	}
	// The first edit is the header, which is written anew.
	edits := w.plans[kind].edits
	if len(edits) == 0 || edits[0].at != 0 || edits[0].drop != int64(len(line)) || len(edits[0].insert) > 0 {
		return 0
	}
	if len(edits) == 1 {
		return w.old.ChunkFiles[fileNames[kind]].Size
	}
	return edits[1].at
}
