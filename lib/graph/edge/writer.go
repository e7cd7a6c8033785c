package edge

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"cortex/lib/record"
)

// Outsiders numbers targets outside of the tree, and packages by their folders. Several goroutines may use it at once.
type Outsiders struct {
	mutex             sync.RWMutex
	External, Folders map[string]uint32
	// Count is the number of entries in both maps, and the next number.
	Count uint32
}

// NewOutsiders returns an Outsiders without entries.
func NewOutsiders() *Outsiders {
	return &Outsiders{External: map[string]uint32{}, Folders: map[string]uint32{}}
}

// In returns the number of s in one of the two maps, where it adds s if it is new.
func (o *Outsiders) In(numbers map[string]uint32, s string) uint32 {
	o.mutex.RLock()
	n, ok := numbers[s]
	o.mutex.RUnlock()
	if ok {
		return n
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if n, ok = numbers[s]; !ok {
		n = o.Count
		numbers[strings.Clone(s)] = n
		o.Count++
	}
	return n
}

// ShareUnit is the encoded form of confidence 1: confidences are kept in thousandths.
const ShareUnit = 1000

// UnlistedMark begins the names of nodes that stand for a member's name, called on receivers of unknown type.
const UnlistedMark = "?"

// Tags at the start of each encoded entry; see graph.builder.link for the format.
const (
	SiteTag = iota
	OmissionTag
)

// Tags at the start of each target of a site.
const (
	NodeTag = iota
	OutsideTag
)

// A Writer encodes the edges of a file into Dst.
type Writer struct {
	Dst     []byte
	Outside *Outsiders
	// Files maps the number of a file in its tree to its number in the graph.
	Files []int32
}

func (w *Writer) int(n int) { w.Dst = binary.AppendUvarint(w.Dst, uint64(n)) }

// Site writes the edges of one reference in a symbol, -1 for the file. confidence is between 0 and 1.
func (w *Writer) Site(symbol int, relation record.Relation, by By, confidence float64, lines []int32, to []Place, external, module string) {
	w.Dst = append(w.Dst, SiteTag)
	w.int(symbol + 1)
	w.Dst = append(w.Dst, uint8(slices.Index(record.Relations, relation)), uint8(slices.Index(Ways, by)))
	w.int(min(int(confidence*ShareUnit+0.5), ShareUnit))
	w.int(len(lines))
	last := int32(0)
	for _, line := range lines {
		w.Dst = binary.AppendVarint(w.Dst, int64(line-last))
		last = line
	}
	targets := len(to)
	if external != "" {
		targets++
	}
	w.int(targets)
	for _, p := range to {
		if p.Folder != "" {
			w.Dst = append(w.Dst, OutsideTag)
			w.int(int(w.Outside.In(w.Outside.Folders, p.Folder)))
			w.int(0)
			continue
		}
		w.Dst = append(w.Dst, NodeTag)
		w.int(int(w.Files[p.File]))
		w.int(int(p.Symbol + 1))
	}
	if external == "" {
		return
	}
	w.Dst = append(w.Dst, OutsideTag)
	w.int(int(w.Outside.In(w.Outside.External, external)))
	if module != "" && len(module) < len(external) && strings.HasPrefix(external, module) {
		w.int(int(w.Outside.In(w.Outside.External, module)) + 1)
	} else {
		w.int(0)
	}
}

// Unlisted writes calls of a name on receivers of unknown type in a symbol, -1 for the file.
func (w *Writer) Unlisted(symbol int, lines []int32, languages []string, name string) {
	w.Site(symbol, record.Calls, ByNameAlone, 0, lines, nil, UnlistedMark+strings.Join(languages, ",")+"."+name, "")
}

// Omission writes an omission of a symbol.
func (w *Writer) Omission(symbol int, o *Omission) {
	w.Dst = append(w.Dst, OmissionTag)
	w.int(symbol + 1)
	incoming := uint8(0)
	if o.Incoming {
		incoming = 1
	}
	w.Dst = append(w.Dst, uint8(slices.Index(record.Relations, o.Relation)), incoming)
	w.int(o.Held)
	w.int(o.Found)
}
