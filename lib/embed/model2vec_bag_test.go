package embed

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/model"
)

// exported writes the model in the commands as a folder of model2vec, after a change.
func exported(t *testing.T, change func(files map[string]string)) string {
	t.Helper()
	parts, err := bag.Decode(model.File)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := ExportModel2Vec(parts)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for name, data := range exported {
		files[name] = string(data)
	}
	change(files)
	dir := t.TempDir()
	writeFiles(t, dir, files)
	return dir
}

// bagTexts are passages and questions of every kind: code, prose, unknown words, no words.
func bagTexts(t *testing.T) []string {
	texts := []string{"", "\n", "zqxjkv 12345 XMLHttpRequest_v2 読み込み", "\xff\xfe", "how is the reader closed"}
	for _, s := range readSnippets(t) {
		texts = append(texts, s.title, s.title+"\n"+s.text)
	}
	return append(texts, potionTexts(t, 200)...)
}

func TestExportedModelGivesTheSameVectors(t *testing.T) {
	own := openTest(t, Config{Provider: "builtin"})
	e := openTest(t, Config{Provider: "model2vec", Model: exported(t, func(map[string]string) {})})
	if e.Dimensions() != own.Dimensions() || !strings.HasPrefix(e.Model(), "model2vec-") || !strings.Contains(e.Card().Text, own.Model()) {
		t.Error(e.Dimensions(), e.Model(), e.Card())
	}
	texts := bagTexts(t)
	for _, mode := range []Mode{Passage, Query} {
		want, err := own.Embed(context.Background(), mode, texts)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Embed(context.Background(), mode, texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if !slices.Equal(want[i], got[i]) {
				t.Errorf("mode %v: %.40q is off", mode, text)
			}
		}
	}
}

// TestExportedModelIsNearForOtherReaders reads the folder as one who does not know the keys of our own.
func TestExportedModelIsNearForOtherReaders(t *testing.T) {
	own := openTest(t, Config{Provider: "builtin"})
	e := openTest(t, Config{Provider: "model2vec", Model: exported(t, func(files map[string]string) {
		files["config.json"] = strings.Replace(files["config.json"], `"cortex"`, `"other"`, 1)
	})})
	least, sum := 1.0, 0.0
	texts := potionTexts(t, 200)
	for _, text := range texts {
		cosine := dot(embedOne(t, own, Passage, text), embedOne(t, e, Passage, text))
		least, sum = min(least, cosine), sum+cosine
	}
	t.Logf("cosine %.3f, at least %.3f", sum/float64(len(texts)), least)
	if mean := sum / float64(len(texts)); mean < 0.8 {
		t.Errorf("cosine of %.3f", mean)
	}
}

func TestExportRefuses(t *testing.T) {
	for name, p := range map[string]*bag.Parts{
		"nothing": {},
		"numbers": {Dimensions: 2, Words: []string{"a"}, Rows: make([]byte, 3)},
		"twice":   {Dimensions: 1, Words: []string{"a", "a"}, Rows: make([]byte, 2), Weights: [bag.Sides][]float32{make([]float32, 9), make([]float32, 9)}},
	} {
		if files, err := ExportModel2Vec(p); err == nil {
			t.Errorf("%s: %v", name, slices.Collect(maps.Keys(files)))
		}
	}
}

func TestBagInAFolderRefuses(t *testing.T) {
	replace := func(file, from, to string) string {
		return exported(t, func(files map[string]string) {
			if !strings.Contains(files[file], from) {
				t.Fatalf("%s lacks %s", file, from)
			}
			files[file] = strings.Replace(files[file], from, to, 1)
		})
	}
	for name, c := range map[string]struct {
		cfg  Config
		want string
	}{
		"another version": {Config{Model: replace("config.json", `"version":1`, `"version":2`)}, "cortex.bag has version 2, expected 1"},
		"no weights":      {Config{Model: replace("model.safetensors", `"cortex.weights"`, `"cortex.weighty"`)}, "expected tensors embeddings, of type I8, and cortex.weights"},
		"title":           {Config{Model: replace("config.json", `"title":`, `"title":9`)}, "model.safetensors: read model"},
		"dimensions":      {Config{Model: exported(t, func(map[string]string) {}), Dimensions: 128}, "has 256 dimensions, not 128"},
		"fewer tokens": {Config{Model: exported(t, func(files map[string]string) {
			files["tokenizer.json"] = `{"model":{"type":"WordPiece","vocab":{"[UNK]":0,"a":1}}}`
		})}, "do not fit"},
	} {
		c.cfg.Provider = "model2vec"
		if _, err := Open(context.Background(), c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
