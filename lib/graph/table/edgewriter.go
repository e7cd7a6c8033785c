package table

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"cortex/lib/graph/edge"
	"cortex/lib/record"
)

// Outsiders numbers what lies outside of the tree, and packages by their folders, from several goroutines at once.
type Outsiders struct {
	mutex             sync.RWMutex
	external, folders map[string]uint32
	count             uint32
}

// NewOutsiders numbers nothing yet.
func NewOutsiders() *Outsiders {
	return &Outsiders{external: map[string]uint32{}, folders: map[string]uint32{}}
}

// in is the number of s in one of the maps.
func (o *Outsiders) in(numbers map[string]uint32, s string) uint32 {
	o.mutex.RLock()
	n, ok := numbers[s]
	o.mutex.RUnlock()
	if ok {
		return n
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if n, ok = numbers[s]; !ok {
		n = o.count
		numbers[strings.Clone(s)] = n
		o.count++
	}
	return n
}

// What begins a row of the edges that a linker writes.
const (
	siteTag = iota
	omissionTag
)

// What begins a target in such a row.
const (
	nodeTag = iota
	outsideTag
)

// An EdgeWriter writes the edges of a file.
type EdgeWriter struct {
	Dst     []byte
	Outside *Outsiders
	// Files are the numbers of the files of the tree.
	Files []int32
}

func (w *EdgeWriter) int(n int) { w.Dst = binary.AppendUvarint(w.Dst, uint64(n)) }

// Site writes the edges of a symbol, -1 for the file, that stand in one place.
func (w *EdgeWriter) Site(symbol int, relation record.Relation, by edge.By, confidence float64, lines []int32, to []edge.Place, external, module string) {
	w.Dst = append(w.Dst, siteTag)
	w.int(symbol + 1)
	w.Dst = append(w.Dst, uint8(slices.Index(record.Relations, relation)), uint8(slices.Index(edge.Ways, by)))
	w.int(min(int(confidence*ShareUnit+0.5), ShareUnit))
	w.int(len(lines))
	last := int32(0)
	for _, line := range lines {
		w.Dst = binary.AppendVarint(w.Dst, int64(line-last))
		last = line
	}
	w.int(len(to) + order(external != ""))
	for _, p := range to {
		if p.Folder != "" {
			w.Dst = append(w.Dst, outsideTag)
			w.int(int(w.Outside.in(w.Outside.folders, p.Folder)))
			w.int(0)
			continue
		}
		w.Dst = append(w.Dst, nodeTag)
		w.int(int(w.Files[p.File]))
		w.int(int(p.Symbol + 1))
	}
	if external == "" {
		return
	}
	w.Dst = append(w.Dst, outsideTag)
	w.int(int(w.Outside.in(w.Outside.external, external)))
	if module != "" && len(module) < len(external) && strings.HasPrefix(external, module) {
		w.int(int(w.Outside.in(w.Outside.external, module)) + 1)
	} else {
		w.int(0)
	}
}

// Unlisted writes calls of a name on receivers of unknown type in a symbol, -1 for the file.
func (w *EdgeWriter) Unlisted(symbol int, lines []int32, languages []string, name string) {
	w.Site(symbol, record.Calls, edge.ByNameAlone, 0, lines, nil, unlistedMark+strings.Join(languages, ",")+"."+name, "")
}

// Omission writes that edges of a symbol are left out.
func (w *EdgeWriter) Omission(symbol int, o *edge.Omission) {
	w.Dst = append(w.Dst, omissionTag)
	w.int(symbol + 1)
	w.Dst = append(w.Dst, uint8(slices.Index(record.Relations, o.Relation)), uint8(order(o.Incoming)))
	w.int(o.Held)
	w.int(o.Found)
}
