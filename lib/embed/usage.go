package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"cortex/lib/embed/provider"
)

// Usage counts what an embedder has done.
type Usage struct {
	// Texts is the number of embedded texts, Cached the number of those from the cache.
	Texts, Cached int
	// Tokens is the number of tokens as the service counted them, Cost their cost at the price that the user has set.
	Tokens int
	Cost   float64
	// Requests is the number of requests, Retries the number of those that were repetitions.
	Requests, Retries int
	// Cut is the number of texts that were longer than the model reads.
	Cut int
}

// UsageOf returns what e has done; ok is false if e does not count, such as a model in this process.
func UsageOf(e provider.Embedder) (u Usage, ok bool) {
	switch e := e.(type) {
	case *remote:
		u = Usage{
			Texts: int(e.usage.texts.Load()), Tokens: int(e.usage.tokens.Load()), Cut: int(e.usage.cut.Load()),
			Requests: int(e.usage.requests.Load()), Retries: int(e.usage.retries.Load()),
		}
		u.Cost = float64(u.Tokens) / 1e6 * e.price
		return u, true
	case *prefixed:
		return UsageOf(e.Embedder)
	case *cached:
		u, _ = UsageOf(e.Embedder)
		u.Cached = int(e.hits.Load())
		u.Texts += u.Cached
		return u, true
	case *absent:
		return Usage{}, true
	}
	return Usage{}, false
}

// String describes the usage in one line.
func (u Usage) String() string {
	parts := []string{count(u.Texts, "text")}
	add := func(n int, format string, args ...any) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(u.Cached, "%d from the cache", u.Cached)
	add(u.Requests, "%s", count(u.Requests, "request"))
	add(u.Retries, "%d of them again", u.Retries)
	add(u.Tokens, "%s", count(u.Tokens, "token"))
	if u.Cost > 0 {
		parts = append(parts, fmt.Sprintf("cost %.4f", u.Cost))
	}
	add(u.Cut, "%d cut to what the model reads", u.Cut)
	return strings.Join(parts, ", ")
}

// A Meter measures the throughput of a run.
type Meter struct {
	embedder provider.Embedder
	begun    time.Time
}

// StartMeter returns a Meter that starts now.
func StartMeter(e provider.Embedder) Meter { return Meter{e, time.Now()} }

// Line describes the throughput so far and the usage of the embedder.
func (m Meter) Line(p Progress) string {
	line := fmt.Sprintf("%.0f chunks/s", float64(p.Chunks)/max(1e-3, time.Since(m.begun).Seconds()))
	if u, ok := UsageOf(m.embedder); ok {
		line += ", " + u.String()
	}
	return line
}

// Describe writes the table of providers, with a mark at the one that cfg selects, then the properties of e, which was
// opened with cfg. If card is set, the model's card follows.
func Describe(w io.Writer, e provider.Embedder, cfg provider.Config, card bool) error {
	var b strings.Builder
	table := providers()
	active := cmp.Or(cfg.Provider, table[0].name)
	b.WriteString("providers:\n")
	for i, p := range table {
		mark, note := ' ', ""
		if p.name == active {
			mark = '*'
		}
		if i == 0 {
			note = " (default)"
		}
		if p.remote {
			note = " (over the network)"
		}
		fmt.Fprintf(&b, "%c %-10s %s%s\n", mark, p.name, p.summary, note)
	}
	b.WriteByte('\n')
	line := func(name, format string, value any) {
		if value != "" && value != 0 {
			fmt.Fprintf(&b, "%-16s "+format+"\n", name+":", value)
		}
	}
	about := e.Card()
	line("provider", "%s", active)
	line("model", "%s", e.Model())
	line("dimensions", "%d", e.Dimensions())
	line("licence", "%s", about.Licence)
	line("endpoint", "%s", about.Endpoint)
	line("query prefix", "%q", about.QueryPrefix)
	line("passage prefix", "%q", about.PassagePrefix)
	line("tokens read", "%d", about.MaxTokens)
	if card {
		fmt.Fprintf(&b, "\n%s\n", cmp.Or(strings.TrimRight(about.Text, "\n"), "The provider knows no card of the model."))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Similarity returns the cosine of the embeddings of two texts, between -1 and 1.
func Similarity(ctx context.Context, e provider.Embedder, a, b string) (float64, error) {
	vectors, err := e.Embed(ctx, provider.Passage, []string{a, b})
	if err != nil {
		return 0, err
	}
	if len(vectors) != 2 || len(vectors[0]) != len(vectors[1]) {
		return 0, errors.New("embed two texts: expected two vectors of one length")
	}
	sum := 0.0
	for i, x := range vectors[0] {
		sum += float64(float64(x) * float64(vectors[1][i]))
	}
	return sum, nil
}
