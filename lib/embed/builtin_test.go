package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/builtin"
	"cortex/lib/embed/model"
	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/record"
)

func openDefault(tb testing.TB) provider.Embedder {
	tb.Helper()
	e, err := Open(context.Background(), provider.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// testModel is the built-in model, which tests read once.
var testModel = sync.OnceValue(func() provider.Embedder { return builtin.New(model.File) })

func TestBuiltinIsTheDefault(t *testing.T) {
	e := openDefault(t)
	m, err := bag.Read(model.File)
	if err != nil {
		t.Fatal(err)
	}
	if e.Model() != model.Name || m.Name() != model.Name {
		t.Errorf("the provider has model %q, the file %q, expected %q", e.Model(), m.Name(), model.Name)
	}
	if e.Dimensions() != model.Dimensions || m.Dimensions() != model.Dimensions {
		t.Errorf("the provider has %d dimensions, the file %d, expected %d", e.Dimensions(), m.Dimensions(), model.Dimensions)
	}
	if len(model.File) > 12<<20 {
		t.Errorf("the file has %d bytes, more than 12 MiB", len(model.File))
	}
	if card := e.Card(); !strings.Contains(card.Text, model.Name) || card.Costly || card.Endpoint != "" {
		t.Errorf("card: %+v", card)
	}
}

// The floors are measured values less some slack.
func TestBuiltinFindsTheRightSnippet(t *testing.T) {
	findSnippets(t, openDefault(t), 20, 0.95)
}

func TestBuiltinVectorsHaveLengthOne(t *testing.T) {
	e := openDefault(t)
	for name, text := range awkwardTexts() {
		t.Run(name, func(t *testing.T) {
			checkUnit(t, embedOne(t, e, provider.Query, text))
			// Vectors of passages are rounded to 4 bits.
			v := record.Embedding(embedOne(t, e, provider.Passage, text))
			q := record.Quantize(nil, v)
			if length, ok := v.Length(); !ok || math.Abs(length-1) > 1e-4 || !q.Exactly(v) || !q.IsSmall() {
				t.Errorf("length %v, exactly 4 bits: %v", length, q.Exactly(v) && q.IsSmall())
			}
		})
	}
}

// scripts/train-model wrote the vectors that its floating-point model computes for texts of this repository, after it
// had compared all of them with those of the model in 8 bits.
func TestBuiltinAgreesWithTheTrainer(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		Text   string           `json:"text"`
		Query  bool             `json:"query"`
		Next   float64          `json:"next"`
		Vector record.Embedding `json:"vector"`
	}
	var lines []line
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var l line
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	e := openDefault(t)
	var vectors [][]float32
	for _, l := range lines {
		mode := provider.Passage
		if l.Query {
			mode = provider.Query
		}
		vectors = append(vectors, embedOne(t, e, mode, l.Text))
	}
	full := 0
	for i, l := range lines {
		if got := dot(vectors[i], vectors[(i+1)%len(lines)]); math.Abs(got-l.Next) > 0.01 {
			t.Errorf("line %d: cosine with the next %.5f, the trainer has %.5f", i+1, got, l.Next)
		}
		if len(l.Vector) > 0 {
			full++
			// Vectors of passages are rounded, the trainer's are not.
			if !l.Query {
				l.Vector = record.QuantizeSmall(nil, l.Vector).Embedding()
			}
			if got := dot(vectors[i], l.Vector); got < 0.998 {
				t.Errorf("line %d: cosine with the trainer's vector %.5f", i+1, got)
			}
		}
	}
	if len(lines) < 1000 || full < 20 {
		t.Errorf("%d texts, %d vectors", len(lines), full)
	}
}

// A question with a word outside the vocabulary finds texts with this word. Training gives numbers outside the
// vocabulary almost no weight: they are left to the index of words.
func TestBuiltinKnowsUnknownWords(t *testing.T) {
	e := openDefault(t)
	for word, other := range map[string]string{"qwxzkv": "vkzjqb", "Zyrqlatonix": "Qumbrivathel", "日本語": "東京駅", "Ωβγδζηθ": "Ψλμνξκρ"} {
		query := embedOne(t, e, provider.Query, "find "+word)
		with := dot(query, embedOne(t, e, provider.Passage, "file.go: run\nopen the socket for "+word+" and wait"))
		without := dot(query, embedOne(t, e, provider.Passage, "file.go: run\nopen the socket for "+other+" and wait"))
		if with <= without {
			t.Errorf("%q: with the word %.3f, with another %.3f", word, with, without)
		}
	}
}

func TestBuiltinRefuses(t *testing.T) {
	for _, test := range []struct {
		cfg  provider.Config
		want string
	}{
		{provider.Config{Model: "cortex-code-0"}, `unknown model "cortex-code-0" of the embedding provider builtin, which has ` + model.Name},
		{provider.Config{Dimensions: 64}, "model " + model.Name + " has 256 dimensions, not 64"},
		{provider.Config{Endpoint: "http://localhost"}, "embedding provider builtin has no endpoint"},
	} {
		test.cfg.Provider = "builtin"
		_, err := Open(context.Background(), test.cfg)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, want %s", test.cfg, err, test.want)
		}
		if hint.Of(err) == "" {
			t.Errorf("%+v: no hint", test.cfg)
		}
	}
}

// A store that was made with another version of the model is refused with a hint.
func TestBuiltinOfAnotherVersion(t *testing.T) {
	_, err := OpenModel(context.Background(), "cortex-code-0", provider.Config{})
	if err == nil || !strings.Contains(err.Error(), `"cortex-code-0"`) || !strings.Contains(hint.Of(err), "make the index again") {
		t.Errorf("got %v, hint %q", err, hint.Of(err))
	}
	e, err := OpenModel(context.Background(), model.Name, provider.Config{Provider: "ollama", Dimensions: 64})
	if err != nil || e.Model() != model.Name {
		t.Errorf("got %v, %v", e, err)
	}
}

func TestBuiltinDamagedFile(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"empty":   func([]byte) []byte { return nil },
		"short":   func(f []byte) []byte { return f[:len(f)/2] },
		"a bit":   func(f []byte) []byte { f[len(f)/3] ^= 4; return f },
		"version": func(f []byte) []byte { f[7] = 9; return f },
	} {
		e := builtin.New(damage(slices.Clone(model.File)))
		if _, err := e.Embed(context.Background(), provider.Query, []string{"a"}); err == nil || !strings.Contains(err.Error(), "the model in this program: read model: ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestBuiltinIsTheSameForAllWorkers(t *testing.T) {
	e := openDefault(t)
	texts := benchTexts(t)
	want, err := e.Embed(context.Background(), provider.Passage, texts)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 4 {
		go func() {
			got, err := e.Embed(context.Background(), provider.Passage, texts)
			for i := range want {
				if err == nil && !slices.Equal(got[i], want[i]) {
					err = fmt.Errorf("vector %d differs", i)
				}
			}
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkBuiltin(b *testing.B) {
	var texts []string
	for _, t := range benchTexts(b) {
		texts = append(texts, t[:800])
	}
	e := openDefault(b)
	embedOne(b, e, provider.Query, "load")
	b.SetBytes(int64(800 * len(texts)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if _, err := e.Embed(context.Background(), provider.Passage, texts); err != nil {
			b.Fatal(err)
		}
		n += len(texts)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "chunks/s")
}

func BenchmarkBuiltinQuery(b *testing.B) {
	e := openDefault(b)
	for b.Loop() {
		embedOne(b, e, provider.Query, "how are failed HTTP requests retried with backoff")
	}
}

func BenchmarkBuiltinLoad(b *testing.B) {
	for b.Loop() {
		embedOne(b, builtin.New(model.File), provider.Query, "load")
	}
}
