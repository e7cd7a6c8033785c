package show_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/show"
)

// BenchmarkAnswer measures what an answer in text takes besides the search: the hits without their lines, with them, and the text of them. It wants the folder of
// a store in CORTEX_BENCH_STORE.
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
	asked := 0
	ask := func(lines bool) *answer.Response {
		// No question is asked twice, since answers are kept. None has a digit, which a message may have that is looked for in texts.
		asked++
		number := strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, strconv.Itoa(asked))
		question := fmt.Sprintf("how are %s requests read from a connection", number)
		r, err := x.Search(b.Context(), answer.Request{Queries: []string{question}, Limit: 10, Lines: lines, ByFile: true})
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			ask(false)
		}
	})
	b.Run("search-with-lines", func(b *testing.B) {
		for b.Loop() {
			ask(true)
		}
	})
	b.Run("text", func(b *testing.B) {
		r := ask(true)
		for b.Loop() {
			show.Text(r, show.DefaultTokens)
		}
	})
}
