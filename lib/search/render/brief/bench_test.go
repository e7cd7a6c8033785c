package brief_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/render/brief"
)

// BenchmarkAnswer measures what an answer in text takes besides the search. "share" asks twelve questions and compares a search that makes its tenth hit alone with
// making the other hits and the text of all; the times are medians; that of the hits is the median difference between the two searches. CORTEX_BENCH_STORE names the folder of a store.
func BenchmarkAnswer(b *testing.B) {
	dir := os.Getenv("CORTEX_BENCH_STORE")
	if dir == "" {
		b.Skip("no CORTEX_BENCH_STORE")
	}
	open := func(model string) (embed.Embedder, error) { return embed.OpenModel(b.Context(), model, embed.Config{}) }
	x, err := search.Open(b.Context(), dir, open, search.Settings{}, search.Making{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	if err := x.Warm(b.Context()); err != nil {
		b.Fatal(err)
	}
	questions := []string{
		"how are requests read from a connection", "where is the configuration parsed", "retry a failed operation after a delay", "convert an object to JSON",
		"check that a value is in a range", "remove items that have expired", "report an error with its position", "run tasks in parallel and wait for all",
		"compare two versions", "write a log message to a file", "split text into words", "close everything when the program ends",
	}
	const limit = 10
	asked := 0
	ask := func(number, offset, limit int) *answer.Response {
		// Answers and embeddings are kept, so no request is made twice: each has another least score, too small to leave anything out, and other blanks, as many
		// for all.
		asked++
		least := float64(asked) * 1e-12
		blanks := strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%020b", asked))
		question := strings.Replace(questions[number], " ", blanks, 1)
		r, err := x.Search(b.Context(), answer.Request{Queries: []string{question}, Limit: limit, Offset: offset, Lines: true, ByFile: true, MinScore: &least})
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	b.Run("share", func(b *testing.B) {
		var search, hits, text []time.Duration
		for b.Loop() {
			for i := range questions {
				alone := func() time.Duration {
					start := time.Now()
					ask(i, limit-1, 1)
					return time.Since(start)
				}
				var before time.Duration
				first := len(search)%2 == 0 // since the second one finds memory that is read
				if first {
					before = alone()
				}
				start := time.Now()
				r := ask(i, 0, limit)
				all := time.Since(start)
				start = time.Now()
				brief.Text(r, brief.DefaultTokens, brief.Arguments)
				text = append(text, time.Since(start))
				if !first {
					before = alone()
				}
				search, hits = append(search, before), append(hits, all-before)
			}
		}
		median := func(list []time.Duration) float64 {
			slices.Sort(list)
			return float64(list[len(list)/2].Microseconds())
		}
		s, h, t := median(search), median(hits), median(text)
		b.ReportMetric(s, "search-us")
		b.ReportMetric(h, "hits-us")
		b.ReportMetric(t, "text-us")
		b.ReportMetric((h+t)/s, "answer/search")
	})
	b.Run("text", func(b *testing.B) {
		responses := make([]*answer.Response, len(questions))
		for i := range responses {
			responses[i] = ask(i, 0, limit)
		}
		for b.Loop() {
			for _, r := range responses {
				brief.Text(r, brief.DefaultTokens, brief.Arguments)
			}
		}
	})
}
