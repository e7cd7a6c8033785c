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
	if d.scan.record(c) {
		d.last, d.spare = c, nil
		return c, nil
	}
	*c = record.Chunk{}
	d.spare = c
	return record.Line{Data: line}.Decode()
}

// string sets the field f of what begins at to.
func (d *decoder) string(data []byte, v span, f *field, to unsafe.Pointer) {
	field := (*string)(unsafe.Add(to, f.offset))
	if d.last != nil && !f.inList && v.escapes == 0 {
		last := *(*string)(unsafe.Add(unsafe.Pointer(d.last), f.offset))
		if string(data[v.start:v.end]) == last {
			*field = last
			return
		}
	}
	*field = d.copy(data, v)
}

// strings sets the field f of what begins at to.
func (d *decoder) strings(data []byte, values []span, f *field, to unsafe.Pointer) {
	list := d.lists.take(len(values))
	for i, v := range values {
		raw := data[v.start:v.end]
		if shared, ok := d.tags[string(raw)]; ok && v.escapes == 0 {
			list[i] = shared
			continue
		}
		list[i] = d.copy(data, v)
		if v.escapes == 0 && len(d.tags) < 1000 {
			d.tags[list[i]] = list[i]
		}
	}
	*(*[]string)(unsafe.Add(to, f.offset)) = list
}

func (d *decoder) copy(data []byte, v span) string {
	raw := data[v.start:v.end]
	if len(raw) == 0 {
		return ""
	}
	text := d.text.take(len(raw) - v.escapes)
	if v.escapes > 0 {
		unescape(text, raw)
	} else {
		copy(text, raw)
	}
	return unsafe.String(&text[0], len(text))
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
