package lending

import (
	"context"
	"errors"
	"testing"

	"cortex/lib/embed"
)

// A countedEmbedder counts what is asked of it, and how often it is opened and closed.
type countedEmbedder struct {
	embed.Embedder
	opened, asked, closed int
}

func (c *countedEmbedder) Embed(_ context.Context, _ embed.Mode, texts []string) ([][]float32, error) {
	c.asked++
	return make([][]float32, len(texts)), nil
}

func (c *countedEmbedder) Close() error {
	c.closed++
	return nil
}

func TestIndexesShareAnEmbedder(t *testing.T) {
	c := &countedEmbedder{}
	s := New()
	s.Context = t.Context()
	s.open = func(context.Context, string, embed.Config) (embed.Embedder, error) {
		c.opened++
		return c, nil
	}
	prefix, same, other := "query: ", "query: ", "ask: "
	lend := func(model string, cfg embed.Config) embed.Embedder {
		t.Helper()
		e, err := s.Lend(model, cfg)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	first := lend("a", embed.Config{QueryPrefix: &prefix})
	second := lend("a", embed.Config{QueryPrefix: &same})
	if c.opened != 1 {
		t.Errorf("opened %d times", c.opened)
	}
	for _, e := range []embed.Embedder{first, second, first} {
		if _, err := e.Embed(t.Context(), embed.Passage, []string{"a text"}); err != nil {
			t.Error(err)
		}
	}
	if c.asked != 3 {
		t.Errorf("passages were asked for %d times", c.asked)
	}
	for _, close := range []func() error{first.Close, first.Close} {
		if err := close(); err != nil || c.closed != 0 {
			t.Errorf("closed while another index has it: %v", err)
		}
	}
	if err := second.Close(); err != nil || c.closed != 1 {
		t.Errorf("closed %d times at the end: %v", c.closed, err)
	}
	for _, e := range []embed.Embedder{lend("a", embed.Config{}), lend("b", embed.Config{}), lend("a", embed.Config{QueryPrefix: &other})} {
		defer e.Close()
	}
	if c.opened != 4 {
		t.Errorf("opened %d times, want one for each model and setting, and one after the end", c.opened)
	}
	s.open = func(context.Context, string, embed.Config) (embed.Embedder, error) {
		return nil, errors.New("no service")
	}
	if _, err := s.Lend("c", embed.Config{}); err == nil {
		t.Error("no error")
	}
}

// TestAQuestionIsEmbeddedOnce embeds one question for several repositories.
func TestAQuestionIsEmbeddedOnce(t *testing.T) {
	asked := 0
	s := New()
	s.Context = t.Context()
	s.open = func(ctx context.Context, _ string, cfg embed.Config) (embed.Embedder, error) {
		e, err := embed.Open(ctx, cfg)
		return &asking{e, &asked}, err
	}
	var vectors [][]float32
	for range 3 {
		e, err := s.Lend("a", embed.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		v, err := e.Embed(t.Context(), embed.Query, []string{"where are sessions removed"})
		if err != nil {
			t.Fatal(err)
		}
		vectors = append(vectors, v[0])
	}
	if asked != 1 || vectors[0][3] != vectors[2][3] || &vectors[1][0] == &vectors[2][0] {
		t.Errorf("asked %d times", asked)
	}
}

type asking struct {
	embed.Embedder
	asked *int
}

func (a *asking) Embed(ctx context.Context, mode embed.Mode, texts []string) ([][]float32, error) {
	*a.asked++
	return a.Embedder.Embed(ctx, mode, texts)
}
