package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"cortex/lib/embed/provider"
)

// A prefixed embedder puts a prefix before every text, as some models require.
//
// The prefix of passages affects the stored vectors, so the name of the model ends with a mark that identifies it.
type prefixed struct {
	provider.Embedder
	model          string
	query, passage string
}

// withPrefixes applies the prefixes that cfg sets, or else those of the model's card.
func withPrefixes(e provider.Embedder, cfg provider.Config) provider.Embedder {
	card := e.Card()
	query, passage := card.QueryPrefix, card.PassagePrefix
	if cfg.QueryPrefix != nil {
		query = *cfg.QueryPrefix
	}
	if cfg.PassagePrefix != nil {
		passage = *cfg.PassagePrefix
	}
	if query == "" && passage == "" {
		return e
	}
	return &prefixed{Embedder: e, model: e.Model() + prefixMark(passage), query: query, passage: passage}
}

// asModel gives an embedder of questions the model name that the store has. The mark of the passage prefix in the name
// does not matter for questions.
func asModel(e provider.Embedder, model string) provider.Embedder {
	if e.Model() == model {
		return e
	}
	if p, ok := e.(*prefixed); ok {
		p.model = model
		return p
	}
	return &prefixed{Embedder: e, model: model}
}

// prefixMarkLength is the length of a mark: a plus sign and hexadecimal digits.
const prefixMarkLength = 9

func prefixMark(prefix string) string {
	if prefix == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(prefix))
	return "+" + hex.EncodeToString(sum[:])[:prefixMarkLength-1]
}

// cutPrefixMark splits the mark off the name of a model.
func cutPrefixMark(model string) (name, mark string) {
	at := len(model) - prefixMarkLength
	if at <= 0 || model[at] != '+' || strings.Trim(model[at+1:], "0123456789abcdef") != "" {
		return model, ""
	}
	return model[:at], model[at:]
}

// Model implements Embedder.
func (p *prefixed) Model() string { return p.model }

// Card implements Embedder. The card has the prefixes in use.
func (p *prefixed) Card() provider.Card {
	card := p.Embedder.Card()
	card.QueryPrefix, card.PassagePrefix = p.query, p.passage
	return card
}

// Embed implements Embedder.
func (p *prefixed) Embed(ctx context.Context, mode provider.Mode, texts []string) ([][]float32, error) {
	prefix := p.passage
	if mode == provider.Query {
		prefix = p.query
	}
	if prefix != "" {
		longer := make([]string, len(texts))
		for i, text := range texts {
			longer[i] = prefix + text
		}
		texts = longer
	}
	return p.Embedder.Embed(ctx, mode, texts)
}

// knownPrefixes returns the prefixes that the cards of well-known models ask for. The first entry whose part occurs in
// the model's name applies.
func knownPrefixes(model string) (query, passage string) {
	const (
		sentence = "Represent this sentence for searching relevant passages: "
		instruct = "Instruct: Given a search query, retrieve relevant passages that answer the query\nQuery: "
	)
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, known := range []struct{ part, query, passage string }{
		{"nomic-embed-code", "Represent this query for searching relevant code: ", ""},
		{"nomic-embed", "search_query: ", "search_document: "},
		{"mxbai-embed", sentence, ""},
		{"bge-small-en", sentence, ""},
		{"bge-base-en", sentence, ""},
		{"bge-large-zh", "", ""},
		{"bge-large", sentence, ""},
		{"snowflake-arctic-embed2", "query: ", ""},
		{"snowflake-arctic-embed-l-v2", "query: ", ""},
		{"snowflake-arctic-embed-m-v2", "query: ", ""},
		{"snowflake-arctic-embed", sentence, ""},
		{"e5-mistral", instruct, ""},
		{"e5-large-instruct", instruct, ""},
		{"e5-", "query: ", "passage: "},
		{"embeddinggemma", "task: search result | query: ", "title: none | text: "},
		{"qwen3-embedding", instruct, ""},
	} {
		if strings.Contains(name, known.part) {
			return known.query, known.passage
		}
	}
	return "", ""
}
