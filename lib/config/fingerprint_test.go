package config

import "testing"

// The fingerprint changes with settings that determine the index, and with no others.
func TestFingerprint(t *testing.T) {
	text := "passage: "
	for name, change := range map[string]func(c *Config){
		"strategies": func(c *Config) { c.Chunking.Strategies = []string{"symbols"} },
		"size":       func(c *Config) { c.Chunking.CodeChunkSize++ },
		"overlap":    func(c *Config) { c.Chunking.Overlap++ },
		"provider":   func(c *Config) { c.Embedding.Provider = "other" },
		"model":      func(c *Config) { c.Embedding.Model = "other" },
		"dimensions": func(c *Config) { c.Embedding.Dimensions++ },
		"tokens":     func(c *Config) { c.Embedding.MaxTokens++ },
		"prefix":     func(c *Config) { c.Embedding.PassagePrefix = &text },
	} {
		var c Config
		before := c.Fingerprint("1")
		if change(&c); c.Fingerprint("1") == before {
			t.Errorf("%s: the fingerprint stays", name)
		}
	}
	var c Config
	before := c.Fingerprint("1")
	c.Embedding.Endpoint, c.Embedding.BatchSize, c.Embedding.QueryPrefix = "http://localhost", 7, &text
	c.Search.FuzzyDistance, c.Paths.Ignore = 2, []string{"x"}
	if c.Fingerprint("1") != before {
		t.Error("the fingerprint changes with what does not shape the index")
	}
	if c.Fingerprint("2") == before {
		t.Error("the fingerprint stays with another version")
	}
}

// TestIndexingChangesWithSettings reads the settings twice: what is the same in both is no change.
func TestIndexingChangesWithSettings(t *testing.T) {
	root, l := t.TempDir(), &Loader{}
	prefix := "CORTEX_EMBEDDING_PASSAGE_PREFIX="
	was := l.Indexing(root, []string{prefix + "passage: "})
	if again := l.Indexing(root, []string{prefix + "passage: "}); was == "" || again != was {
		t.Errorf("%q, then %q", was, again)
	}
	for _, changed := range []string{prefix + "text: ", "CORTEX_CHUNKING_OVERLAP=7", "CORTEX_PATHS_SECRETS=true"} {
		if now := l.Indexing(root, []string{changed}); now == "" || now == was {
			t.Errorf("%s: %q", changed, now)
		}
	}
	if now := l.Indexing(root, []string{"CORTEX_CHUNKING_OVERLAP=x"}); now != "" {
		t.Errorf("invalid: %q", now)
	}
}
