package mcp

import (
	"time"
)

// loads are statistics about an index manager's loads.
type loads struct {
	// LoadedAt is when the current index was ready, in RFC 3339. LoadMS is how long its load took.
	LoadedAt string  `json:"loaded_at"`
	LoadMS   float64 `json:"load_ms"`
	// Reloads counts the loads that replaced an index. LongestMS is the time of the slowest of them.
	Reloads   int     `json:"reloads"`
	LongestMS float64 `json:"longest_ms,omitempty"`
	// Failed counts the failed loads. Error is the error of the last load, "" if it succeeded.
	Failed int    `json:"failed,omitempty"`
	Error  string `json:"error,omitempty"`
	// started is when the last load began.
	started time.Time
}

// ready records that an index is ready; another says whether it replaces one.
func (l *loads) ready(another bool) {
	now := time.Now()
	l.LoadedAt, l.LoadMS = now.UTC().Format(time.RFC3339), milliseconds(now.Sub(l.started))
	if another {
		l.Reloads++
		l.LongestMS = max(l.LongestMS, l.LoadMS)
	}
}

// over records how a load ended.
func (l *loads) over(err error) {
	l.Error = ""
	if err != nil {
		l.Failed++
		l.Error = explain(err)
	}
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond).Microseconds()) / 1000
}

// A backoff says when to retry a failed load.
type backoff struct {
	wait time.Duration
	at   time.Time
}

// Bounds of the time between two attempts.
const (
	firstRetry = time.Second
	lastRetry  = time.Minute
)

func (b *backoff) after(err error) {
	if err == nil {
		*b = backoff{}
		return
	}
	b.wait = min(max(2*b.wait, firstRetry), lastRetry)
	b.at = time.Now().Add(b.wait)
}

func (b *backoff) due() bool { return b.wait > 0 && time.Now().After(b.at) }
