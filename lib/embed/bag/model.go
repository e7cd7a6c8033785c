// Package bag is the architecture of the built-in embedding model, a neural bag of words. A model is a table of word
// vectors and, for each word, one weight for each part of a text: questions, and paths, names and bodies of passages.
//
// The vector of a part is the sum, over its distinct words, of the square root of the word's count, times its weight,
// times its vector; this sum is divided by the square root of its length, so that a short name counts beside a long
// body. The vector of a text is the sum of the vectors of its parts, scaled to length 1 (the NBoW encoder of Husain et
// al., CodeSearchNet Challenge, 2019, with learned weights and parts). For a question, the bigrams of the vocabulary
// are added to the sum, and words that say what the rest of the question says count less: the weight of each word is
// lowered by three quarters of its cosine to the sum.
//
// The package holds what training and use share: model.go has the file format and computes vectors, parts.go names the
// parts of a text, and vocabulary.go finds the rows of the table that a text adds. scripts/train-model trains models,
// and lib/embed/builtin uses one.
package bag

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"

	"cortex/lib/embed/lexicon"
)

// A Model is a table of quantised vectors. It is read-only.
//
// The sum of a part is computed with integers, and the later steps have a fixed order, so vectors are the same on every
// machine.
type Model struct {
	name       string
	dimensions int
	vocabulary *Vocabulary
	rows       []byte // int8
	weights    [PartCount][]int64
	roots      [maxRoot + 1]int64
}

const (
	maxDimensions = 1024
	maxVocabulary = 1 << 20
	maxName       = 200
	// weightBits and rootBits are the numbers of binary places of weights and roots.
	weightBits = 20
	rootBits   = 8
	maxRoot    = 256
	// directionLength is large beside the rounding of components, and small enough that a product with a row fits in 32
	// bits: at most 127 * sqrt(maxDimensions) times it.
	directionLength = 1 << 14
)

// LikeWeight is the share of its weight that a word of a question loses if its vector has the direction of the question.
const LikeWeight = 0.75

// Parts are the contents of a model. Encode and Read do not copy Rows.
type Parts struct {
	// Name identifies the model; stores record it.
	Name       string
	Dimensions int
	Words      []string
	// Rows are the words' vectors, one after the other; each component is an int8.
	Rows []byte
	// Weights has, for each Part, the weights of all rows, then those of all classes. The weight of a row includes the
	// scale of the row's components.
	Weights [PartCount][]float32
}

// magic begins the file of a model; its last byte is the version of the format.
const magic = "cxbag\x00\x00\x02"

// Encode returns the file of a model: magic; dimensions, words, bytes of the name,
// bytes of the words as uint32; the name; the words joined by line feeds; the weights of each
// Part as float32; the rows; the CRC-32C of all before. Numbers are little endian.
func (p *Parts) Encode() ([]byte, error) {
	joined := strings.Join(p.Words, "\n")
	data := []byte(magic)
	for _, n := range []int{p.Dimensions, len(p.Words), len(p.Name), len(joined)} {
		data = binary.LittleEndian.AppendUint32(data, uint32(n))
	}
	data = append(data, p.Name...)
	data = append(data, joined...)
	for _, side := range p.Weights {
		if len(side) != len(p.Words)+Classes {
			return nil, fmt.Errorf("encode model: %d weights for %d words and %d classes", len(side), len(p.Words), Classes)
		}
		for _, w := range side {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(w))
		}
	}
	data = append(data, p.Rows...)
	data = binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
	if _, err := Decode(data); err != nil {
		return nil, err
	}
	return data, nil
}

var errDamaged = errors.New("read model: the file is damaged")

// Decode decodes the file of a model. Rows refers to data.
func Decode(data []byte) (*Parts, error) {
	const head = len(magic) + 4*4
	if len(data) < head+4 || string(data[:len(magic)-1]) != magic[:len(magic)-1] {
		return nil, errors.New("read model: not the file of a model")
	}
	if version := data[len(magic)-1]; version != magic[len(magic)-1] {
		return nil, fmt.Errorf("read model: format version %d, expected %d", version, magic[len(magic)-1])
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)) != sum {
		return nil, errDamaged
	}
	var numbers [4]int
	for i := range numbers {
		numbers[i] = int(binary.LittleEndian.Uint32(body[len(magic)+4*i:]))
	}
	dims, words, name, joined := numbers[0], numbers[1], numbers[2], numbers[3]
	body = body[head:]
	if dims < 1 || dims > maxDimensions || words < 1 || words > maxVocabulary || name > maxName ||
		len(body) != name+joined+PartCount*4*(words+Classes)+words*dims {
		return nil, errDamaged
	}
	p := &Parts{Name: string(body[:name]), Dimensions: dims}
	if bytes.Count(body[name:name+joined], []byte("\n")) != words-1 {
		return nil, errDamaged
	}
	p.Words = strings.Split(string(body[name:name+joined]), "\n")
	body = body[name+joined:]
	for side := range p.Weights {
		p.Weights[side] = make([]float32, words+Classes)
		for i := range p.Weights[side] {
			w := math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
			if !(math.Abs(float64(w)) <= 1<<20) {
				return nil, errDamaged
			}
			p.Weights[side][i] = w
		}
		body = body[4*(words+Classes):]
	}
	p.Rows = body
	return p, nil
}

// Read returns the model in the file. The model refers to data, which must not change.
func Read(data []byte) (*Model, error) {
	p, err := Decode(data)
	if err != nil {
		return nil, err
	}
	return NewModel(p), nil
}

// NewModel returns the model with these parts.
func NewModel(p *Parts) *Model {
	m := &Model{name: p.Name, dimensions: p.Dimensions, vocabulary: NewVocabulary(p.Words), rows: p.Rows}
	top := 1e-9
	for _, weights := range p.Weights {
		for _, w := range weights {
			top = max(top, math.Abs(float64(w)))
		}
	}
	for side, weights := range p.Weights {
		m.weights[side] = make([]int64, len(weights))
		for i, w := range weights {
			m.weights[side][i] = int64(math.Round(float64(w) / top * (1 << weightBits)))
		}
	}
	for i := range m.roots {
		m.roots[i] = int64(math.Round(math.Sqrt(float64(i)) * (1 << rootBits)))
	}
	return m
}

// Name returns the name of the model.
func (m *Model) Name() string { return m.name }

// Dimensions returns the length of vectors.
func (m *Model) Dimensions() int { return m.dimensions }

// Vocabulary returns the model's vocabulary.
func (m *Model) Vocabulary() *Vocabulary { return m.vocabulary }

// An Encoder computes vectors of texts. It must not be used by several goroutines at once.
type Encoder struct {
	model    *Model
	counter  *lexicon.Counter
	features []Feature
	sums     []int64   // of the part
	total    []float64 // of the previous parts
	// direction is a vector of the length directionLength.
	direction []int32
}

// NewEncoder returns an encoder for the model.
func (m *Model) NewEncoder() *Encoder {
	return &Encoder{model: m, counter: lexicon.NewCounter(), sums: make([]int64, m.dimensions), total: make([]float64, m.dimensions), direction: make([]int32, m.dimensions)}
}

// Encode writes the vector of a text to vector, which has the model's dimensions. Its length is 1; a text without words
// gets the random vector of a word that does not occur.
func (e *Encoder) Encode(vector []float32, side Side, text string) {
	m := e.model
	e.features = m.vocabulary.Features(e.features[:0], e.counter, side, text)
	e.add(nil)
	if side == Query && e.point() {
		e.add(e.direction)
	}
	if !normalise(vector, e.total) {
		e.addSigns(0, 1)
		e.endPart()
		normalise(vector, e.total)
	}
}

// add sets the total to the sum of the parts of the text. With a direction each word of the vocabulary loses LikeWeight
// of its weight times its cosine to that direction.
func (e *Encoder) add(direction []int32) {
	m := e.model
	clear(e.sums)
	clear(e.total)
	for i, f := range e.features {
		if i > 0 && e.features[i-1].Part != f.Part {
			e.endPart()
		}
		weight := m.weights[f.Part][f.Row] * m.roots[min(f.Count, maxRoot)] >> rootBits
		if int(f.Row) >= m.vocabulary.Len() {
			e.addSigns(f.Hash, weight)
			continue
		}
		row := m.rows[int(f.Row)*m.dimensions:][:len(e.sums)]
		if direction != nil {
			weight -= int64(float64(LikeWeight*float64(weight)) * cosine(row, direction))
		}
		for i, x := range row {
			e.sums[i] += weight * int64(int8(x))
		}
	}
	e.endPart()
}

// point sets the direction to that of the total; it reports false if the total has none.
func (e *Encoder) point() bool {
	length := lengthOf(e.total)
	if length == 0 {
		return false
	}
	scale := directionLength / length
	for i, x := range e.total {
		e.direction[i] = int32(math.Round(float64(x * scale)))
	}
	return true
}

// cosine returns the cosine of a row to a direction, 0 for a row of zeros.
func cosine(row []byte, direction []int32) float64 {
	product, squares := int32(0), int32(0)
	for i, x := range row {
		product += int32(int8(x)) * direction[i]
		squares += int32(int8(x)) * int32(int8(x))
	}
	if squares == 0 {
		return 0
	}
	return float64(product) / (directionLength * math.Sqrt(float64(squares)))
}

// endPart adds the scaled sums of the part to the total, and clears the sums.
func (e *Encoder) endPart() {
	squares := 0.0
	for _, x := range e.sums {
		// The conversion keeps the compiler from fusing product and sum, which would round differently on some
		// machines.
		squares += float64(float64(x) * float64(x))
	}
	if squares == 0 {
		return
	}
	scale := PartScale(math.Sqrt(squares))
	for i, x := range e.sums {
		e.total[i] += float64(float64(x) * scale)
	}
	clear(e.sums)
}

// PartScale returns the factor that scales the vector of a part, given the length of its sum, which must not be 0.
func PartScale(length float64) float64 { return 1 / math.Sqrt(length) }

// addSigns adds the vector of random signs of a hash, times weight.
func (e *Encoder) addSigns(hash uint64, weight int64) {
	for i := range e.sums {
		if i%64 == 0 && i > 0 {
			hash = lexicon.Mix(hash + signStep)
		}
		// The sign bit: 0 leaves the weight, -1 negates it.
		sign := int64(hash<<(i%64)) >> 63
		e.sums[i] += (weight ^ sign) - sign
	}
}

// signStep is the odd number next to 2^64 divided by the golden ratio. Adding it ensures that a hash of 0 is not
// followed by 0.
const signStep = 0x9e3779b97f4a7c15

// Signs writes the vector of random signs of a hash, 1 or -1 each, to vector.
func Signs(vector []float32, hash uint64) {
	for i := range vector {
		if i%64 == 0 && i > 0 {
			hash = lexicon.Mix(hash + signStep)
		}
		vector[i] = 1 - 2*float32(hash<<(i%64)>>63)
	}
}

// normalise writes sums to vector as a vector of length 1, unless it is all zeros.
func normalise(vector []float32, sums []float64) bool {
	length := lengthOf(sums)
	if length == 0 {
		return false
	}
	for i, x := range sums {
		vector[i] = float32(x / length)
	}
	return true
}

func lengthOf(sums []float64) float64 {
	squares := 0.0
	for _, x := range sums {
		squares += float64(x * x)
	}
	return math.Sqrt(squares)
}
