package mcp

import (
	"time"
)

// loads are the loads of an index manager in numbers.
type loads struct {
	// LoadedAt is when the index that answers was ready, in RFC 3339, and LoadMS what making it took.
	LoadedAt string  `json:"loaded_at"`
	LoadMS   float64 `json:"load_ms"`
	// Reloads counts the indexes that took the place of another; LongestMS is the longest that one took.
	Reloads   int     `json:"reloads"`
	LongestMS float64 `json:"longest_ms,omitempty"`
	// Failed counts the attempts that came to nothing, and Error is the last of them unless one has succeeded since.
	Failed int    `json:"failed,omitempty"`
	Error  string `json:"error,omitempty"`
	// started is when the last load began.
	started time.Time
}

// ready notes that an index is ready, in the place of another or not.
func (l *loads) ready(another bool) {
	now := time.Now()
	l.LoadedAt, l.LoadMS = now.UTC().Format(time.RFC3339), milliseconds(now.Sub(l.started))
	if another {
		l.Reloads++
		l.LongestMS = max(l.LongestMS, l.LoadMS)
	}
}

// over notes how a load ended.
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

// A backoff says when to try again what failed.
type backoff struct {
	wait time.Duration
	at   time.Time
}

// Bounds of the time between attempts.
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
