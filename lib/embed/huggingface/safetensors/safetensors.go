// Package safetensors reads and writes tensors in the safetensors format: eight bytes with the length of a header, the
// header in JSON, then the numbers of all tensors, little-endian and row by row
// (https://huggingface.co/docs/safetensors).
//
// Files are not trusted: Read checks sizes and offsets before it returns a tensor.
package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// A DType is the type of a tensor's numbers, by its name in the format.
type DType string

// The types that embedding models use. A file may have others.
const (
	F64 DType = "F64"
	F32 DType = "F32"
	F16 DType = "F16" // IEEE 754 binary16
	I64 DType = "I64"
	I32 DType = "I32"
	I8  DType = "I8"
)

// sizes returns the number of bytes of each type. Types narrower than a byte are missing.
func sizes() map[DType]uint64 {
	return map[DType]uint64{
		F64: 8, F32: 4, F16: 2, I64: 8, I32: 4, I8: 1,
		"U64": 8, "U32": 4, "U16": 2, "U8": 1, "I16": 2, "BF16": 2, "BOOL": 1,
		"F8_E4M3": 1, "F8_E5M2": 1, "C64": 8,
	}
}

// A Tensor is an array of numbers.
type Tensor struct {
	Name  string
	DType DType
	// Shape is the length of each dimension, the slowest first.
	Shape []int
	// Data has the numbers as encoded in the file.
	Data []byte
}

// Len returns the number of elements of the tensor.
func (t *Tensor) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Floats returns the numbers as float32; F64 numbers are rounded.
func (t *Tensor) Floats() ([]float32, error) {
	out := make([]float32, t.Len())
	switch t.DType {
	case F64:
		for i := range out {
			out[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(t.Data[8*i:])))
		}
	case F32:
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*i:]))
		}
	case F16:
		for i := range out {
			out[i] = Half(binary.LittleEndian.Uint16(t.Data[2*i:]))
		}
	case I8:
		for i := range out {
			out[i] = float32(int8(t.Data[i]))
		}
	default:
		return nil, fmt.Errorf("tensor %q has numbers of type %s, expected F64, F32, F16 or I8", t.Name, t.DType)
	}
	return out, nil
}

// Ints returns the numbers as int64.
func (t *Tensor) Ints() ([]int64, error) {
	out := make([]int64, t.Len())
	switch t.DType {
	case I64:
		for i := range out {
			out[i] = int64(binary.LittleEndian.Uint64(t.Data[8*i:]))
		}
	case I32:
		for i := range out {
			out[i] = int64(int32(binary.LittleEndian.Uint32(t.Data[4*i:])))
		}
	default:
		return nil, fmt.Errorf("tensor %q has numbers of type %s, expected I64 or I32", t.Name, t.DType)
	}
	return out, nil
}

// Half returns the number whose IEEE 754 binary16 encoding is h.
func Half(h uint16) float32 {
	sign, rest := uint32(h>>15)<<31, uint32(h&0x7fff)<<13
	if rest >= 0x1f<<23 { // infinite, or not a number
		return math.Float32frombits(sign | 0xff<<23 | rest&(1<<23-1))
	}
	// The biases of the exponents differ by 112. The product is exact, also for subnormal numbers.
	return math.Float32frombits(sign | math.Float32bits(math.Float32frombits(rest)*0x1p112))
}

// Bounds on a header. The format allows 100 MB, which could take a gigabyte of memory; embedding models have few
// tensors.
const (
	maxHeader = 4 << 20
	maxName   = 200
	maxRank   = 8
)

// metadataKey is the only key of the header that is not the name of a tensor.
const metadataKey = "__metadata__"

// An entry is the header's description of a tensor.
type entry struct {
	DType   DType     `json:"dtype"`
	Shape   []uint64  `json:"shape"`
	Offsets [2]uint64 `json:"data_offsets"`
}

// Read returns the tensors of a file by name. They refer to data.
func Read(data []byte) (map[string]*Tensor, error) {
	if len(data) < 8 {
		return nil, fmt.Errorf("read safetensors: %d bytes are too few", len(data))
	}
	length := binary.LittleEndian.Uint64(data)
	if length > uint64(len(data)-8) {
		return nil, fmt.Errorf("read safetensors: a header of %d bytes does not fit a file of %d", length, len(data))
	}
	if length > maxHeader {
		return nil, fmt.Errorf("read safetensors: a header of %d bytes, expected at most %d", length, maxHeader)
	}
	header, body := data[8:8+length], data[8+length:]
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, fmt.Errorf("read safetensors header: %w", err)
	}
	delete(raw, metadataKey)
	tensors := make(map[string]*Tensor, len(raw))
	// Sorted, so that of several errors the same one is always returned.
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		if len(name) > maxName {
			return nil, fmt.Errorf("read safetensors: a tensor has a name of %d bytes, expected at most %d", len(name), maxName)
		}
		t, err := tensor(name, raw[name], body)
		if err != nil {
			return nil, fmt.Errorf("read safetensors: tensor %q: %w", name, err)
		}
		tensors[name] = t
	}
	return tensors, nil
}

func tensor(name string, message json.RawMessage, body []byte) (*Tensor, error) {
	var e entry
	if err := json.Unmarshal(message, &e); err != nil {
		return nil, err
	}
	size, ok := sizes()[e.DType]
	if !ok {
		return nil, fmt.Errorf("unknown type %.20q", e.DType)
	}
	if len(e.Shape) > maxRank {
		return nil, fmt.Errorf("a shape of %d dimensions, expected at most %d", len(e.Shape), maxRank)
	}
	begin, end := e.Offsets[0], e.Offsets[1]
	if begin > end || end > uint64(len(body)) {
		return nil, fmt.Errorf("bytes %d to %d are outside of the file's %d", begin, end, len(body))
	}
	t := &Tensor{Name: name, DType: e.DType, Data: body[begin:end:end]}
	for _, d := range e.Shape {
		over, product := bits.Mul64(size, d)
		// A tensor with a dimension of 0 may have any other dimensions.
		if over != 0 || product > math.MaxInt64 || d > math.MaxInt32 {
			return nil, fmt.Errorf("shape %v is too large", e.Shape)
		}
		size = product
		t.Shape = append(t.Shape, int(d))
	}
	if size != end-begin {
		return nil, fmt.Errorf("shape %v of type %s does not fit %d bytes", e.Shape, e.DType, end-begin)
	}
	return t, nil
}

// Write writes a file with the tensors in the given order.
func Write(w io.Writer, tensors []Tensor) error {
	entries := map[string]entry{}
	at := uint64(0)
	for _, t := range tensors {
		if _, twice := entries[t.Name]; twice || t.Name == metadataKey {
			return fmt.Errorf("write safetensors: the name %q is taken", t.Name)
		}
		e := entry{DType: t.DType, Shape: []uint64{}, Offsets: [2]uint64{at, at + uint64(len(t.Data))}}
		for _, d := range t.Shape {
			if d < 0 {
				return fmt.Errorf("write safetensors: tensor %q has a dimension of %d", t.Name, d)
			}
			e.Shape = append(e.Shape, uint64(d))
		}
		size, ok := sizes()[t.DType]
		if !ok || size*uint64(t.Len()) != uint64(len(t.Data)) {
			return fmt.Errorf("write safetensors: tensor %q: %d bytes do not fit %s %v", t.Name, len(t.Data), t.DType, t.Shape)
		}
		entries[t.Name] = e
		at += uint64(len(t.Data))
	}
	header, err := json.Marshal(entries)
	if err != nil {
		return fmt.Errorf("write safetensors header: %w", err)
	}
	// The numbers begin at a multiple of eight, so that readers can map them.
	for len(header)%8 != 0 {
		header = append(header, ' ')
	}
	parts := [][]byte{binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header}
	for _, t := range tensors {
		parts = append(parts, t.Data)
	}
	for _, part := range slices.DeleteFunc(parts, func(b []byte) bool { return len(b) == 0 }) {
		n, err := w.Write(part)
		if err == nil && n < len(part) {
			err = errors.New("short write")
		}
		if err != nil {
			return fmt.Errorf("write safetensors: %w", err)
		}
	}
	return nil
}
