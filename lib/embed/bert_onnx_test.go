//go:build bert

package embed

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"cortex/lib/embed/provider"
)

// message is a protobuf message under construction.
type message []byte

func (m *message) varint(field int, x int64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, uint64(x))
}

func (m *message) bytes(field int, data []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(data)))
	*m = append(*m, data...)
}

// Numbers of fields and types from onnx.proto of the ONNX specification.
const (
	onnxFloat = 1
	onnxInt64 = 7
)

// A network is an ONNX graph under construction.
type network struct {
	nodes, initializers []message
	count               int
}

// tensor adds an initializer.
func (n *network) tensor(name string, kind int64, raw []byte, shape ...int) string {
	var t message
	for _, d := range shape {
		t.varint(1, int64(d))
	}
	t.varint(2, kind)
	t.bytes(8, []byte(name))
	t.bytes(9, raw)
	n.initializers = append(n.initializers, t)
	return name
}

func (n *network) floats(name string, values []float64, shape ...int) string {
	var raw []byte
	for _, x := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(x)))
	}
	return n.tensor(name, onnxFloat, raw, shape...)
}

func (n *network) ints(values ...int64) string {
	var raw []byte
	for _, x := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	n.count++
	return n.tensor(fmt.Sprintf("ints%d", n.count), onnxInt64, raw, len(values))
}

func (n *network) scalar(x float64) string {
	n.count++
	return n.floats(fmt.Sprintf("scalar%d", n.count), []float64{x})
}

// An attribute is an integer or, if it has several, integers.
type attribute struct {
	name string
	ints []int64
	list bool
}

// node adds an operation and returns its output.
func (n *network) node(op string, inputs []string, attributes ...attribute) string {
	n.count++
	output := fmt.Sprintf("%s%d", strings.ToLower(op), n.count)
	var m message
	for _, in := range inputs {
		m.bytes(1, []byte(in))
	}
	m.bytes(2, []byte(output))
	m.bytes(3, []byte("node_"+output))
	m.bytes(4, []byte(op))
	for _, a := range attributes {
		var b message
		b.bytes(1, []byte(a.name))
		if a.list {
			for _, x := range a.ints {
				b.varint(8, x)
			}
			b.varint(20, 7) // INTS
		} else {
			b.varint(3, a.ints[0])
			b.varint(20, 2) // INT
		}
		m.bytes(5, b)
	}
	n.nodes = append(n.nodes, m)
	return output
}

// value describes an input or output; a dimension is a number or a name.
func value(name string, kind int64, shape ...any) message {
	var dims message
	for _, d := range shape {
		var one message
		switch d := d.(type) {
		case int:
			one.varint(1, int64(d))
		case string:
			one.bytes(2, []byte(d))
		}
		dims.bytes(1, one)
	}
	var tensor, kinds, v message
	tensor.varint(1, kind)
	tensor.bytes(2, dims)
	kinds.bytes(1, tensor)
	v.bytes(1, []byte(name))
	v.bytes(2, kinds)
	return v
}

// model is the file.
func (n *network) model(inputs, outputs []message) string {
	var graph message
	for _, node := range n.nodes {
		graph.bytes(1, node)
	}
	graph.bytes(2, []byte("tiny"))
	for _, t := range n.initializers {
		graph.bytes(5, t)
	}
	for _, v := range inputs {
		graph.bytes(11, v)
	}
	for _, v := range outputs {
		graph.bytes(12, v)
	}
	var opset, file message
	opset.bytes(1, nil)
	opset.varint(2, 14)
	file.varint(1, 7)
	file.bytes(7, graph)
	file.bytes(8, opset)
	return string(file)
}

// A tinyBERT has one layer with two heads.
type tinyBERT struct {
	words, positions, dims, inner, heads int
	w                                    map[string][]float64
}

func newTinyBERT() *tinyBERT {
	b := &tinyBERT{words: 12, positions: 40, dims: 8, inner: 12, heads: 2, w: map[string][]float64{}}
	random := rand.New(rand.NewPCG(9, 9))
	for _, s := range []struct {
		name string
		n    int
	}{
		{"word", b.words * b.dims}, {"position", b.positions * b.dims}, {"kind", 2 * b.dims}, {"norm0", b.dims}, {"shift0", b.dims},
		{"q", b.dims * b.dims}, {"qb", b.dims}, {"k", b.dims * b.dims}, {"kb", b.dims}, {"v", b.dims * b.dims}, {"vb", b.dims}, {"o", b.dims * b.dims}, {"ob", b.dims},
		{"norm1", b.dims}, {"shift1", b.dims}, {"up", b.dims * b.inner}, {"upb", b.inner}, {"down", b.inner * b.dims}, {"downb", b.dims}, {"norm2", b.dims}, {"shift2", b.dims},
	} {
		for range s.n {
			b.w[s.name] = append(b.w[s.name], float64(float32(random.NormFloat64())))
		}
	}
	return b
}

// file writes the model with the operations of the usual exports of BERT.
func (b *tinyBERT) file(perText bool) string {
	n := &network{}
	shapes := map[string][]int{"word": {b.words, b.dims}, "position": {b.positions, b.dims}, "kind": {2, b.dims}, "up": {b.dims, b.inner}, "down": {b.inner, b.dims}}
	for name, values := range b.w {
		shape := shapes[name]
		switch {
		case shape == nil && len(values) == b.dims*b.dims:
			shape = []int{b.dims, b.dims}
		case shape == nil:
			shape = []int{len(values)}
		}
		n.floats(name, values, shape...)
	}
	one := func(name string, x int64) attribute { return attribute{name: name, ints: []int64{x}} }
	many := func(name string, x ...int64) attribute { return attribute{name: name, ints: x, list: true} }
	var all []int64
	for i := range b.positions {
		all = append(all, int64(i))
	}
	var raw []byte
	for _, x := range all {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	buffer := n.tensor("position_buffer", onnxInt64, raw, 1, b.positions)
	shape := n.node("Shape", []string{"input_ids"})
	length := n.node("Gather", []string{shape, n.ints(1)}, one("axis", 0))
	positions := n.node("Slice", []string{buffer, n.ints(0), length, n.ints(1)})
	x := n.node("Add", []string{n.node("Gather", []string{"word", "input_ids"}), n.node("Gather", []string{"kind", "token_type_ids"})})
	x = n.node("Add", []string{x, n.node("Gather", []string{"position", positions})})
	norm := func(x, gain, shift string) string {
		d := n.node("Sub", []string{x, n.node("ReduceMean", []string{x}, many("axes", -1))})
		v := n.node("ReduceMean", []string{n.node("Pow", []string{d, n.scalar(2)})}, many("axes", -1))
		d = n.node("Div", []string{d, n.node("Sqrt", []string{n.node("Add", []string{v, n.scalar(1e-12)})})})
		return n.node("Add", []string{n.node("Mul", []string{d, gain}), shift})
	}
	linear := func(x, w, bias string) string { return n.node("Add", []string{bias, n.node("MatMul", []string{x, w})}) }
	x = norm(x, "norm0", "shift0")
	mask := n.node("Unsqueeze", []string{"attention_mask", n.ints(1, 2)})
	mask = n.node("Cast", []string{mask}, one("to", onnxFloat))
	mask = n.node("Mul", []string{n.node("Sub", []string{n.scalar(1), mask}), n.scalar(-1e9)})
	head := int64(b.dims / b.heads)
	split := func(x string, order ...int64) string {
		x = n.node("Reshape", []string{x, n.ints(0, 0, int64(b.heads), head)})
		return n.node("Transpose", []string{x}, many("perm", order...))
	}
	q, k, v := split(linear(x, "q", "qb"), 0, 2, 1, 3), split(linear(x, "k", "kb"), 0, 2, 3, 1), split(linear(x, "v", "vb"), 0, 2, 1, 3)
	scores := n.node("Div", []string{n.node("MatMul", []string{q, k}), n.scalar(math.Sqrt(float64(head)))})
	scores = n.node("Softmax", []string{n.node("Add", []string{scores, mask})}, one("axis", -1))
	mixed := n.node("Transpose", []string{n.node("MatMul", []string{scores, v})}, many("perm", 0, 2, 1, 3))
	mixed = n.node("Reshape", []string{mixed, n.ints(0, 0, int64(b.dims))})
	x = norm(n.node("Add", []string{linear(mixed, "o", "ob"), x}), "norm1", "shift1")
	up := linear(x, "up", "upb")
	up = n.node("Mul", []string{n.node("Mul", []string{up, n.node("Add", []string{n.node("Erf", []string{n.node("Div", []string{up, n.scalar(math.Sqrt2)})}), n.scalar(1)})}), n.scalar(0.5)})
	x = norm(n.node("Add", []string{linear(up, "down", "downb"), x}), "norm2", "shift2")
	out := value(x, onnxFloat, "batch", "length", b.dims)
	if perText {
		x = n.node("Gather", []string{x, n.ints(0)}, one("axis", 1))
		x = n.node("Reshape", []string{x, n.ints(0, int64(b.dims))})
		out = value(x, onnxFloat, "batch", "width")
	}
	var inputs []message
	for _, name := range []string{"input_ids", "attention_mask", "token_type_ids"} {
		inputs = append(inputs, value(name, onnxInt64, "batch", "length"))
	}
	return n.model(inputs, []message{out})
}

// run computes the vectors of tokens in the plainest form.
func (b *tinyBERT) run(ids []int) [][]float64 {
	row := func(name string, i int) []float64 { return b.w[name][i*b.dims : (i+1)*b.dims] }
	norm := func(x []float64, name string) []float64 {
		mean, variance := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			variance += (v - mean) * (v - mean) / float64(len(x))
		}
		out := make([]float64, len(x))
		for i, v := range x {
			out[i] = (v-mean)/math.Sqrt(variance+1e-12)*b.w["norm"+name][i] + b.w["shift"+name][i]
		}
		return out
	}
	linear := func(x []float64, w, bias string) []float64 {
		out := append([]float64(nil), b.w[bias]...)
		for i, v := range x {
			for j := range out {
				out[j] += v * b.w[w][i*len(out)+j]
			}
		}
		return out
	}
	var x, q, k, v [][]float64
	for at, id := range ids {
		sum := make([]float64, b.dims)
		for j := range sum {
			sum[j] = row("word", id)[j] + row("kind", 0)[j] + row("position", at)[j]
		}
		sum = norm(sum, "0")
		x = append(x, sum)
		q, k, v = append(q, linear(sum, "q", "qb")), append(k, linear(sum, "k", "kb")), append(v, linear(sum, "v", "vb"))
	}
	var out [][]float64
	head := b.dims / b.heads
	for i := range ids {
		mixed := make([]float64, b.dims)
		for h := range b.heads {
			weights, total := make([]float64, len(ids)), 0.0
			for j := range ids {
				score := 0.0
				for d := h * head; d < (h+1)*head; d++ {
					score += q[i][d] * k[j][d]
				}
				weights[j] = math.Exp(score / math.Sqrt(float64(head)))
				total += weights[j]
			}
			for j := range ids {
				for d := h * head; d < (h+1)*head; d++ {
					mixed[d] += weights[j] / total * v[j][d]
				}
			}
		}
		y := linear(mixed, "o", "ob")
		for j := range y {
			y[j] += x[i][j]
		}
		y = norm(y, "1")
		up := linear(y, "up", "upb")
		for j, u := range up {
			up[j] = u * 0.5 * (1 + math.Erf(u/math.Sqrt2))
		}
		z := linear(up, "down", "downb")
		for j := range z {
			z[j] += y[j]
		}
		out = append(out, norm(z, "2"))
	}
	return out
}

const tinyTokenizer = `{"added_tokens":[{"id":1,"content":"[CLS]","special":true},{"id":2,"content":"[SEP]","special":true}],
	"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},
	"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],
		"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[1]},"[SEP]":{"id":"[SEP]","ids":[2]}}},
	"model":{"type":"WordPiece","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"read":3,"##er":4,"the":5,"file":6,"query":7,":":8,"passage":9,"write":10,"##s":11}}}`

func (b *tinyBERT) write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	all := map[string]string{"onnx/model.onnx": b.file(false), "tokenizer.json": tinyTokenizer}
	for name, data := range files {
		all[name] = data
	}
	writeFiles(t, dir, all)
	return dir
}

// unitOf gives a vector length 1.
func unitOf(x []float64) []float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v / math.Sqrt(sum)
	}
	return out
}

func mean(rows [][]float64) []float64 {
	out := make([]float64, len(rows[0]))
	for _, row := range rows {
		for j, x := range row {
			out[j] += x / float64(len(rows))
		}
	}
	return out
}

func TestBERTAgainstThePlainForm(t *testing.T) {
	b := newTinyBERT()
	var long []int
	for range 100 {
		long = append(long, 5, 6)
	}
	texts := map[string][]int{
		"Reader reads THE file":          {3, 4, 3, 11, 5, 6},
		"":                               {},
		"unknown":                        {0},
		strings.Repeat("the file ", 100): long,
		strings.Repeat("the ", 15):       {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
	}
	for name, c := range map[string]struct {
		files map[string]string
		first bool
		most  int
	}{
		"mean":                  {map[string]string{"config.json": `{"max_position_embeddings":40}`}, false, 40},
		"first":                 {map[string]string{"1_Pooling/config.json": `{"pooling_mode_cls_token":true}`, "sentence_bert_config.json": `{"max_seq_length":20}`}, true, 20},
		"one vector for a text": {map[string]string{"onnx/model.onnx": b.file(true), "sentence_bert_config.json": `{"max_seq_length":30}`}, true, 30},
	} {
		e := openTest(t, provider.Config{Provider: "bert", Model: b.write(t, c.files)})
		if e.Dimensions() != b.dims || e.Card().MaxTokens != c.most || !strings.HasPrefix(e.Model(), "bert-8-") {
			t.Errorf("%s: %d %+v %s", name, e.Dimensions(), e.Card(), e.Model())
		}
		for text, ids := range texts {
			if len(ids) > c.most-2 {
				ids = ids[:c.most-2]
			}
			rows := b.run(append(append([]int{1}, ids...), 2))
			want := unitOf(mean(rows))
			if c.first {
				want = unitOf(rows[0])
			}
			if d := far(want, embedOne(t, e, provider.Passage, text)); d > 1e-5 {
				t.Errorf("%s: %.30q is off by %v", name, text, d)
			}
		}
	}
}

func TestBERTPrefixes(t *testing.T) {
	b := newTinyBERT()
	dir := b.write(t, map[string]string{"config.json": `{"max_position_embeddings":40,"_name_or_path":"intfloat/e5-small-v2"}`})
	e := openTest(t, provider.Config{Provider: "bert", Model: dir})
	if d := far(unitOf(mean(b.run([]int{1, 7, 8, 5, 6, 2}))), embedOne(t, e, provider.Query, "the file")); d > 1e-5 {
		t.Errorf("query is off by %v", d)
	}
	if d := far(unitOf(mean(b.run([]int{1, 9, 8, 5, 6, 2}))), embedOne(t, e, provider.Passage, "the file")); d > 1e-5 {
		t.Errorf("passage is off by %v", d)
	}
	none := ""
	plain := openTest(t, provider.Config{Provider: "bert", Model: dir, QueryPrefix: &none, PassagePrefix: &none})
	if d := far(unitOf(mean(b.run([]int{1, 5, 6, 2}))), embedOne(t, plain, provider.Query, "the file")); d > 1e-5 {
		t.Errorf("without prefix off by %v", d)
	}
	if plain.Model() == e.Model() {
		t.Error("the prefix of passages is not in the model's name")
	}
	again, err := OpenModel(context.Background(), e.Model(), provider.Config{Provider: "bert", Model: dir})
	if err != nil {
		t.Fatal(err)
	}
	if again.Model() != e.Model() {
		t.Error(again.Model())
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestBERTAtOnce(t *testing.T) {
	b := newTinyBERT()
	e := openTest(t, provider.Config{Provider: "bert", Model: b.write(t, map[string]string{"config.json": `{"max_position_embeddings":40}`})})
	want := embedOne(t, e, provider.Passage, "the reader")
	done := make(chan float64)
	for i := range 8 {
		go func() {
			texts := []string{strings.Repeat("file ", i*5), "the reader"}
			got, err := e.Embed(context.Background(), provider.Passage, texts)
			if err != nil {
				t.Error(err)
				done <- 0
				return
			}
			worst := 0.0
			for j := range want {
				worst = max(worst, math.Abs(float64(want[j]-got[1][j])))
			}
			done <- worst
		}()
	}
	for range 8 {
		if d := <-done; d != 0 {
			t.Errorf("off by %v in company", d)
		}
	}
}

func TestBERTRefuses(t *testing.T) {
	b := newTinyBERT()
	empty := (&network{}).model(nil, nil)
	n := &network{}
	out := n.node("Magic", []string{"input_ids"})
	magic := n.model([]message{value("input_ids", onnxInt64, "a", "b")}, []message{value(out, onnxFloat, "a", "b", "c")})
	for name, c := range map[string]struct {
		cfg  provider.Config
		want string
	}{
		"no folder":     {provider.Config{}, "needs the folder of a model"},
		"static model":  {provider.Config{Model: newStaticModel(2, 3, 4).write(t)}, "lacks tokenizer.json, or both model.onnx and onnx/model.onnx"},
		"dimensions":    {provider.Config{Model: b.write(t, nil), Dimensions: 9}, "has 8 dimensions, not 9"},
		"no ONNX":       {provider.Config{Model: b.write(t, map[string]string{"onnx/model.onnx": "hello"})}, "onnx/model.onnx: "},
		"nothing":       {provider.Config{Model: b.write(t, map[string]string{"onnx/model.onnx": ""})}, "onnx/model.onnx: "},
		"empty":         {provider.Config{Model: b.write(t, map[string]string{"onnx/model.onnx": empty})}, "it has no input input_ids"},
		"unknown input": {provider.Config{Model: b.write(t, map[string]string{"onnx/model.onnx": (&network{}).model([]message{value("pixels", onnxFloat, 1)}, nil)})}, `unknown input "pixels"`},
		"no output":     {provider.Config{Model: b.write(t, map[string]string{"onnx/model.onnx": (&network{}).model([]message{value("input_ids", onnxInt64, "a", "b")}, nil)})}, "no output has a vector"},
		"operation":     {provider.Config{Model: b.write(t, map[string]string{"onnx/model.onnx": magic})}, "Magic"},
		"tokenizer":     {provider.Config{Model: b.write(t, map[string]string{"tokenizer.json": "{}"})}, "tokenizer.json: parse tokenizer"},
		"pooling":       {provider.Config{Model: b.write(t, map[string]string{"1_Pooling/config.json": "[]"})}, "1_Pooling/config.json"},
	} {
		c.cfg.Provider = "bert"
		_, err := Open(context.Background(), c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	// A token that the model has no row for must not end the program.
	many := strings.Replace(tinyTokenizer, `"##s":11`, `"##s":11,"x":500`, 1)
	e := openTest(t, provider.Config{Provider: "bert", Model: b.write(t, map[string]string{"tokenizer.json": many})})
	if v, err := e.Embed(context.Background(), provider.Query, []string{"x"}); err == nil && math.Abs(dot(v[0], v[0])-1) > 1e-5 {
		t.Error(v)
	}
}

// TestHostileNetworks opens networks that would end the program for want of memory or stack.
func TestHostileNetworks(t *testing.T) {
	ids := value("input_ids", onnxInt64, "a", "b")
	// chain makes a network that looks tokens up and goes on from there.
	chain := func(goOn func(n *network, last string) string) string {
		n := &network{}
		last := goOn(n, n.node("Gather", []string{n.floats("table", make([]float64, 16*8), 16, 8), "input_ids"}))
		return n.model([]message{ids}, []message{value(last, onnxFloat, "a", "b", "c")})
	}
	shaped := func(dims ...int) string {
		n := &network{}
		n.tensor("table", onnxFloat, make([]byte, 64), dims...)
		return n.model([]message{ids}, []message{value(n.node("Gather", []string{"table", "input_ids"}), onnxFloat, "a", "b", "c")})
	}
	for name, c := range map[string]struct{ file, want string }{
		"a circle": {chain(func(n *network, last string) string {
			x := n.node("Neg", []string{fmt.Sprintf("neg%d", n.count+2)})
			return n.node("Neg", []string{x})
		}), "does not come before it"},
		"itself": {chain(func(n *network, last string) string { return n.node("Neg", []string{fmt.Sprintf("neg%d", n.count+1)}) }), "does not come before it"},
		"a long way": {chain(func(n *network, last string) string {
			for range 20_000 {
				last = n.node("Neg", []string{last})
			}
			return last
		}), "20001 operations"},
		"doubled again and again": {chain(func(n *network, last string) string {
			for range 40 {
				last = n.node("Concat", []string{last, last}, attribute{name: "axis", ints: []int64{2}})
			}
			return last
		}), "too large"},
		"expanded": {chain(func(n *network, last string) string {
			return n.node("Expand", []string{n.node("Unsqueeze", []string{last, n.ints(0)}), n.ints(100_000, 100_000, 16, 8)})
		}), "too large"},
		"tiled":               {chain(func(n *network, last string) string { return n.node("Tile", []string{last, n.ints(1<<20, 1<<20, 1)}) }), "too large"},
		"more than the file":  {shaped(1<<33, 1), "more numbers than the file has bytes"},
		"a product around":    {shaped(1<<40, 1<<40), "more numbers than the file has bytes"},
		"of negative numbers": {shaped(-16, -1), "more numbers than the file has bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := Open(context.Background(), provider.Config{Provider: "bert", Model: newTinyBERT().write(t, map[string]string{"onnx/model.onnx": c.file})})
			if err == nil {
				_, err = e.Embed(context.Background(), provider.Query, []string{"a b c"})
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}
