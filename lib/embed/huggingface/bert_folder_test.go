package huggingface

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestBERTFolder(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  bertFolder
		err   string
	}{
		"nothing": {nil, bertFolder{maxTokens: 512, pooling: poolMean}, ""},
		"as BGE has it": {map[string]string{
			"config.json":                       `{"max_position_embeddings":512,"_name_or_path":"/root/.cache/BAAI_bge-small-en/"}`,
			"sentence_bert_config.json":         `{"max_seq_length":256,"do_lower_case":true}`,
			"1_Pooling/config.json":             `{"word_embedding_dimension":384,"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false}`,
			"modules.json":                      `[{"idx":0,"type":"sentence_transformers.models.Transformer"},{"type":"sentence_transformers.models.Pooling"},{"type":"sentence_transformers.models.Normalize"}]`,
			"config_sentence_transformers.json": `{"__version__":{}}`,
		}, bertFolder{256, poolFirst, "Represent this sentence for searching relevant passages: ", ""}, ""},
		"prompts": {map[string]string{
			"config.json":                       `{"_name_or_path":"intfloat/e5-small-v2"}`,
			"config_sentence_transformers.json": `{"prompts":{"query":"Q: ","document":"D: "}}`,
		}, bertFolder{512, poolMean, "Q: ", "D: "}, ""},
		"E5":             {map[string]string{"config.json": `{"_name_or_path":"intfloat/multilingual-e5-small"}`}, bertFolder{512, poolMean, "query: ", "passage: "}, ""},
		"long":           {map[string]string{"sentence_bert_config.json": `{"max_seq_length":999999}`}, bertFolder{maxTokens: 8192, pooling: poolMean}, ""},
		"positions":      {map[string]string{"config.json": `{"max_position_embeddings":128}`, "sentence_bert_config.json": `{"max_seq_length":999}`}, bertFolder{maxTokens: 128, pooling: poolMean}, ""},
		"max":            {map[string]string{"1_Pooling/config.json": `{"pooling_mode_max_tokens":true,"include_prompt":true}`}, bertFolder{maxTokens: 512, pooling: poolMax}, ""},
		"last":           {map[string]string{"1_Pooling/config.json": `{"pooling_mode_lasttoken":true}`}, bertFolder{maxTokens: 512, pooling: poolLast}, ""},
		"two modes":      {map[string]string{"1_Pooling/config.json": `{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":true}`}, bertFolder{}, "1_Pooling/config.json: more than one pooling mode"},
		"weighted":       {map[string]string{"1_Pooling/config.json": `{"pooling_mode_weightedmean_tokens":true}`}, bertFolder{}, "pooling_mode_weightedmean_tokens is not supported"},
		"a layer more":   {map[string]string{"modules.json": `[{"type":"sentence_transformers.models.Dense"}]`}, bertFolder{}, `modules.json: module "sentence_transformers.models.Dense" is not supported`},
		"no JSON":        {map[string]string{"config.json": `{`}, bertFolder{}, "config.json: unexpected end"},
		"without tokens": {map[string]string{"sentence_bert_config.json": `{"max_seq_length":-1}`}, bertFolder{}, "max_seq_length is -1"},
	} {
		dir := t.TempDir()
		for path, text := range c.files {
			path = filepath.Join(dir, path)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := readBERTFolder(modelFolder{"bert", dir})
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", name, err, c.err)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s: %+v, want %+v; %v", name, got, c.want, err)
		}
	}
}

func TestPrefixesOfModels(t *testing.T) {
	const bge = "Represent this sentence for searching relevant passages: "
	for path, want := range map[string]string{
		"/models/bge-small-en-v1.5": bge,
		"/models/bge-m3":            "",
		"/home/e5-base/minilm":      "",
		"/models/e5-base-v2":        "query: ",
		"/hub/models--BAAI--bge-base-en-v1.5/snapshots/a5beb1e3e68b9ab74eb54cfd186867f64f240e1a": bge,
		"/models/multilingual-e5-large-instruct":                                                 "",
		"/models/nomic-embed-text-v1.5":                                                          "search_query: ",
		"/models/all-MiniLM-L6-v2":                                                               "",
	} {
		if got, _ := prefixesOf(path, ""); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestPooling(t *testing.T) {
	rows := []float32{1, -2, 3, -4, 8, 0, 100, 100}
	for p, want := range map[pooling][]float32{poolMean: {4, -2}, poolFirst: {1, -2}, poolLast: {8, 0}, poolMax: {8, 0}} {
		if got := p.pool(rows, 2, 3); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", p, got, want)
		}
	}
}
