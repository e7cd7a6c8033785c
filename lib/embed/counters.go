package embed

import (
	"sync/atomic"
)

type counters struct{ texts, tokens, requests, retries, cut atomic.Int64 }
