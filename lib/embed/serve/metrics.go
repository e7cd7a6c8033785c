package serve

import (
	"sync/atomic"

	"cortex/lib/listen"
)

// metrics counts requests, texts and tokens.
type metrics struct {
	listen.Metrics
	texts, tokens atomic.Int64
}

func (m *metrics) embedded(texts, tokens int) {
	m.texts.Add(int64(texts))
	m.tokens.Add(int64(tokens))
}
