package huggingface

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"cortex/lib/embed/huggingface/tokenizer"
	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/shorten"
)

// The provider bert reads the folder of a BERT (Devlin et al., 2018) in ONNX, with these files of sentence-transformers
// (https://sbert.net): tokenizer.json; model.onnx, or onnx/model.onnx; 1_Pooling/config.json, which says how the
// vectors of the tokens are combined; sentence_bert_config.json and config.json, which say how many tokens the model
// reads; config_sentence_transformers.json with the model's prefixes.
//
// Only a build with the tag bert includes it, since the library that runs ONNX is large.
const BERT = "bert"

// Bounds on a BERT.
const (
	bertTokens    = 512 // if the folder does not say
	maxBERTTokens = 8192
	maxConfigFile = 1 << 20
	maxONNXFile   = 2 << 30 // the greatest size of a protobuf message
	minBERTLength = 16      // shorter texts are padded to this number of tokens
)

// bertEmbedder is the provider bert.
type bertEmbedder struct {
	model     string
	dims      int
	card      provider.Card
	tokens    *tokenizer.Tokenizer
	runner    bertRunner
	pooling   pooling
	maxTokens int
}

// pooling says how the vectors of tokens are combined into one.
type pooling string

const (
	poolMean  pooling = "mean"
	poolFirst pooling = "first" // the vector of the first token, [CLS]
	poolLast  pooling = "last"
	poolMax   pooling = "max" // the maximum of each component
)

// bertFolder has the settings in the small files of a folder.
type bertFolder struct {
	maxTokens      int
	pooling        pooling
	query, passage string
}

// OpenBERT opens the folder of a BERT in ONNX.
func OpenBERT(_ context.Context, cfg provider.Config) (provider.Embedder, error) {
	if !bertBuilt {
		return nil, hint.Wrap(errors.New("embedding provider bert: this program was built without it"),
			"build it with go build -tags bert ./cmd/...")
	}
	folder, err := openFolder(BERT, cfg)
	if err != nil {
		return nil, err
	}
	network := "model.onnx"
	if !folder.has(network) {
		network = "onnx/model.onnx"
	}
	if !folder.has(network, "tokenizer.json") {
		return nil, hint.Wrap(fmt.Errorf("open model %q: it lacks tokenizer.json, or both model.onnx and onnx/model.onnx", folder.path),
			"a BERT model has them, as in BAAI/bge-small-en-v1.5; a static model is for the provider model2vec")
	}
	settings, err := readBERTFolder(folder)
	if err != nil {
		return nil, err
	}
	e := &bertEmbedder{pooling: settings.pooling, maxTokens: settings.maxTokens}
	tokenizerSum, err := folder.parse("tokenizer.json", maxTokenizerFile, func(data []byte) (err error) {
		e.tokens, err = tokenizer.Parse(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	networkSum, err := folder.parse(network, maxONNXFile, func(data []byte) (err error) {
		e.runner, err = newBERTRunner(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%x\n%x\n%s\n%d\n", tokenizerSum, networkSum, e.pooling, e.maxTokens))
	if e.dims = e.runner.dimensions(); e.dims < 1 {
		if e.dims, err = e.tryDimensions(); err != nil {
			return nil, errors.Join(folder.fail(network, err), e.Close())
		}
	}
	if cfg.Dimensions != 0 && cfg.Dimensions != e.dims {
		return nil, errors.Join(fmt.Errorf("model %q has %d dimensions, not %d", folder.path, e.dims, cfg.Dimensions), e.Close())
	}
	e.model = folderModel(BERT, e.dims, sum)
	e.card = provider.Card{
		Licence:     folder.licence(),
		Text:        fmt.Sprintf("A BERT in ONNX with pooling %q, in %s.", e.pooling, folder.path),
		QueryPrefix: settings.query, PassagePrefix: settings.passage,
		MaxTokens: e.maxTokens, BatchSize: 8, Costly: true,
	}
	return e, nil
}

// optional decodes a JSON file into to, if the file exists.
func (f modelFolder) optional(name string, to any) error {
	if !f.has(name) {
		return nil
	}
	data, err := f.read(name, maxConfigFile)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return f.fail(name, err)
	}
	return nil
}

func readBERTFolder(folder modelFolder) (bertFolder, error) {
	var s bertFolder
	var config struct {
		Positions int    `json:"max_position_embeddings"`
		Name      string `json:"_name_or_path"`
	}
	var sentence struct {
		MaxTokens int `json:"max_seq_length"`
	}
	var prompts struct {
		Prompts map[string]string `json:"prompts"`
	}
	var modules []struct {
		Type string `json:"type"`
	}
	pool := map[string]any{}
	for _, file := range []struct {
		name string
		to   any
	}{
		{"config.json", &config},
		{"sentence_bert_config.json", &sentence},
		{"config_sentence_transformers.json", &prompts},
		{"modules.json", &modules},
		{"1_Pooling/config.json", &pool},
	} {
		if err := folder.optional(file.name, file.to); err != nil {
			return s, err
		}
	}
	for _, m := range modules {
		switch kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; kind {
		case "Transformer", "Pooling", "Normalize":
		default:
			return s, folder.fail("modules.json", fmt.Errorf("module %q is not supported", m.Type))
		}
	}
	s.maxTokens = cmp.Or(sentence.MaxTokens, config.Positions, bertTokens)
	if s.maxTokens < 4 {
		return s, folder.fail("sentence_bert_config.json", fmt.Errorf("max_seq_length is %d", s.maxTokens))
	}
	if config.Positions > 0 {
		s.maxTokens = min(s.maxTokens, config.Positions)
	}
	s.maxTokens = min(s.maxTokens, maxBERTTokens)
	var err error
	if s.pooling, err = readPooling(pool); err != nil {
		return s, folder.fail("1_Pooling/config.json", err)
	}
	s.query, s.passage = prefixesOf(folder.path, config.Name)
	if query, ok := prompts.Prompts["query"]; ok {
		s.query, s.passage = query, cmp.Or(prompts.Prompts["passage"], prompts.Prompts["document"])
	}
	return s, nil
}

// readPooling returns the pooling for the keys of a Pooling module, of which exactly one may be set; without any it is
// the mean.
func readPooling(keys map[string]any) (pooling, error) {
	modes := []struct {
		key     string
		pooling pooling
	}{
		{"pooling_mode_cls_token", poolFirst},
		{"pooling_mode_mean_tokens", poolMean},
		{"pooling_mode_max_tokens", poolMax},
		{"pooling_mode_lasttoken", poolLast},
	}
	found := pooling("")
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if on, ok := keys[key].(bool); !strings.HasPrefix(key, "pooling_mode_") || !ok || !on {
			continue
		}
		if found != "" {
			return "", errors.New("more than one pooling mode is set")
		}
		for _, m := range modes {
			if m.key == key {
				found = m.pooling
			}
		}
		if found == "" {
			return "", fmt.Errorf("%s is not supported", key)
		}
	}
	return cmp.Or(found, poolMean), nil
}

// prefixesOf returns the prefixes that the cards of well-known models ask for. It looks for the model's name in the
// path of its folder and in its configuration.
func prefixesOf(path, name string) (query, passage string) {
	names := []string{filepath.Base(name)}
	// A folder in Hugging Face's cache is models--OWNER--NAME/snapshots/REVISION.
	abs, err := filepath.Abs(path)
	if err == nil {
		names = append(names, filepath.Base(abs))
		if parent := filepath.Dir(abs); filepath.Base(parent) == "snapshots" {
			names = append(names, filepath.Base(filepath.Dir(parent)))
		}
	}
	table := []struct{ family, language, query, passage string }{
		{"bge-", "-en", "Represent this sentence for searching relevant passages: ", ""},
		{"bge-", "-zh", "为这个句子生成表示以用于检索相关文章：", ""},
		{"mxbai-embed", "", "Represent this sentence for searching relevant passages: ", ""},
		{"e5-small", "", "query: ", "passage: "},
		{"e5-base", "", "query: ", "passage: "},
		{"e5-large", "", "query: ", "passage: "},
		{"nomic-embed-text", "", "search_query: ", "search_document: "},
	}
	for _, name := range names {
		name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		for _, row := range table {
			if _, rest, ok := strings.Cut(name, row.family); ok && strings.Contains(rest, row.language) && !strings.Contains(rest, "instruct") {
				return row.query, row.passage
			}
		}
	}
	return "", ""
}

// Model implements Embedder.
func (e *bertEmbedder) Model() string { return e.model }

// Dimensions implements Embedder.
func (e *bertEmbedder) Dimensions() int { return e.dims }

// Card implements Embedder.
func (e *bertEmbedder) Card() provider.Card { return e.card }

// Close implements Embedder.
func (e *bertEmbedder) Close() error { return e.runner.close() }

// Embed implements Embedder. Each text is run by itself, so that its vector does not depend on other texts.
func (e *bertEmbedder) Embed(ctx context.Context, _ provider.Mode, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vector, err := e.embed(text)
		if err == nil && len(vector) != e.dims {
			err = fmt.Errorf("%d dimensions, expected %d", len(vector), e.dims)
		}
		if err == nil {
			err = setLength(vector)
		}
		if err != nil {
			return nil, fmt.Errorf("embed with %s: %w", e.model, err)
		}
		vectors[i] = vector
	}
	return vectors, nil
}

func (e *bertEmbedder) tryDimensions() (int, error) {
	vector, err := e.embed("")
	if err == nil && len(vector) == 0 {
		err = errors.New("the model gives no vector")
	}
	return len(vector), err
}

// maxTokenLength is a number of bytes that tokens of real texts do not exceed. Text beyond it per token would be cut as
// tokens anyway.
const maxTokenLength = 64

// embed returns the vector of a text, before it is scaled to length 1.
func (e *bertEmbedder) embed(text string) ([]float32, error) {
	text = shorten.Bytes(text, e.maxTokens*maxTokenLength)
	framed := e.tokens.Frame(e.tokens.Append(nil, text), e.maxTokens)
	count := len(framed.IDs)
	if count == 0 {
		// An empty text has no tokens if the model does not frame texts, and the network needs at least one.
		framed.IDs, framed.Kinds, count = []int32{0}, []int32{0}, 1
	}
	// Texts are padded to a power of two, so that texts of similar lengths share a compiled program.
	size := minBERTLength
	for size < count {
		size *= 2
	}
	size = max(count, min(size, e.maxTokens))
	ids, kinds := make([]int64, size), make([]int64, size)
	for i := range count {
		ids[i], kinds[i] = int64(framed.IDs[i]), int64(framed.Kinds[i])
	}
	out, rows, err := e.runner.run(ids, kinds, count)
	if err != nil {
		return nil, err
	}
	if rows == 1 {
		return append([]float32(nil), out...), nil
	}
	if rows != size || len(out)%rows != 0 {
		return nil, fmt.Errorf("%d rows, %d numbers for %d tokens", rows, len(out), size)
	}
	return e.pooling.pool(out, len(out)/rows, count), nil
}

// pool combines the first count rows into one vector.
func (p pooling) pool(out []float32, dims, count int) []float32 {
	row := func(i int) []float32 { return out[i*dims : (i+1)*dims] }
	vector := make([]float32, dims)
	switch p {
	case poolFirst:
		copy(vector, row(0))
	case poolLast:
		copy(vector, row(count-1))
	case poolMax:
		copy(vector, row(0))
		for i := range count {
			for j, x := range row(i) {
				vector[j] = max(vector[j], x)
			}
		}
	default:
		sums := make([]float64, dims)
		for i := range count {
			for j, x := range row(i) {
				sums[j] += float64(x)
			}
		}
		for j := range sums {
			vector[j] = float32(sums[j] / float64(count))
		}
	}
	return vector
}
