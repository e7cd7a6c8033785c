package page_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"runtime"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/graph/stored"
	"cortex/lib/page"
	"cortex/lib/search"
	"cortex/lib/store"
)

// briefly lends an index that is closed as soon as it is given back, as one is that a newer one has replaced.
type briefly struct {
	t   *testing.T
	dir string
}

func (b briefly) Repositories() []string { return nil }

func (b briefly) Ask(ctx context.Context, _ string, question func(context.Context, *page.OpenIndex) error) (func(), error) {
	var embedder embed.Embedder
	x, err := search.Open(ctx, filepath.Join(b.dir, store.Dir), func(string) (_ embed.Embedder, err error) {
		embedder, err = embed.Open(ctx, embed.Config{})
		return embedder, err
	}, search.Settings{}, search.Making{Jobs: 1}, nil)
	if err != nil {
		return nil, err
	}
	g, err := stored.Open(ctx, filepath.Join(b.dir, store.Dir), x.Store(), stored.Options{Jobs: 1})
	if err != nil {
		return nil, err
	}
	giveBack := func() {
		g.Close()
		x.Close()
		embedder.Close()
	}
	if err := question(ctx, &page.OpenIndex{Root: b.dir, Store: filepath.Join(b.dir, store.Dir), Index: x, Search: x.Search, Query: g.Query}); err != nil {
		giveBack()
		return nil, err
	}
	return giveBack, nil
}

// TestPageIsWrittenBeforeItsIndexIsGivenBack: a page that used the text of a closed index would crash the process.
func TestPageIsWrittenBeforeItsIndexIsGivenBack(t *testing.T) {
	dir := repository(t, tree())
	pages := http.NewServeMux()
	for pattern, h := range page.New(page.Options{Indexes: briefly{t, dir}, Report: func(err error) { t.Error(err) }}).Handlers() {
		pages.Handle(pattern, h)
	}
	for range 2 { // colours are kept from one page to the next
		for at, wanted := range map[string]string{
			"/?q=" + url.QueryEscape("how is an order filled"):              "nothing left in the warehouse",
			"/?kind=exact&q=warehouse":                                      "nothing left in the warehouse",
			"/file?path=shop/order.go&q=warehouse":                          "ErrNoStock says",
			"/relations?of=" + url.QueryEscape("shop/order.go#Order.Place"): "TestPlace",
			"/status": "up to date",
		} {
			w := httptest.NewRecorder()
			pages.ServeHTTP(w, httptest.NewRequest("GET", at, nil))
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d\n%s", at, w.Code, w.Body)
			}
			has(t, w.Body.String(), wanted)
			runtime.GC()
		}
	}
}
