package embed

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/huggingface"
	"cortex/lib/embed/model"
	"cortex/lib/embed/provider"
)

// exported writes the model in the commands as a folder of model2vec, after a change.
func exported(t *testing.T, change func(files map[string]string)) string {
	t.Helper()
	parts, err := bag.Decode(model.File)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := huggingface.ExportModel2Vec(parts)
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
	if testing.Short() {
		t.Skip("writes a model")
	}
	own := openTest(t, provider.Config{Provider: "builtin"})
	e := openTest(t, provider.Config{Provider: "model2vec", Model: exported(t, func(map[string]string) {})})
	if e.Dimensions() != own.Dimensions() || !strings.HasPrefix(e.Model(), "model2vec-") || !strings.Contains(e.Card().Text, own.Model()) {
		t.Error(e.Dimensions(), e.Model(), e.Card())
	}
	texts := bagTexts(t)
	for _, mode := range []provider.Mode{provider.Passage, provider.Query} {
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

// TestExportedModelIsNearForOtherReaders reads the folder without the tensors that only Cortex knows.
func TestExportedModelIsNearForOtherReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a model")
	}
	own := openTest(t, provider.Config{Provider: "builtin"})
	e := openTest(t, provider.Config{Provider: "model2vec", Model: exported(t, func(files map[string]string) {
		files["model.safetensors"] = strings.Replace(files["model.safetensors"], `"cortex.head"`, `"another.one"`, 1)
	})})
	least, sum := 1.0, 0.0
	texts := potionTexts(t, 200)
	for _, text := range texts {
		cosine := dot(embedOne(t, own, provider.Passage, text), embedOne(t, e, provider.Passage, text))
		least, sum = min(least, cosine), sum+cosine
	}
	t.Logf("cosine %.3f, at least %.3f", sum/float64(len(texts)), least)
	if mean := sum / float64(len(texts)); mean < 0.8 {
		t.Errorf("cosine of %.3f", mean)
	}
}

func TestExportRefuses(t *testing.T) {
	twice, err := bag.Decode(model.File)
	if err != nil {
		t.Fatal(err)
	}
	twice.Words = slices.Clone(twice.Words)
	twice.Words[1] = twice.Words[0]
	for name, p := range map[string]*bag.Parts{
		"nothing": {},
		"twice":   twice,
		"numbers": {Dimensions: 2, Words: []string{"a"}, Rows: make([]byte, 3)},
	} {
		if files, err := huggingface.ExportModel2Vec(p); err == nil {
			t.Errorf("%s: %v", name, slices.Collect(maps.Keys(files)))
		}
	}
}

func TestBagInAFolderRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("writes models")
	}
	replace := func(from, to string) string {
		return exported(t, func(files map[string]string) {
			if !strings.Contains(files["model.safetensors"], from) {
				t.Fatalf("the file lacks %s", from)
			}
			files["model.safetensors"] = strings.Replace(files["model.safetensors"], from, to, 1)
		})
	}
	for name, c := range map[string]struct {
		cfg  provider.Config
		want string
	}{
		"no tail":         {provider.Config{Model: replace(`"cortex.tail"`, `"cortex.tale"`)}, "there is no tensor named cortex.tail"},
		"another version": {provider.Config{Model: replace("cxbag\x00\x00", "cxbag\x00\x01")}, "model.safetensors: read model"},
		"dimensions":      {provider.Config{Model: exported(t, func(map[string]string) {}), Dimensions: 128}, "has 256 dimensions, not 128"},
	} {
		c.cfg.Provider = "model2vec"
		if _, err := Open(context.Background(), c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
