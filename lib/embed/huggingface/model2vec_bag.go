package huggingface

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/builtin"
	"cortex/lib/embed/huggingface/safetensors"
	"cortex/lib/embed/provider"
)

// bagHead and bagTail are the tensors with the parts of a bag-of-words model's file before and after its rows.
const (
	bagHead = "cortex.head"
	bagTail = "cortex.tail"
)

// ExportModel2Vec returns the files of a model2vec folder for a neural bag of words, by name: config.json,
// tokenizer.json and model.safetensors.
//
// The format has one weight for each token, no square roots of counts, and no vectors for unknown words, so a reader of
// the plain format gets vectors close to the model's vectors of passages. Its tokenizer splits identifiers mostly as
// package lexicon does; each word is present in the cases in which code writes it, all with one row. The provider
// model2vec finds the rest of the model in the tensors bagHead and bagTail, and computes exactly the model's vectors.
func ExportModel2Vec(p *bag.Parts) (map[string][]byte, error) {
	rows := len(p.Words)
	if rows == 0 || len(p.Rows) != rows*p.Dimensions {
		return nil, fmt.Errorf("export model: %d numbers for %d words of %d dimensions", len(p.Rows), rows, p.Dimensions)
	}
	file, err := p.Encode()
	if err != nil {
		return nil, fmt.Errorf("export model: %w", err)
	}
	at := bytes.LastIndex(file, p.Rows)
	if at < 0 {
		return nil, errors.New("export model: its file lacks its rows")
	}
	head, tail := file[:at], file[at+len(p.Rows):]
	v, err := vocabularyOf(p)
	if err != nil {
		return nil, fmt.Errorf("export model: %w", err)
	}
	var tensors strings.Builder
	err = safetensors.Write(&tensors, []safetensors.Tensor{
		{Name: "embeddings", DType: safetensors.I8, Shape: []int{rows, p.Dimensions}, Data: p.Rows},
		{Name: "weights", DType: safetensors.F32, Shape: []int{len(v.numbers)}, Data: v.weights},
		{Name: "mapping", DType: safetensors.I32, Shape: []int{len(v.numbers)}, Data: v.mapping},
		{Name: bagHead, DType: safetensors.I8, Shape: []int{len(head)}, Data: head},
		{Name: bagTail, DType: safetensors.I8, Shape: []int{len(tail)}, Data: tail},
	})
	if err != nil {
		return nil, fmt.Errorf("export model: %w", err)
	}
	files := map[string][]byte{"model.safetensors": []byte(tensors.String())}
	for name, content := range map[string]object{
		"config.json": {
			"model_type": "model2vec", "architectures": []string{"StaticModel"}, "hidden_dim": p.Dimensions, "seq_length": 1_000_000,
			"normalize": true, "embedding_dtype": "int8", "vocabulary_quantization": rows,
		},
		"tokenizer.json": tokenizerFile(v.numbers),
	} {
		if files[name], err = json.Marshal(content); err != nil {
			return nil, fmt.Errorf("export model: %w", err)
		}
	}
	return files, nil
}

// unknownToken is the token for what no other token stands for.
const unknownToken = "[UNK]"

// A vocabulary has the tokens of an exported model. mapping and weights have the row and the weight of each, as
// model2vec encodes them.
type vocabulary struct {
	numbers          map[string]int
	mapping, weights []byte
}

func (v *vocabulary) add(token string, row int, weight float32) {
	if _, ok := v.numbers[token]; ok {
		return
	}
	v.numbers[token] = len(v.numbers)
	v.mapping = binary.LittleEndian.AppendUint32(v.mapping, uint32(row))
	v.weights = binary.LittleEndian.AppendUint32(v.weights, math.Float32bits(weight))
}

// vocabularyOf returns the vocabulary of a bag of words: its words in the order of their rows, then other cases of them
// and single characters.
func vocabularyOf(p *bag.Parts) (*vocabulary, error) {
	v := &vocabulary{numbers: map[string]int{}}
	v.add(unknownToken, 0, 0)
	weight := p.Weights[len(p.Weights)-1] // those of the body of a text
	for i, word := range p.Words {
		v.add(word, i, weight[i])
		if len(v.numbers) != i+2 {
			return nil, fmt.Errorf("the word %q stands twice", word)
		}
	}
	for i, word := range p.Words {
		first, size := utf8.DecodeRuneInString(word)
		v.add(string(unicode.ToUpper(first))+word[size:], i, weight[i])
		v.add(strings.ToUpper(word), i, weight[i])
	}
	// WordPiece drops a whole word if no token continues it, so single characters are tokens with weight 0.
	for c := rune('0'); c <= 'z'; c++ {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			v.add(string(c), 0, 0)
		}
	}
	return v, nil
}

// An object is a value of JSON.
type object = map[string]any

// tokenizerFile returns the content of tokenizer.json, which splits identifiers and has the tokens.
func tokenizerFile(tokens map[string]int) object {
	split := func(pattern, behavior string) object {
		return object{"type": "Split", "pattern": object{"Regex": pattern}, "behavior": behavior, "invert": false}
	}
	return object{
		"version": "1.0", "truncation": nil, "padding": nil, "post_processor": nil, "decoder": nil,
		"added_tokens": []object{{"id": 0, "content": unknownToken, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}},
		"normalizer":   object{"type": "NFC"},
		"pre_tokenizer": object{"type": "Sequence", "pretokenizers": []object{
			split(`[^\p{L}\p{M}\p{N}]+`, "Removed"),
			split(`\p{N}+`, "Isolated"),
			split(`\p{Lu}?[\p{Ll}\p{M}]+`, "Isolated"),
		}},
		"model": object{"type": "WordPiece", "unk_token": unknownToken, "continuing_subword_prefix": "", "max_input_chars_per_word": 100, "vocab": tokens},
	}
}

// bagEmbedder is a neural bag of words from a folder.
type bagEmbedder struct {
	*builtin.Embedder
	model string
	dims  int
	card  provider.Card
}

func openBag(folder modelFolder, cfg provider.Config, tensors map[string]*safetensors.Tensor, digest [sha256.Size]byte) (provider.Embedder, error) {
	var file []byte
	for _, name := range []string{bagHead, "embeddings", bagTail} {
		if tensors[name] == nil {
			return nil, folder.fail("model.safetensors", fmt.Errorf("there is no tensor named %s", name))
		}
		file = append(file, tensors[name].Data...)
	}
	p, err := bag.Decode(file)
	if err != nil {
		return nil, folder.fail("model.safetensors", err)
	}
	if cfg.Dimensions != 0 && cfg.Dimensions != p.Dimensions {
		return nil, fmt.Errorf("model %q has %d dimensions, not %d", folder.path, p.Dimensions, cfg.Dimensions)
	}
	return &bagEmbedder{builtin.New(file), folderModel(Model2Vec, p.Dimensions, digest), p.Dimensions,
		provider.Card{Licence: folder.licence(), Text: fmt.Sprintf("The model %s of %d words, in %s.", p.Name, len(p.Words), folder.path)}}, nil
}

// Model implements Embedder.
func (e *bagEmbedder) Model() string { return e.model }

// Dimensions implements Embedder.
func (e *bagEmbedder) Dimensions() int { return e.dims }

// Card implements Embedder.
func (e *bagEmbedder) Card() provider.Card { return e.card }
