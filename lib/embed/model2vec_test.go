package embed

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed/huggingface/safetensors"
	"cortex/lib/embed/provider"
	"cortex/lib/hint"
)

// A staticModel is a model that a test writes as a model2vec folder. Tokens are words; token 0 is [UNK].
type staticModel struct {
	words   []string
	rows    [][]float64
	mapping []int32
	weights []float64
	dtype   safetensors.DType
	tensor  string // "embeddings" if empty
	config  string
	layout  string // "", "sentence" or "nested"
}

// newStaticModel has words w0, w1, ... with rows of small whole numbers, which every type can hold.
func newStaticModel(words, rows, dims int) *staticModel {
	random := rand.New(rand.NewPCG(uint64(words), uint64(dims)))
	m := &staticModel{words: []string{"[UNK]"}, dtype: safetensors.F32, config: `{"model_type":"model2vec","normalize":true}`}
	for i := range words {
		m.words = append(m.words, fmt.Sprintf("w%d", i))
	}
	for range rows {
		row := make([]float64, dims)
		for j := range row {
			row[j] = float64(random.IntN(255) - 127)
		}
		m.rows = append(m.rows, row)
	}
	return m
}

func (m *staticModel) write(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	vocab := map[string]int{}
	for i, w := range m.words {
		vocab[w] = i
	}
	words, err := json.Marshal(vocab)
	if err != nil {
		tb.Fatal(err)
	}
	tokenizer := fmt.Sprintf(`{"version":"1.0","truncation":null,"padding":null,"added_tokens":[{"id":0,"content":"[UNK]","special":true,"normalized":false}],
		"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
		"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,"decoder":null,
		"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":%s}}`, words)
	var data []byte
	for _, row := range m.rows {
		for _, x := range row {
			switch m.dtype {
			case safetensors.I8:
				data = append(data, byte(int8(x)))
			case safetensors.F16:
				data = binary.LittleEndian.AppendUint16(data, half(x))
			case safetensors.F64:
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
			default:
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
			}
		}
	}
	name := m.tensor
	if name == "" {
		name = "embeddings"
	}
	tensors := []safetensors.Tensor{{Name: name, DType: m.dtype, Shape: []int{len(m.rows), len(m.rows[0])}, Data: data}}
	if m.weights != nil {
		var data []byte
		for _, w := range m.weights {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(w))
		}
		tensors = append(tensors, safetensors.Tensor{Name: "weights", DType: safetensors.F64, Shape: []int{len(m.weights)}, Data: data})
	}
	if m.mapping != nil {
		var data []byte
		for _, row := range m.mapping {
			data = binary.LittleEndian.AppendUint32(data, uint32(row))
		}
		tensors = append(tensors, safetensors.Tensor{Name: "mapping", DType: safetensors.I32, Shape: []int{len(m.mapping)}, Data: data})
	}
	var file bytes.Buffer
	if err := safetensors.Write(&file, tensors); err != nil {
		tb.Fatal(err)
	}
	config, sub := "config.json", ""
	if m.layout != "" {
		config = "config_sentence_transformers.json"
	}
	if m.layout == "nested" {
		sub = "0_StaticEmbedding/"
	}
	writeFiles(tb, dir, map[string]string{config: m.config, sub + "tokenizer.json": tokenizer, sub + "model.safetensors": file.String()})
	return dir
}

// half is the binary16 form of a whole number below 2048.
func half(x float64) uint16 {
	if x == 0 {
		return 0
	}
	fraction, exponent := math.Frexp(math.Abs(x))
	h := uint16(exponent+14)<<10 | uint16(fraction*2048)&0x3ff
	if x < 0 {
		h |= 1 << 15
	}
	return h
}

func writeFiles(tb testing.TB, dir string, files map[string]string) {
	tb.Helper()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// embed computes the vector of a text of words with spaces in the simplest way.
func (m *staticModel) embed(text string, dims int) []float64 {
	sum := make([]float64, dims)
	taken := 0
	for _, word := range strings.Fields(strings.ToLower(text)) {
		id := slices.Index(m.words, word)
		if id <= 0 || taken == 512 {
			continue
		}
		taken++
		row, weight := id, 1.0
		if m.mapping != nil {
			row = int(m.mapping[id])
		}
		if m.weights != nil {
			weight = m.weights[id]
		}
		for j := range sum {
			sum[j] += weight * m.rows[row][j]
		}
	}
	length := 0.0
	for _, x := range sum {
		length += x * x
	}
	for j := range sum {
		sum[j] /= math.Sqrt(length)
	}
	return sum
}

func openTest(tb testing.TB, cfg provider.Config) provider.Embedder {
	tb.Helper()
	e, err := Open(context.Background(), cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := e.Close(); err != nil {
			tb.Error(err)
		}
	})
	return e
}

// far returns the largest difference between components of two vectors.
func far(a []float64, b []float32) float64 {
	worst := math.Abs(float64(len(a) - len(b)))
	for i := range min(len(a), len(b)) {
		worst = max(worst, math.Abs(a[i]-float64(b[i])))
	}
	return worst
}

func TestModel2VecAgainstThePlainForm(t *testing.T) {
	const words, dims = 200, 24
	random := rand.New(rand.NewPCG(7, 7))
	var texts []string
	for range 40 {
		var text []string
		for range 1 + random.IntN(60) {
			text = append(text, []string{"w%d", "W%d", "x%d"}[random.IntN(3)])
			text[len(text)-1] = fmt.Sprintf(text[len(text)-1], random.IntN(words/4))
		}
		texts = append(texts, strings.Join(text, " ")+" w1")
	}
	quantised := func(m *staticModel) {
		m.rows = m.rows[:17]
		for i := range m.words {
			m.mapping = append(m.mapping, int32(i*5%17))
			m.weights = append(m.weights, 0.25+random.Float64())
		}
	}
	for name, c := range map[string]struct {
		change func(*staticModel)
		dims   int
	}{
		"F32":       {change: func(*staticModel) {}},
		"F16":       {change: func(m *staticModel) { m.dtype = safetensors.F16 }},
		"I8":        {change: func(m *staticModel) { m.dtype = safetensors.I8 }},
		"F64":       {change: func(m *staticModel) { m.dtype = safetensors.F64 }},
		"quantised": {change: quantised},
		"weights": {change: func(m *staticModel) {
			for i := range m.words {
				m.weights = append(m.weights, float64(i%7))
			}
		}},
		"not normalised": {change: func(m *staticModel) { m.config = `{"normalize":false}` }},
		"fewer":          {change: func(*staticModel) {}, dims: 8},
		"sentence":       {change: func(m *staticModel) { m.layout, m.tensor = "sentence", "embedding.weight" }},
		"nested":         {change: func(m *staticModel) { m.layout, m.tensor = "nested", "embedding.weight" }},
	} {
		m := newStaticModel(words, words+1, dims)
		c.change(m)
		want := c.dims
		if want == 0 {
			want = dims
		}
		e := openTest(t, provider.Config{Provider: "model2vec", Model: m.write(t), Dimensions: c.dims})
		if e.Dimensions() != want {
			t.Errorf("%s: %d dimensions", name, e.Dimensions())
		}
		for _, mode := range []provider.Mode{provider.Passage, provider.Query} {
			got, err := e.Embed(context.Background(), mode, texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				if d := far(m.embed(text, want), got[i]); d > 1e-6 {
					t.Errorf("%s: %q is off by %v", name, text, d)
				}
			}
		}
	}
}

func TestModel2VecReadsSoManyTokens(t *testing.T) {
	m := newStaticModel(20, 21, 8)
	// The median of the lengths of [UNK] w0 ... w19 is 3, so 512 tokens are cut out of 1,536 characters.
	long := strings.Repeat("w1 w12 é ", 300)
	e := openTest(t, provider.Config{Provider: "model2vec", Model: m.write(t)})
	if got := e.Card().MaxTokens; got != 512 {
		t.Errorf("%d tokens", got)
	}
	cut := string([]rune(long)[:1536])
	if d := far(m.embed(cut, 8), embedOne(t, e, provider.Passage, long)); d > 1e-6 {
		t.Errorf("off by %v", d)
	}
	// Short tokens: more than 512 of them stand in so many characters.
	m.words = append(m.words, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o")
	m.rows = append(m.rows, m.rows[:15]...)
	e = openTest(t, provider.Config{Provider: "model2vec", Model: m.write(t)})
	long = strings.Repeat("a ", 400) + strings.Repeat("b ", 400)
	if d := far(m.embed(long, 8), embedOne(t, e, provider.Passage, long)); d > 1e-6 {
		t.Errorf("off by %v", d)
	}
}

func TestModel2VecWithoutWords(t *testing.T) {
	e := openTest(t, provider.Config{Provider: "model2vec", Model: newStaticModel(3, 4, 5).write(t)})
	got, err := e.Embed(context.Background(), provider.Query, []string{"", "nothing known", "w1", "\xff"})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if d := dot(v, v); math.Abs(d-1) > 1e-6 {
			t.Errorf("text %d: length %v", i, d)
		}
	}
	if !slices.Equal(got[0], got[1]) || !slices.Equal(got[0], got[3]) || slices.Equal(got[0], got[2]) {
		t.Error(got)
	}
	if got, err := e.Embed(context.Background(), provider.Query, nil); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Embed(ctx, provider.Query, []string{"w1"}); err == nil {
		t.Error("works on after a cancellation")
	}
}

// TestModelNameTellsWhatShapesVectors opens folders that differ in one thing each.
func TestModelNameTellsWhatShapesVectors(t *testing.T) {
	names := map[string]string{}
	add := func(what string, m *staticModel, dims int) string {
		name := openTest(t, provider.Config{Provider: "model2vec", Model: m.write(t), Dimensions: dims}).Model()
		if other, twice := names[name]; twice {
			t.Errorf("%s and %s are both %s", what, other, name)
		}
		names[name] = what
		return name
	}
	fresh := func() *staticModel { return newStaticModel(9, 10, 6) }
	first := add("first", fresh(), 0)
	m := fresh()
	m.rows[3][2]++
	add("another number", m, 0)
	m = fresh()
	m.words[4] = "other"
	add("another word", m, 0)
	add("fewer dimensions", fresh(), 5)
	m = fresh()
	m.config = `{"normalize":false,"tokenizer_name":"other"}`
	if again := openTest(t, provider.Config{Provider: "model2vec", Model: m.write(t)}).Model(); again != first {
		t.Errorf("what shapes no vector makes %s of %s", again, first)
	}
	if !strings.HasPrefix(first, "model2vec-6-") {
		t.Error(first)
	}
}

func TestModel2VecStoreIsOpenedAgain(t *testing.T) {
	m := newStaticModel(9, 10, 6)
	dir := m.write(t)
	m.rows[1][1]++
	other := m.write(t)
	ctx := context.Background()
	model := openTest(t, provider.Config{Provider: "model2vec", Model: dir, Dimensions: 4}).Model()
	e, err := OpenModel(ctx, model, provider.Config{Provider: "model2vec", Model: dir})
	if err != nil {
		t.Fatal(err)
	}
	if e.Model() != model || e.Dimensions() != 4 {
		t.Error(e.Model(), e.Dimensions())
	}
	for name, c := range map[string]struct {
		cfg        provider.Config
		want, hint string
	}{
		"no folder":        {provider.Config{}, "needs the folder of a model", "--provider model2vec --model FOLDER"},
		"another provider": {provider.Config{Provider: "builtin", Model: "hash-64"}, "needs the folder of a model", "CORTEX_EMBEDDING_MODEL"},
		"another folder":   {provider.Config{Provider: "model2vec", Model: other}, model, "make the index again"},
		"gone":             {provider.Config{Provider: "model2vec", Model: dir + "/gone"}, "there is no such folder", "nothing is downloaded"},
	} {
		_, err := OpenModel(ctx, model, c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(hint.Of(err), c.hint) {
			t.Errorf("%s: %v; %s", name, err, hint.Of(err))
		}
	}
	for _, model := range []string{"model2vec", "model2vec-6", "model2vec-x-0123456789abcdef", "model2vec-0-0123456789abcdef", "model2vec-6-0123", "xmodel2vec-6-0123456789abcdef"} {
		if _, err := OpenModel(ctx, model, provider.Config{Provider: "model2vec", Model: dir}); err == nil || !strings.Contains(err.Error(), "does not know") {
			t.Errorf("%s: %v", model, err)
		}
	}
}

func TestModel2VecRefuses(t *testing.T) {
	change := func(change func(*staticModel)) string {
		m := newStaticModel(9, 10, 6)
		change(m)
		return m.write(t)
	}
	file := func(name, data string) string {
		dir := newStaticModel(9, 10, 6).write(t)
		writeFiles(t, dir, map[string]string{name: data})
		return dir
	}
	linked := newStaticModel(9, 10, 6).write(t)
	if err := os.Remove(filepath.Join(linked, "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		cfg  provider.Config
		want string
	}{
		"no model":       {provider.Config{}, "needs the folder of a model"},
		"a file":         {provider.Config{Model: "model2vec_test.go"}, "it is not a folder"},
		"missing file":   {provider.Config{Model: linked}, "lacks one of config.json, tokenizer.json and model.safetensors"},
		"too long":       {provider.Config{Model: change(func(*staticModel) {}), Dimensions: 7}, "has 6 dimensions, not 7"},
		"tokenizer":      {provider.Config{Model: file("tokenizer.json", `{"model":{"type":"Magic"}}`)}, `tokenizer.json: parse tokenizer: model: type "Magic" is not supported`},
		"cut short":      {provider.Config{Model: file("model.safetensors", `1234`)}, "model.safetensors: read safetensors: 4 bytes are too few"},
		"BERT":           {provider.Config{Model: change(func(m *staticModel) { m.tensor = "bert.embeddings" })}, "there is no tensor named embeddings"},
		"integers":       {provider.Config{Model: change(func(m *staticModel) { m.dtype = "U32" })}, "numbers of type U32"},
		"too few rows":   {provider.Config{Model: change(func(m *staticModel) { m.rows = m.rows[:9] })}, "9 rows for 10 tokens"},
		"few weights":    {provider.Config{Model: change(func(m *staticModel) { m.weights = make([]float64, 9) })}, "9 weights for 10 tokens"},
		"few mapped":     {provider.Config{Model: change(func(m *staticModel) { m.mapping = make([]int32, 9) })}, "a mapping of 9 tokens, but there are 10"},
		"mapped outside": {provider.Config{Model: change(func(m *staticModel) { m.mapping = []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 10} })}, "token 9 is mapped to row 10 of 10"},
		"mapped below":   {provider.Config{Model: change(func(m *staticModel) { m.mapping = []int32{0, -1, 2, 3, 4, 5, 6, 7, 8, 9} })}, "token 1 is mapped to row -1"},
	} {
		c.cfg.Provider = "model2vec"
		_, err := Open(context.Background(), c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	e := openTest(t, provider.Config{Provider: "model2vec", Model: change(func(m *staticModel) { m.rows[2][0] = math.Inf(1) })})
	if _, err := e.Embed(context.Background(), provider.Query, []string{"w1"}); err == nil || !strings.Contains(err.Error(), "no finite vector") {
		t.Error(err)
	}
}

func TestModel2VecLicence(t *testing.T) {
	dir := newStaticModel(2, 3, 2).write(t)
	for card, want := range map[string]string{
		"---\nlanguage: en\nlicense: mit\n---\ntext":       "mit",
		"---\r\nlicense: \"apache-2.0\"\r\n---\r\ntext":    "apache-2.0",
		"---\nlanguage: en\n---\nlicense: mit\n":           "",
		"license: mit\n":                                   "",
		"---\n" + strings.Repeat("x", 100_000) + "\n---\n": "",
	} {
		writeFiles(t, dir, map[string]string{"README.md": card})
		if got := openTest(t, provider.Config{Provider: "model2vec", Model: dir}).Card().Licence; got != want {
			t.Errorf("%.30q: %q, want %q", card, got, want)
		}
	}
}

// potion is a model of the size of potion-base, with made-up words and numbers.
func potion() *staticModel {
	m := newStaticModel(0, 29_528, 256)
	random := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for len(m.words) < len(m.rows) {
		word := make([]byte, 2+random.IntN(6))
		for i := range word {
			word[i] = "etaoinshrdlucmfwypvbgkjqxz"[min(random.IntN(26), random.IntN(26))]
		}
		s := string(word)
		if len(m.words)%3 == 0 {
			s = "##" + s
		}
		if !seen[s] {
			seen[s] = true
			m.words = append(m.words, s)
		}
	}
	return m
}

// potionTexts are n texts of about 800 bytes of code.
func potionTexts(tb testing.TB, n int) []string {
	source, err := os.ReadFile("huggingface/model2vec.go")
	if err != nil {
		tb.Fatal(err)
	}
	texts := make([]string, n)
	for i := range texts {
		at := i * 97 % (len(source) - 800)
		texts[i] = string(source[at : at+800])
	}
	return texts
}

func BenchmarkModel2VecOpen(b *testing.B) {
	dir := potion().write(b)
	b.ReportAllocs()
	for b.Loop() {
		e, err := Open(context.Background(), provider.Config{Provider: "model2vec", Model: dir})
		if err != nil {
			b.Fatal(err)
		}
		if e.Dimensions() != 256 {
			b.Fatal(e.Dimensions())
		}
	}
}

func BenchmarkModel2VecEmbed(b *testing.B) {
	for _, dtype := range []safetensors.DType{safetensors.F32, safetensors.F16, safetensors.I8} {
		m := potion()
		m.dtype = dtype
		e := openTest(b, provider.Config{Provider: "model2vec", Model: m.write(b)})
		texts := potionTexts(b, 64)
		b.Run(string(dtype), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(64 * 800)
			for b.Loop() {
				if _, err := e.Embed(context.Background(), provider.Passage, texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(64*b.N)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}
