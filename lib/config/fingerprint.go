package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Fingerprint returns a digest of the settings that determine chunks and embeddings, and of the version of the
// commands. Each stage has an exact fingerprint of its own. This one tells the first stage, before the others have run,
// that an index was made with other settings.
func (c Config) Fingerprint(version string) string {
	h := sha256.New()
	e := c.Embedding
	fmt.Fprintf(h, "%q %+v %q %q %d %d", version, c.Chunking, e.Provider, e.Model, e.Dimensions, e.MaxTokens)
	if e.PassagePrefix != nil {
		fmt.Fprintf(h, " %q", *e.PassagePrefix)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
