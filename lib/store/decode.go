package store

import (
	"unsafe"

	"cortex/lib/record"
)

// A decoder decodes chunk lines: itself those in canonical form, which is several times as fast as
// record.Line.Decode and gives the same. Strings that repeat from line to line it shares.
type decoder struct {
	scan scanner
	last *record.Chunk
	// spare is a chunk that was not needed.
	spare *record.Chunk
	tags  map[string]string

	chunks     arena[record.Chunk]
	text       arena[byte]
	lists      arena[string]
	components arena[float32]
}

// newDecoder returns a decoder for chunks that are all kept as long as one of them is.
func newDecoder() *decoder {
	return &decoder{
		tags:       map[string]string{},
		chunks:     arena[record.Chunk]{most: 32},
		text:       arena[byte]{most: 64 << 10},
		lists:      arena[string]{most: 512},
		components: arena[float32]{most: 16 << 10},
	}
}

func (d *decoder) decode(line []byte) (record.Record, error) {
	c := d.spare
	if c == nil {
		c = &d.chunks.take(1)[0]
	}
	d.scan.keep, d.scan.data, d.scan.at = d, line, 0
	if n := len(line) + 8; len(d.scan.decoded) < n {
		d.scan.decoded = make([]byte, n+n/4)
	}
	if d.scan.record(c) {
		d.last, d.spare = c, nil
		return c, nil
	}
	*c = record.Chunk{}
	d.spare = c
	return record.Line{Data: line}.Decode()
}

// string sets the field f of what begins at to.
func (d *decoder) string(text []byte, f *field, to unsafe.Pointer) {
	field := (*string)(unsafe.Add(to, f.offset))
	if d.last != nil && !f.inList {
		last := *(*string)(unsafe.Add(unsafe.Pointer(d.last), f.offset))
		if string(text) == last {
			*field = last
			return
		}
	}
	*field = d.copy(text)
}

// strings sets the field f of what begins at to.
func (d *decoder) strings(data []byte, values []span, f *field, to unsafe.Pointer) {
	list := d.lists.take(len(values))
	for i, v := range values {
		text := data[v.start:v.end]
		if v.escapes > 0 {
			text = d.scan.decoded[:len(text)-v.escapes]
			unescape(text, data[v.start:v.end])
		}
		if shared, ok := d.tags[string(text)]; ok {
			list[i] = shared
			continue
		}
		list[i] = d.copy(text)
		if len(d.tags) < 1000 {
			d.tags[list[i]] = list[i]
		}
	}
	*(*[]string)(unsafe.Add(to, f.offset)) = list
}

func (d *decoder) copy(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	taken := d.text.take(len(text))
	copy(taken, text)
	return unsafe.String(&taken[0], len(taken))
}

// An arena hands out slices of larger ones, so that there is less to allocate and to collect. One slice that is in use
// keeps alive what it is a part of.
type arena[T any] struct {
	// most is the length of the largest slice to cut up; with 0 each stands for itself.
	most int
	last int
	free []T
}

func (a *arena[T]) take(n int) []T {
	if n == 0 || n > a.most/4 {
		return make([]T, n)
	}
	if n > len(a.free) {
		a.last = min(max(2*a.last, a.most/32, n), a.most)
		a.free = make([]T, a.last)
	}
	taken := a.free[:n:n]
	a.free = a.free[n:]
	return taken
}
