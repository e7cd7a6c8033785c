package record

import (
	"math"
	"strings"
	"testing"
)

func repeated(x float32, n int) Embedding {
	e := make(Embedding, n)
	for i := range e {
		e[i] = x
	}
	return e
}

func TestLengthOfEmbeddings(t *testing.T) {
	const least = 0x1p-126 // the least normal float32
	for _, test := range []struct {
		name   string
		vector Embedding
		ok     bool
	}{
		{"unit", Embedding{0.6, -0.8}, true},
		{"one", Embedding{1}, true},
		{"short", repeated(1e-30, 4), true},
		{"least", Embedding{0, least}, true},
		{"subnormal components of a normal length", repeated(least/2, 5), true},
		{"greatest", repeated(math.MaxFloat32, 300), true},
		{"below normal", repeated(1e-40, 256), false},
		{"least subnormal", Embedding{math.SmallestNonzeroFloat32, 0}, false},
		{"zero", make(Embedding, 7), false},
		{"empty", Embedding{}, false},
		{"none", nil, false},
		{"not a number", Embedding{1, float32(math.NaN()), 0, 0, 0}, false},
		{"infinite", Embedding{1, 0, 0, 0, float32(math.Inf(-1))}, false},
	} {
		length, ok := test.vector.Length()
		sum := 0.0
		for _, x := range test.vector {
			sum += float64(x) * float64(x)
		}
		if ok != test.ok || ok && math.Abs(length/math.Sqrt(sum)-1) > 1e-12 {
			t.Errorf("%s: length %g, %v", test.name, length, ok)
		}
	}
}

// A chunk whose vector has no direction is one without embedding: it is not lost, and nobody can come to NaN by it.
func TestChunksWithoutDirection(t *testing.T) {
	chunk := sampleChunk()
	for name, vector := range map[string]Embedding{
		"zero":         make(Embedding, 3),
		"below normal": repeated(1e-40, 3),
		"not a number": {1, float32(math.NaN())},
		"infinite":     {float32(math.Inf(1)), 1},
	} {
		chunk.Embedding = vector
		line, err := Append(nil, chunk)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := Line{Data: line[:len(line)-1]}.Decode()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := rec.(*Chunk)
		if got.Embedding != nil || got.Text != chunk.Text || got.EmbeddingModel != chunk.EmbeddingModel {
			t.Errorf("%s: got %v by %q", name, got.Embedding, got.EmbeddingModel)
		}
		if numbers, err := AppendFloats(nil, got); err != nil || strings.Contains(string(numbers), "embedding\":[") {
			t.Errorf("%s: %v %s", name, err, numbers)
		}
	}
	if rec, err := (Line{Data: []byte(`{"type":"chunk","id":"c","chunk_type":"data","metadata":{"file_path":"a"},"embedding":[1e-42,0,0.0],"embedding_model":"m"}`)}).Decode(); err != nil || rec.(*Chunk).Embedding != nil {
		t.Errorf("an array of numbers: %v, %v", rec, err)
	}
}
