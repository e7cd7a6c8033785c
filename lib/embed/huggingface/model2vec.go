// Package huggingface opens embedding models from folders in the formats of Hugging Face: static models (model2vec.go),
// static models with a trained bag of words (model2vec_bag.go) and networks in ONNX (bert.go, built with -tags bert).
// Begin with folder.go. Package tokenizer reads tokenizer.json, package safetensors reads tensors. Folders are not
// trusted: anything unknown to these packages is an error.
package huggingface

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cortex/lib/embed/huggingface/safetensors"
	"cortex/lib/embed/huggingface/tokenizer"
	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/shorten"
)

// model2vecTokens is the number of tokens of a text that the model2vec library reads by default.
const model2vecTokens = 512

// Bounds on the files of a model, which are read whole. The largest known ones are 34 MB of tokenizer.json (Gemma 3)
// and 512 MB of tensors (potion-multilingual-128M).
const (
	maxTensorFile   = 1 << 30
	maxModelRows    = 1 << 24
	maxModelColumns = 1 << 14
)

// model2vecEmbedder is the embedder of the provider model2vec.
type model2vecEmbedder struct {
	model    string
	dims     int
	card     provider.Card
	tokens   *tokenizer.Tokenizer
	table    table
	mapping  []int32   // the row of each token; nil if a token's number is its row
	weights  []float32 // the weight of each token; nil if all are 1
	maxChars int
	scratch  sync.Pool // of *[]int32
}

// A table has the rows of a model, as they are encoded in its file.
type table struct {
	dtype      safetensors.DType
	data       []byte
	rows, wide int
}

// OpenModel2Vec opens the folder of a static model.
func OpenModel2Vec(_ context.Context, cfg provider.Config) (provider.Embedder, error) {
	folder, err := openFolder(Model2Vec, cfg)
	if err != nil {
		return nil, err
	}
	sub, err := model2vecFiles(folder)
	if err != nil {
		return nil, err
	}
	e := &model2vecEmbedder{}
	e.scratch.New = func() any { return new([]int32) }
	var tensors map[string]*safetensors.Tensor
	var tokenizerSum, tensorSum [sha256.Size]byte
	var group sync.WaitGroup
	var tokenizerFault, tensorFault error
	group.Go(func() {
		tokenizerSum, tokenizerFault = folder.parse(sub+"tokenizer.json", maxTokenizerFile, func(data []byte) (err error) {
			e.tokens, err = tokenizer.Parse(data)
			return err
		})
	})
	group.Go(func() {
		tensorSum, tensorFault = folder.parse(sub+"model.safetensors", maxTensorFile, func(data []byte) (err error) {
			tensors, err = safetensors.Read(data)
			return err
		})
	})
	group.Wait()
	// Of several errors, the same one is always returned.
	if err := cmp.Or(tokenizerFault, tensorFault); err != nil {
		return nil, err
	}
	digest := sha256.Sum256(fmt.Appendf(nil, "%x\n%x\n", tokenizerSum, tensorSum))
	if tensors[bagHead] != nil {
		return openBag(folder, cfg, tensors, digest)
	}
	// Before the library tokenizes a text, it cuts the text to model2vecTokens times the median length of tokens.
	e.maxChars = model2vecTokens * int(e.tokens.MedianLength())
	if err := e.setTable(tensors); err != nil {
		return nil, folder.fail(sub+"model.safetensors", err)
	}
	e.dims = cmp.Or(cfg.Dimensions, e.table.wide)
	if e.dims < 1 || e.dims > e.table.wide {
		return nil, fmt.Errorf("model %q has %d dimensions, not %d", folder.path, e.table.wide, cfg.Dimensions)
	}
	e.model = folderModel(Model2Vec, e.dims, digest)
	e.card = provider.Card{
		Licence:   folder.licence(),
		Text:      fmt.Sprintf("A model2vec model of %d tokens, %d rows of %s, in %s.", e.tokens.Size(), e.table.rows, e.table.dtype, folder.path),
		MaxTokens: model2vecTokens,
	}
	return e, nil
}

// model2vecFiles returns the prefix of the paths of the model's files in the folder.
func model2vecFiles(folder modelFolder) (sub string, err error) {
	switch {
	case folder.has("config.json", "tokenizer.json", "model.safetensors"), folder.has("config_sentence_transformers.json", "tokenizer.json", "model.safetensors"):
		return "", nil
	case folder.has("config_sentence_transformers.json", "0_StaticEmbedding/tokenizer.json", "0_StaticEmbedding/model.safetensors"):
		return "0_StaticEmbedding/", nil
	}
	return "", hint.Wrap(fmt.Errorf("open model %q: it lacks one of config.json, tokenizer.json and model.safetensors", folder.path),
		"a model2vec model has these three files, as in minishlab/potion-code-16M")
}

// Made returns the row.made of a provider: it recognises the names that folderModel returns. The folder is the
// configured one.
func Made(name string) func(string, provider.Config) (provider.Config, bool) {
	return func(model string, cfg provider.Config) (provider.Config, bool) {
		rest, ok := strings.CutPrefix(model, name+"-")
		digits, digest, found := strings.Cut(rest, "-")
		dims, err := strconv.Atoi(digits)
		if !ok || !found || err != nil || dims < 1 || len(digest) != digestLength {
			return cfg, false
		}
		if cfg.Provider != name {
			cfg.Model = ""
		}
		cfg.Provider, cfg.Endpoint, cfg.Dimensions = name, "", dims
		return cfg, true
	}
}

func (e *model2vecEmbedder) setTable(tensors map[string]*safetensors.Tensor) error {
	embeddings := cmp.Or(tensors["embeddings"], tensors["embedding.weight"], tensors["0"])
	if embeddings == nil {
		return hint.Wrap(errors.New("there is no tensor named embeddings"), "a model2vec model has one; a BERT model is for the provider bert")
	}
	shape := embeddings.Shape
	if len(shape) != 2 || shape[0] < 1 || shape[0] > maxModelRows || shape[1] < 1 || shape[1] > maxModelColumns {
		return fmt.Errorf("tensor %q has the shape %v, expected rows and columns", embeddings.Name, shape)
	}
	switch embeddings.DType {
	case safetensors.F32, safetensors.F16, safetensors.I8:
		e.table = table{embeddings.DType, embeddings.Data, shape[0], shape[1]}
	case safetensors.F64:
		data, err := narrow(embeddings)
		if err != nil {
			return err
		}
		e.table = table{safetensors.F32, data, shape[0], shape[1]}
	default:
		return fmt.Errorf("tensor %q has numbers of type %s, expected F32, F16, F64 or I8", embeddings.Name, embeddings.DType)
	}
	size := e.tokens.Size()
	if weights := tensors["weights"]; weights != nil {
		if n := weights.Len(); n < size || n > maxModelRows {
			return fmt.Errorf("%d weights for %d tokens", n, size)
		}
		values, err := weights.Floats()
		if err != nil {
			return err
		}
		e.weights = values
	}
	mapping := tensors["mapping"]
	if mapping == nil {
		if e.table.rows < size {
			return fmt.Errorf("%d rows for %d tokens", e.table.rows, size)
		}
		return nil
	}
	if n := mapping.Len(); n < size || n > maxModelRows {
		return fmt.Errorf("a mapping of %d tokens, but there are %d", n, size)
	}
	rows, err := mapping.Ints()
	if err != nil {
		return err
	}
	e.mapping = make([]int32, len(rows))
	for i, row := range rows {
		if row < 0 || row >= int64(e.table.rows) {
			return fmt.Errorf("token %d is mapped to row %d of %d", i, row, e.table.rows)
		}
		e.mapping[i] = int32(row)
	}
	return nil
}

// narrow encodes a tensor's numbers as F32.
func narrow(t *safetensors.Tensor) ([]byte, error) {
	values, err := t.Floats()
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, 4*len(values))
	for _, x := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return data, nil
}

// Model implements Embedder.
func (e *model2vecEmbedder) Model() string { return e.model }

// Dimensions implements Embedder.
func (e *model2vecEmbedder) Dimensions() int { return e.dims }

// Card implements Embedder.
func (e *model2vecEmbedder) Card() provider.Card { return e.card }

// Close implements Embedder.
func (e *model2vecEmbedder) Close() error { return nil }

// Embed implements Embedder. A text without any token of the model gets the first unit vector.
func (e *model2vecEmbedder) Embed(ctx context.Context, _ provider.Mode, texts []string) ([][]float32, error) {
	ids := e.scratch.Get().(*[]int32)
	defer e.scratch.Put(ids)
	vectors := make([][]float32, len(texts))
	all := make([]float32, len(texts)*e.dims)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		*ids = e.tokenize((*ids)[:0], text)
		vectors[i] = all[i*e.dims : (i+1)*e.dims : (i+1)*e.dims]
		e.sum(vectors[i], *ids)
		if err := setLength(vectors[i]); err != nil {
			return nil, fmt.Errorf("embed with %s: %w", e.model, err)
		}
	}
	return vectors, nil
}

// tokenize appends the tokens of a text, at most model2vecTokens, without unknown ones.
func (e *model2vecEmbedder) tokenize(ids []int32, text string) []int32 {
	if e.maxChars > 0 {
		text = shorten.Characters(text, e.maxChars)
	}
	ids = e.tokens.Fit(e.tokens.Append(ids, text))
	if unknown, ok := e.tokens.Unknown(); ok {
		ids = slices.DeleteFunc(ids, func(id int32) bool { return id == unknown })
	}
	return ids[:min(len(ids), model2vecTokens)]
}

// sum adds the rows of tokens to vector.
func (e *model2vecEmbedder) sum(vector []float32, ids []int32) {
	for _, id := range ids {
		row, weight := id, float32(1)
		if e.mapping != nil {
			row = e.mapping[id]
		}
		if e.weights != nil {
			weight = e.weights[id]
		}
		e.table.add(vector, int(row), weight)
	}
}

// add adds the first len(vector) components of a row, times weight, to vector.
func (t *table) add(vector []float32, row int, weight float32) {
	// The conversions keep the compiler from fusing product and sum, which would round differently on some machines.
	at := row * t.wide
	switch t.dtype {
	case safetensors.F32:
		data := t.data[4*at:][:4*len(vector)]
		if weight == 1 {
			for i := range vector {
				vector[i] += math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
			}
			return
		}
		for i := range vector {
			vector[i] += float32(weight * math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		}
	case safetensors.F16:
		data := t.data[2*at:][:2*len(vector)]
		for i := range vector {
			vector[i] += float32(weight * safetensors.Half(binary.LittleEndian.Uint16(data[2*i:])))
		}
	case safetensors.I8:
		data := t.data[at:][:len(vector)]
		for i := range vector {
			vector[i] += float32(weight * float32(int8(data[i])))
		}
	}
}
