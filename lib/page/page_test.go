package page_test

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/derived/derivedtest"
	"cortex/lib/embed"
	"cortex/lib/embed/builtin"
	"cortex/lib/mcp"
	"cortex/lib/page/highlight"
	"cortex/lib/parse"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

func TestMain(m *testing.M) { derivedtest.Main(m) }

// tree has the files of a small project: code, a test, a document, and hostile files.
func tree() map[string]string {
	return map[string]string{
		"shop/order.go": `package shop

import "errors"

// ErrNoStock says that an order cannot be filled.
var ErrNoStock = errors.New("nothing left in the warehouse")

// A Payer takes money.
type Payer interface {
	Pay(cents int) error
}

// An Order is what a customer wants.
type Order struct{ Lines []string }

// Place fills the order and takes the money.
func (o *Order) Place(p Payer) error {
	if len(o.Lines) == 0 {
		return ErrNoStock
	}
	return p.Pay(total(o.Lines))
}

// total adds up the prices.
func total(lines []string) int { return 100 * len(lines) }
`,
		"shop/card.go": `package shop

// A Card pays by credit card.
type Card struct{ Number string }

// Pay implements Payer.
func (c *Card) Pay(cents int) error { return nil }
`,
		"shop/order_test.go": `package shop

import "testing"

func TestPlace(t *testing.T) {
	if err := (&Order{}).Place(&Card{}); err == nil {
		t.Error("an empty order was placed")
	}
}
`,
		"cmd/main.go": `package main

import "example.com/shop/shop"

func main() { checkout() }

func checkout() {
	if err := (&shop.Order{}).Place(&shop.Card{}); err != nil {
		panic(err)
	}
}
`,
		"go.mod": "module example.com/shop\n\ngo 1.26\n",
		"docs/orders.md": `---
title: Orders
---
# Orders

An order is placed by a customer, who pays by credit card. See [payments](#how-payments-work) and [the code](../shop/order.go).

## How payments work

The money is taken before the parcel leaves the warehouse.

| step | who |
|:-----|----:|
| pay  | customer |

` + "```go\nfunc pay() {}\n```\n",
		"evil/<img src=x onerror=alert(1)>.go": "package evil\n\n// <script>alert('code')</script>\nfunc Gotcha() string { return \"</code><script>alert(2)</script>\" }\n",
		"evil/hostile.md": `# <script>alert("title")</script> Trap

<script>alert("block")</script>

A [link](javascript:alert(1)), [data](data:text/html,<script>alert(1)</script>), [up](../../../etc/passwd), ![picture](https://example.com/track.png)
and <b onclick="alert(1)">inline</b>. <https://example.com/"onmouseover="alert(1)>

` + "```\"><script>alert(3)</script>\n</pre><script>alert(4)</script>\n```\n",
		"evil/bidi.go": "package evil\n\n// \u202e reversed \u2066 text\nfunc Hidden() {}\n",
	}
}

// write makes files below root.
func write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// index builds the index of root as the commands do. edits are pairs of old and new text to replace in the store's
// input.
func index(t testing.TB, root string, edits ...string) {
	t.Helper()
	ctx := context.Background()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	embedder, err := embed.Open(ctx, embed.Config{})
	check(err)
	defer embedder.Close()
	var files, chunks, embedded bytes.Buffer
	w := jsonl.NewWriter(&files)
	check(parse.Run(ctx, w, parse.Options{Source: source.Options{Root: root}, Jobs: 2}))
	check(w.Flush())
	w = jsonl.NewWriter(&chunks)
	check(chunk.Run(ctx, jsonl.NewReader(&files, "files"), w, chunk.Options{Jobs: 2}))
	check(w.Flush())
	w = jsonl.NewWriter(&embedded)
	check(embed.Run(ctx, jsonl.NewReader(&chunks, "chunks"), w, embedder, embed.Options{Jobs: 2}))
	check(w.Flush())
	check(update.Run(ctx, jsonl.NewReader(strings.NewReader(strings.NewReplacer(edits...).Replace(embedded.String())), "embedded"), update.Options{Dir: filepath.Join(root, store.Dir), Jobs: 2}))
}

// repository makes a project with its index.
func repository(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	write(t, root, files)
	index(t, root)
	return root
}

// serve serves the repositories until the test ends, and returns the address of the pages.
func serve(t testing.TB, token string, roots ...string) string {
	t.Helper()
	opts := mcp.Options{
		Embedding: func(string) (embed.Config, error) { return embed.Config{}, nil },
		Sources:   func(root string) (source.Options, error) { return source.Options{Root: root}, nil },
		Version:   "1.2.3",
		Report:    func(err error) { t.Errorf("reported: %v", err) },
		Warn:      t.Logf,
	}
	for i, root := range roots {
		r := mcp.Repository{Root: func() string { return root }}
		if len(roots) > 1 {
			r.Name = fmt.Sprintf("repo%d", i+1)
		}
		opts.Repositories = append(opts.Repositories, r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		done <- mcp.ServeHTTP(ctx, mcp.Web{Address: "127.0.0.1:0", Token: token, Ready: func(url string) { ready <- url }}, opts)
	}()
	t.Cleanup(sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	}))
	select {
	case url := <-ready:
		return strings.TrimSuffix(url, "/mcp")
	case err := <-done:
		done <- err
		t.Fatalf("serve: %v", err)
		return ""
	}
}

// get asks for a page.
func get(t testing.TB, at string, change ...func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest("GET", at, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range change {
		c(r)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// ok gets a page that must exist.
func ok(t testing.TB, at string) string {
	t.Helper()
	answer, body := get(t, at)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s\n%s", at, answer.Status, body)
	}
	return body
}

// text returns the text of a page as a reader sees it.
func text(page string) string {
	page = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " ")
	page = strings.NewReplacer("&#43;", "+", "&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">", "&amp;", "&", "\u00a0", " ").Replace(page)
	return strings.Join(strings.Fields(page), " ")
}

func has(t *testing.T, page string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(page, w) && !strings.Contains(text(page), w) {
			t.Errorf("no %q in\n%s", w, text(page))
		}
	}
}

func hasNot(t *testing.T, page string, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(page, w) {
			t.Errorf("%q in\n%s", w, page)
		}
	}
}

func TestSearchTellsKindsApart(t *testing.T) {
	base := serve(t, "", repository(t, tree()))
	for _, test := range []struct {
		query  string
		kind   string
		wanted []string
	}{
		{"how does a customer pay", "question", []string{"docs/ orders.md", "How payments work", "Why is this here?", "best first"}},
		{`"nothing left"`, "exact", []string{"shop/ order.go", "1 match", "ErrNoStock"}},
		{"Order.Place", "symbol", []string{"method", "Order.Place", "1 match"}},
		{"checkO*", "symbol", []string{"checkout"}},
		{"shop.Card", "symbol", []string{"struct Card", "2 matches"}},
		{"warehouse NOT path:docs", "exact", []string{"1 match"}},
		{"ErrNoStock.Error", "exact", []string{"Nothing found"}},
		{"TestPlace", "symbol", []string{"test", "order_test.go"}},
	} {
		page := ok(t, base+"/?q="+url.QueryEscape(test.query))
		has(t, page, `data-told="`+test.kind+`"`)
		has(t, page, test.wanted...)
	}
	has(t, ok(t, base+"/?q=customer&kind=symbol"), "Nothing found", "Search instead for")
	has(t, ok(t, base+"/?q=warehouse&kind=exact"), "2 matches")
	has(t, ok(t, base+"/?q="+url.QueryEscape(`path:(a`)), "The query is not understood")
}

var counted = regexp.MustCompile(`<li><a href="([^"]+)"><span>([^<]*)</span> <b>([0-9,]+)</b>`)

// TestCountsAreRight follows each filter and compares the counts.
func TestCountsAreRight(t *testing.T) {
	files := tree()
	for i := range 30 {
		files[fmt.Sprintf("many/f%d.go", i)] = fmt.Sprintf("package many\n\n// Warehouse%d keeps goods.\nfunc Warehouse%d() {}\n", i, i)
	}
	base := serve(t, "", repository(t, files))
	filters := 0
	for _, start := range []string{"/?q=warehouse&kind=exact", "/?q=pay*&kind=exact", "/?q=where+is+the+warehouse&kind=question"} {
		type visited struct{ at, page string }
		queue, seen := []visited{{start, ok(t, base+start)}}, map[string]bool{}
		for depth := 0; len(queue) > 0 && depth < 40; depth++ {
			at, page := queue[0].at, queue[0].page
			queue = queue[1:]
			for _, m := range counted.FindAllStringSubmatch(page, -1) {
				to := html.UnescapeString(m[1])
				if seen[to] {
					continue
				}
				seen[to] = true
				found := ok(t, base+to)
				queue = append(queue, visited{to, found})
				if strings.Contains(start, "question") {
					continue // of a question the best are counted: see the heading
				}
				filters++
				if heading := regexp.MustCompile(`<h2>([0-9,]+) match`).FindStringSubmatch(found); heading == nil || heading[1] != m[3] {
					t.Errorf("%s: %s %s, found %v", at, m[2], m[3], heading)
				}
			}
		}
	}
	if filters < 20 {
		t.Errorf("%d filters", filters)
	}
	// For a question, only places that are shown count.
	page := ok(t, base+"/?q=where+is+the+warehouse&kind=question")
	shown := 0
	for at := "/?q=where+is+the+warehouse&kind=question"; at != ""; {
		page := ok(t, base+at)
		shown += strings.Count(page, `class="hit"`)
		at = ""
		if m := regexp.MustCompile(`href="([^"]+)" rel="next"`).FindStringSubmatch(page); m != nil {
			at = html.UnescapeString(m[1])
		}
	}
	has(t, page, fmt.Sprintf("%d places", shown))
}

func TestFileShowsWhatWasIndexed(t *testing.T) {
	root := repository(t, tree())
	base := serve(t, "", root)
	page := ok(t, base+"/file?path=shop/order.go&q=warehouse&kind=exact")
	has(t, page, `id="L17"`, `href="#L17"`, "1 line matches", `<mark><i class="s">warehouse</i></mark>`, "Order", "Place", "total", "of=shop%2Forder.go%23Order.Place", `aria-label="Relations of Place"`, "package shop")
	hasNot(t, page, "has changed")
	write(t, root, map[string]string{"shop/order.go": "package shop\n\nfunc Novelty() {}\n"})
	page = ok(t, base+"/file?path=shop/order.go")
	has(t, page, "This file has changed since it was indexed", "ErrNoStock", `id="L17"`, "takes the money")
	hasNot(t, page, "Novelty")
	if err := os.Remove(filepath.Join(root, "shop/order.go")); err != nil {
		t.Fatal(err)
	}
	has(t, ok(t, base+"/file?path=shop/order.go"), "no longer there", "ErrNoStock")
}

// TestOnlyIndexedFilesAreRead requests files that exist but are not in the index.
func TestOnlyIndexedFilesAreRead(t *testing.T) {
	root := repository(t, tree())
	secret := filepath.Join(filepath.Dir(root), "secret.txt")
	write(t, filepath.Dir(root), map[string]string{"secret.txt": "squirrel"})
	write(t, root, map[string]string{"later.go": "package squirrel\n", ".git/config": "squirrel"})
	if err := os.Symlink(secret, filepath.Join(root, "docs/link.md")); err != nil {
		t.Fatal(err)
	}
	// If a link replaces an indexed file, the page shows the indexed text.
	if err := os.Remove(filepath.Join(root, "shop/card.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(root, "shop/card.go")); err != nil {
		t.Fatal(err)
	}
	base := serve(t, "", root)
	for _, path := range []string{"../secret.txt", "/etc/passwd", secret, "later.go", "docs/link.md", ".git/config", ".cortex/config.yml", ".", "", "shop", "shop/../../secret.txt", "shop/order.go\x00", "C:secret", strings.Repeat("a/", 3000)} {
		answer, body := get(t, base+"/file?path="+url.QueryEscape(path))
		if answer.StatusCode != http.StatusNotFound || strings.Contains(body, "squirrel") {
			t.Errorf("%q: %s\n%s", path, answer.Status, text(body))
		}
	}
	page := ok(t, base+"/file?path=shop/card.go")
	has(t, page, "credit card")
	hasNot(t, page, "squirrel")
}

func TestDocumentIsRendered(t *testing.T) {
	base := serve(t, "", repository(t, tree()))
	page := ok(t, base+"/file?path=docs/orders.md")
	has(t, page, `<span id="L4"></span>`, `<span id="L10"></span>`, `<h3 id="s-how-payments-work">`, `href="#L8"`, `href="#s-how-payments-work"`, `id="s-how-payments-work"`, `href="/file?path=shop%2Forder.go"`, "<table>", `<i class="k">func</i>`)
	hasNot(t, page, "style=")
	has(t, ok(t, base+"/file?path=docs/orders.md&q=warehouse&kind=exact"), "leaves the <mark>warehouse</mark>", "1 line matches", `href="#L10"`)
	has(t, ok(t, base+"/file?path=docs/orders.md&view=source"), "title : Orders", `id="L1"`)
}

// TestFrontMatterIsFolded shows the front matter on request, and at once if the search has found it. The anchors of a
// document begin with its first line, and headings keep the identifiers that they give themselves.
func TestFrontMatterIsFolded(t *testing.T) {
	base := serve(t, "", repository(t, map[string]string{
		"a.md": "---\ntitle: Harvest\ndescription: when the plums are ripe\n---\n\n# Garden {#plot}\n\n[own](#plot) [line](b.md#L3-L5) [part](b.md#L3d)\n",
		"b.md": "---\n\n~~~ text\n\n---\n\nNo front matter at all.\n",
	}))
	page := ok(t, base+"/file?path=a.md")
	has(t, page, `<details class="raw"><summary>Front matter</summary>`, `ripe`, `<span id="L1"></span><span id="L2">`, `<h2 id="s-plot">Garden</h2>`,
		`href="#s-plot"`, `href="/file?path=b.md#L3"`, `href="/file?path=b.md#s-L3d"`)
	has(t, ok(t, base+"/file?path=a.md&q=plums&kind=exact"), `<details class="raw" open><summary>Front matter</summary>`, "<mark>plums</mark>")
	has(t, ok(t, base+"/file?path=b.md"), "~~~ text", "No front matter at all.")
}

// TestDocumentMarksCode marks matches in the code of a document: in blocks, in a list, between tabs and inside a line.
func TestDocumentMarksCode(t *testing.T) {
	base := serve(t, "", repository(t, map[string]string{"guide.md": `# Guide

Call ` + "`refund(order)`" + ` and wait for
` + "`a refund\nof all`" + `.

` + "```go\nx := refund(1)\n```" + `

- First:

  ` + "```sh\n  echo  refund now\n  ```" + `

1. Then:

	    tabbed refund

<details>
refund <b>here</b>
</details>

<p align="center">
  <img src="https://example.com/logo.png" alt="The shop">
  <b onclick="alert(1)">Buy &lt;here&gt;</b>
</p>

<br>
`}))
	page := ok(t, base+"/file?path=guide.md&q=refund&kind=exact")
	const marked = "<mark>refund</mark>"
	has(t, page, "<code>"+marked+"(order)</code>", "<code>a "+marked+" of all</code>", ` <mark><i class="f">refund</i></mark>(`, "  "+marked+" now", "tabbed "+marked, marked+" &lt;b&gt;here", "6 lines match",
		`<details class="raw" open>`, "<p>The shop<br>\nBuy &lt;here&gt;</p>\n<details class=\"raw\"><summary>")
	hasNot(t, page, "&lt;br")
}

// TestEverythingIsText shows hostile names, code and documents on every page that has them.
func TestEverythingIsText(t *testing.T) {
	base := serve(t, "", repository(t, tree()))
	name := url.QueryEscape("evil/<img src=x onerror=alert(1)>.go")
	for _, at := range []string{
		"/?q=Gotcha", "/?q=alert&kind=exact", "/?q=" + url.QueryEscape(`<script>alert(1)</script>`), "/?q=x&lang=" + url.QueryEscape(`"><script>`), "/?q=trap&in=" + url.QueryEscape(`'"><script>`),
		"/file?path=" + name, "/file?path=evil/hostile.md", "/file?path=evil/hostile.md&view=source", "/file?path=" + url.QueryEscape(`<script>alert(1)</script>`),
		"/relations?of=" + name, "/relations?of=Gotcha", "/relations?of=" + url.QueryEscape(`<script>alert(1)</script>`), "/relations?of=evil/&more=" + url.QueryEscape(`"><script>`),
		"/status", "/?q=%ff%fe", "/file?path=%ff",
	} {
		answer, page := get(t, base+at)
		for _, tag := range regexp.MustCompile(`(?i)<script[^>]*>`).FindAllString(page, -1) {
			if !strings.HasPrefix(tag, `<script src="/static/page.js?v=`) {
				t.Errorf("%s: %s", at, tag)
			}
		}
		for _, bad := range []string{`(?i)<img`, `(?i)<[^>]*\son\w+=`, `(?i)href="(javascript|data|vbscript):`, `(?i)<[^>]*\sstyle=`, `(?i)src="http`, `(?i)<b onclick`} {
			if m := regexp.MustCompile(bad).FindString(markup(page)); m != "" {
				t.Errorf("%s: %q", at, m)
			}
		}
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; script-src 'self';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %s", at, policy)
		}
		if answer.Header.Get("X-Content-Type-Options") != "nosniff" || answer.Header.Get("Referrer-Policy") != "no-referrer" || len(answer.Cookies()) > 0 {
			t.Errorf("%s: %v", at, answer.Header)
		}
	}
	page := ok(t, base+"/file?path=evil/hostile.md")
	has(t, page, "alert", "picture")
	hasNot(t, page, "passwd")
	page = ok(t, base+"/file?path=evil/bidi.go")
	hasNot(t, page, "\u202e", "\u2066")
	has(t, page, "\ufffd reversed")
}

// markup returns a page without the values of text attributes.
func markup(page string) string {
	return regexp.MustCompile(`(data-title|value|aria-label|title)="[^"]*"`).ReplaceAllString(page, "")
}

func TestRelations(t *testing.T) {
	base := serve(t, "", repository(t, tree()))
	page := ok(t, base+"/relations?of="+url.QueryEscape("shop/order.go#Order.Place"))
	has(t, page, "Callers 2", "checkout", "TestPlace", "In tests", "what the page is about", "from what names to what is named", "Calls", `<svg class="drawing"`, "cmd/main.go:7", "main.go:7")
	page = ok(t, base+"/relations?of=Order.Place&show=impact")
	has(t, page, "A change of it reaches 1 test · 2 other places", "Tests that reach it (1) function TestPlace", "Other code that it reaches (2)", "main", "The chains end here", "Reached by a change 1 test, 2 other")
	page = ok(t, base+"/relations?of=Payer")
	has(t, page, "Implementations 1", "Card")
	page = ok(t, base+"/relations?of=shop/")
	has(t, page, "Needed by", "Needs")
	has(t, ok(t, base+"/relations?of=Nobody"), `Nothing is named "Nobody"`)
	has(t, ok(t, base+"/relations?of=Pay"), `"Pay" could be`)

	// A link expands a node, and then collapses it.
	at := "/relations?of=" + url.QueryEscape("shop/order.go#total")
	grow := regexp.MustCompile(`<a href="([^"]+)" aria-label="Order.Place[^"]*" class="grow"`)
	first := ok(t, base+at)
	m := grow.FindStringSubmatch(first)
	if m == nil {
		t.Fatalf("no box to grow in\n%s", first)
	}
	hasNot(t, first, `<text x="12" y="18" class="name">checkout</text>`)
	second := ok(t, base+html.UnescapeString(strings.TrimSuffix(m[1], "#drawing")))
	has(t, second, `<text x="12" y="18" class="name">checkout</text>`)
	if m = grow.FindStringSubmatch(second); m == nil || strings.Contains(m[1], "more=") {
		t.Errorf("it does not shrink: %v", m)
	}
}

func TestStatus(t *testing.T) {
	root := repository(t, tree())
	base := serve(t, "", root)
	has(t, ok(t, base+"/status"), "up to date", "markdown", "Chunks", "Model", "<svg")
	write(t, root, map[string]string{"new.go": "package shop\n"})
	has(t, ok(t, base+"/status"), "1 new")
}

func TestSeveralRepositories(t *testing.T) {
	base := serve(t, "", repository(t, tree()), repository(t, map[string]string{"a.go": "package a\n\n// Parcel leaves the warehouse.\nfunc Parcel() {}\n"}))
	page := ok(t, base+"/?q=warehouse&kind=exact")
	has(t, page, "3 matches", "Repository repo1 2 repo2 1", `repo=repo2`)
	has(t, ok(t, base+"/?q=warehouse&kind=exact&repo=repo2"), "1 match", "a.go")
	has(t, ok(t, base+"/file?path=a.go&repo=repo2"), "Parcel")
	has(t, ok(t, base+"/status"), "repo1", "repo2")
	for _, at := range []string{"/file?path=a.go", "/file?path=a.go&repo=nobody", "/?q=x&repo=nobody"} {
		if answer, body := get(t, base+at); answer.StatusCode < 400 {
			t.Errorf("%s: %s\n%s", at, answer.Status, text(body))
		}
	}
}

// TestWhoMayAsk: pages have the same access rules as the protocol.
func TestWhoMayAsk(t *testing.T) {
	root := repository(t, tree())
	base := serve(t, "", root)
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) {
			if name == "Host" {
				r.Host = value
				return
			}
			r.Header.Set(name, value)
		}
	}
	for name, test := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"a person":            {header("Sec-Fetch-Site", "none"), 200},
		"a link of ours":      {header("Sec-Fetch-Site", "same-origin"), 200},
		"another site":        {header("Sec-Fetch-Site", "cross-site"), 403},
		"another port":        {header("Sec-Fetch-Site", "same-site"), 403},
		"an origin":           {header("Origin", "https://example.com"), 403},
		"a name of its own":   {header("Host", "example.com"), 403},
		"another method":      {func(r *http.Request) { r.Method = "POST" }, 404},
		"a name of this host": {header("Host", "localhost:80"), 200},
	} {
		for _, at := range []string{"/", "/?q=warehouse", "/file?path=shop/order.go", "/relations?of=Order", "/status", "/static/page.js"} {
			if answer, body := get(t, base+at, test.change); answer.StatusCode != test.status || test.status != 200 && strings.Contains(body, "ErrNoStock") {
				t.Errorf("%s, %s: %s", name, at, answer.Status)
			}
		}
	}
	const token = "0123456789abcdef-token"
	base = serve(t, token, root)
	for name, test := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"nothing":        {func(*http.Request) {}, 401},
		"wrong password": {func(r *http.Request) { r.SetBasicAuth("me", "guess") }, 401},
		"token as name":  {func(r *http.Request) { r.SetBasicAuth(token, "") }, 401},
		"password":       {func(r *http.Request) { r.SetBasicAuth("me", token) }, 200},
		"bearer":         {header("Authorization", "Bearer "+token), 200},
	} {
		for _, at := range []string{"/", "/?q=warehouse", "/file?path=shop/order.go", "/relations?of=Order", "/status", "/static/page.js"} {
			answer, body := get(t, base+at, test.change)
			if answer.StatusCode != test.status || test.status == 401 && strings.Contains(body, "shop") {
				t.Errorf("%s, %s: %s", name, at, answer.Status)
			}
			if test.status == 401 && !strings.HasPrefix(answer.Header.Get("WWW-Authenticate"), "Basic ") {
				t.Errorf("%s, %s: a browser would not ask for the token", name, at)
			}
		}
	}
}

// TestPageIsLight adds up the sizes of everything that a browser loads before the first search.
func TestPageIsLight(t *testing.T) {
	base := serve(t, "", repository(t, tree()))
	page := ok(t, base+"/")
	weight := len(page)
	for _, m := range regexp.MustCompile(`(?:src|href)="(/static/[^"]+)"`).FindAllStringSubmatch(page, -1) {
		answer, body := get(t, base+m[1])
		if answer.StatusCode != http.StatusOK || !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %s", m[1], answer.Status)
		}
		weight += len(body)
	}
	if const60 := 60_000; weight > const60 || weight < 10_000 {
		t.Errorf("%d bytes", weight)
	}
	t.Logf("%d bytes", weight)
	if answer, _ := get(t, base+"/static/..%2fpage.go"); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a file of no concern: %s", answer.Status)
	}
}

// TestLongDocumentsStaySource: documents that render quickly are rendered, others are shown as source.
func TestLongDocumentsStaySource(t *testing.T) {
	if testing.Short() {
		t.Skip("draws long documents")
	}
	list := "# Changes\n\n" + strings.Repeat("- a line of a long list without blank lines\n", 2000)
	files := map[string]string{
		"list.md":      list,
		"paragraph.md": "# Trap\n\n" + strings.Repeat(strings.Repeat("![a](", 20)+"\n", 500) + "\n",
		"deep.md":      "# Trap\n\n" + strings.Repeat("> ", 500) + "a\n",
		"large.md":     "# Large\n\n" + strings.Repeat(strings.Repeat("word ", 100)+"\n\n", 600),
	}
	base := serve(t, "", repository(t, files))
	for name := range files {
		page := ok(t, base+"/file?path="+name)
		if rendered := strings.Contains(page, `class="document"`); rendered != (name == "list.md") {
			t.Errorf("%s: rendered: %v", name, rendered)
		}
	}
}

// TestMarksKeepCharactersWhole marks a line that was cut, so that a mark may end inside a character.
func TestMarksKeepCharactersWhole(t *testing.T) {
	for text, want := range map[string]string{"leave o…": "leave <mark>o</mark>…", "leav …": "leav …", "leavé out": "leavé<mark> ou</mark>t"} {
		if got := string(highlight.Line([]highlight.Span{{Text: text}}, [][2]int{{6, 9}})); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestColoursKeepTheText colours code that lexers reject.
func TestColoursKeepTheText(t *testing.T) {
	files := map[string]string{
		"a.rs": strings.Repeat(strings.Repeat(`r#"`, 20)+"\n", 30), "b.go": "package b\r\n\r\nfunc B() {}\r\n", "c.py": "def c():\n\tx = '''open\n", "d.unknown": "plain <b>\n",
		"f.go": "package f\n\n// " + strings.Repeat("é ", 1000) + "\nfunc F() {}\n",
	}
	base := serve(t, "", repository(t, files))
	for name, want := range files {
		page := ok(t, base+"/file?path="+name)
		var got strings.Builder
		for _, m := range regexp.MustCompile(`<code>(.*?)</code>`).FindAllStringSubmatch(page, -1) {
			got.WriteString(html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], "")) + "\n")
		}
		want = strings.ReplaceAll(want, "\r\n", "\n")
		if name == "f.go" { // long lines are cut
			if len(got.String()) < 1000 || !strings.Contains(got.String(), "…") {
				t.Errorf("%s: %q", name, got.String())
			}
			continue
		}
		if got.String() != want {
			t.Errorf("%s: %q, want %q", name, got.String(), want)
		}
	}
}

func TestQuestionWithoutItsModelIsAnsweredByWords(t *testing.T) {
	root := t.TempDir()
	write(t, root, tree())
	index(t, root, builtin.Model, "cortex-code-0")
	_, body := get(t, serve(t, "", root)+"/?q=where+is+the+money+taken")
	for _, want := range []string{"searching by words only: ", "cortex-code-0", "make the index again with", "orders.md</a>"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

// TestWhatAChangeReachesGoesOn follows a chain that is longer than what is shown at first.
func TestWhatAChangeReachesGoesOn(t *testing.T) {
	var chain strings.Builder
	chain.WriteString("package chain\n\nfunc f0() {}\n")
	for i := range 8 {
		fmt.Fprintf(&chain, "\nfunc f%d() { f%d() }\n", i+1, i)
	}
	base := serve(t, "", repository(t, map[string]string{"chain.go": chain.String(), "go.mod": "module example.com/chain\n"}))
	at := "/relations?of=f0&show=impact"
	for depth := 3; depth <= 6; depth++ {
		page := ok(t, base+at)
		has(t, page, fmt.Sprintf("at most %d steps away; more is reached beyond", depth), fmt.Sprintf(">f%d<", depth))
		deeper := regexp.MustCompile(`<a href="([^"]+)">Show what is ([0-9]) steps away<`).FindStringSubmatch(page)
		if (deeper == nil) != (depth == 6) {
			t.Fatalf("depth %d: %q", depth, deeper)
		}
		if deeper != nil {
			at = html.UnescapeString(deeper[1])
		}
	}
	if page := ok(t, base+"/relations?of=f5&show=impact"); strings.Contains(page, "reached beyond") {
		t.Error("nothing is beyond f8")
	}
	if page := ok(t, base+"/relations?of=f0&show=impact&depth=99"); !strings.Contains(page, "at most 6 steps away") || !strings.Contains(page, "asks for 99 steps; a page shows at most 6.") {
		t.Error("depth 99")
	}
}

func TestInheritedMethodIsFound(t *testing.T) {
	base := serve(t, "", repository(t, map[string]string{
		"shelf.py": "class Shelf:\n    def put(self, book):\n        return book\n\n\nclass Cupboard(Shelf):\n    pass\n",
	}))
	for _, kind := range []string{"", "&kind=symbol"} {
		has(t, ok(t, base+"/?q=Cupboard.put"+kind), "It inherits this from what defines Shelf.put.", ">Shelf.put</span>")
	}
	hasNot(t, ok(t, base+"/?q=Shelf.put"), "inherits")
	hasNot(t, ok(t, base+"/?q=Cupboard.take&kind=symbol"), "inherits")
	has(t, ok(t, base+"/relations?of=Cupboard.put"), "Shelf.put")
}

// TestMessageIsFoundOnThePage: of a message that is no valid query, the page shows the line that produces it.
func TestMessageIsFoundOnThePage(t *testing.T) {
	files := tree()
	files["shop/pay.go"] = "package shop\n\nfunc charge(card string) error {\n" + strings.Repeat("\tstep(card)\n", 40) +
		"\treturn fmt.Errorf(\"charge card %q: %d cents is too little\", card, 5)\n" + strings.Repeat("\tstep(card)\n", 40) + "}\n"
	base := serve(t, "", repository(t, files))
	for _, said := range []string{`charge card "4711-0815": 12 cents is too little`, "12 cents is too little at path $"} {
		for _, kind := range []string{"", "kind=exact&"} {
			page := ok(t, base+"/?"+kind+"q="+url.QueryEscape(said))
			has(t, page, "shop/</span>pay.go", ">44</a><code>")
			if kind != "" {
				has(t, page, "not verbatim")
			}
			hasNot(t, page, "not understood", "Take it for an exact query")
		}
	}
	const sign = "elephants walk slowly past at path $"
	hasNot(t, ok(t, base+"/?q="+url.QueryEscape(sign)), "not understood", "Take it for an exact query") // which would not be understood
	has(t, ok(t, base+"/?kind=exact&q="+url.QueryEscape(sign)), "Nothing found", "has no letter or digit to search for", "this text as it stands")
	hasNot(t, ok(t, base+"/?kind=exact&q="+url.QueryEscape(`"`+sign+`"`)), "not understood", "these exact words")
}

// TestRelationsAreAskedForInWords: the example questions of the start page lead to relations.
func TestRelationsAreAskedForInWords(t *testing.T) {
	base := serve(t, "", repository(t, tree()))
	for query, show := range map[string]string{
		"callers of Order.Place": "callers", "who calls Order.Place?": "callers", "what implements Payer": "implementations", "tests of Order.Place": "impact",
		"what a change of total reaches": "impact", "what uses `total`": "references", "Who calls the function Order.Place?": "callers", "where is total used": "references",
		"where is the method Order.Place called?": "callers", "Which tests does a change of the method Order.Place reach?": "impact", "what does checkout() call": "callees",
	} {
		page := ok(t, base+"/?q="+url.QueryEscape(query))
		to := regexp.MustCompile(`The page of relations answers this: <a href="([^"]+)">`).FindStringSubmatch(page)
		if to == nil || !strings.Contains(to[1], "show="+show) {
			t.Errorf("%s: %q", query, to)
			continue
		}
		has(t, ok(t, base+html.UnescapeString(to[1])), `class="thing"`)
	}
	for _, query := range []string{"callers of nothing_such", "what does it", "tests of"} {
		hasNot(t, ok(t, base+"/?q="+url.QueryEscape(query)), "page of relations answers")
	}
}

// TestImpactCountsTestsAlone: tests come first and are counted separately, helpers of tests do not count as tests, and
// the drawing shows how the farthest tests are reached.
func TestImpactCountsTestsAlone(t *testing.T) {
	var files = map[string]string{
		"go.mod":       "module example.com/deep\n",
		"deep/deep.go": "package deep\n\nfunc base() {}\n\nfunc middle() { base() }\n",
		"deep/deep_test.go": "package deep\n\nimport \"testing\"\n\nfunc TestDeep(t *testing.T) { assertDeep(t) }\n\nfunc TestAgain(t *testing.T) { assertDeep(t) }\n\n" +
			"func assertDeep(t *testing.T) { middle() }\n",
	}
	for i := range 30 {
		files["deep/deep.go"] += fmt.Sprintf("\nfunc near%d() { base() }\n", i)
	}
	base := serve(t, "", repository(t, files))
	page := ok(t, base+"/relations?of=base&show=impact")
	has(t, page, "A change of it reaches 2 tests · 32 other places", "Tests that reach it (2)", "assertDeep deep/deep_test.go:9 helper of tests", "Reached by a change 2 tests, 32 other", "by way of assertDeep")
	if tests, code := strings.Index(page, `id="tests"`), strings.Index(page, `id="list"`); tests < 0 || tests > code {
		t.Errorf("tests are at %d, code at %d", tests, code)
	}
	for _, box := range []string{"TestDeep", "TestAgain", "assertDeep", "middle", "near0"} {
		has(t, page, `class="name">`+box+`</text>`)
	}
	hasNot(t, page, `class="name">near29</text>`)
	has(t, page, "Not all is drawn", `href="#tests"`, `class="node test"`, `class="node helper"`, "helper of tests")
}

// TestChainsGoOnFromTheirEnds follows links from the ends of the longest chains on a page.
func TestChainsGoOnFromTheirEnds(t *testing.T) {
	code := "package chain\n\nfunc f0() {}\n"
	for i := range 9 {
		code += fmt.Sprintf("\nfunc f%d() { f%d() }\n", i+1, i)
	}
	base := serve(t, "", repository(t, map[string]string{"chain.go": code, "go.mod": "module example.com/chain\n"}))
	page := ok(t, base+"/relations?of=f0&show=impact&depth=6")
	on := regexp.MustCompile(`Go on from <a href="([^"]+)">f6<`).FindStringSubmatch(page)
	if on == nil {
		t.Fatalf("no way on in\n%s", text(page))
	}
	has(t, ok(t, base+html.UnescapeString(on[1])), "f9", "The chains end here")
}

// TestPageLeadsToWhatElseHasTheName: the page of a function has links to methods of the same name.
func TestPageLeadsToWhatElseHasTheName(t *testing.T) {
	base := serve(t, "", repository(t, map[string]string{
		"go.mod": "module example.com/given\n",
		"a.go":   "package given\n\ntype box struct{}\n\nfunc (box) open() {}\n\nfunc open() {}\n\nfunc Start() { open() }\n",
	}))
	has(t, ok(t, base+"/relations?of=open"), "Also named so: box.open", "Callers (1)", `href="/relations?of=a.go%23box.open"`)
	if page := ok(t, base+"/relations?of=a.go%23box.open"); strings.Contains(page, "Also named so") {
		t.Error("the page of one thing names others")
	}
}

// TestEmptyTabsLeadOn: the page of a function without callers opens on its references, and notes about left-out results
// have links that show them.
func TestEmptyTabsLeadOn(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/given\n",
		"a.go":   "package given\n\nimport \"net/http\"\n\nfunc handle(http.ResponseWriter, *http.Request) {}\n\nfunc Routes() { http.HandleFunc(\"/\", handle) }\n\nfunc hub() {}\n",
	}
	for i := range 150 {
		files["a.go"] += fmt.Sprintf("\nfunc user%d() { hub() }\n", i)
	}
	base := serve(t, "", repository(t, files))
	page := ok(t, base+"/relations?of=handle")
	has(t, page, "Nothing is known to call it. It is used as a value in 1 place.", "Its name stands in 1 line besides its definition. Search for the name", "References (1)", "Routes", `<a href="/relations?of=handle&amp;show=references" aria-current="page">`)
	page = ok(t, base+"/relations?of=handle&show=callers")
	has(t, page, "used as a value in 1 place. Show references (1)", "Its name stands in 1 line besides its definition.")
	byName := regexp.MustCompile(`<a href="([^"]+)">Search for the name<`).FindStringSubmatch(page)
	if byName == nil {
		t.Fatalf("no link to the lines with the name in\n%s", text(page))
	}
	has(t, ok(t, base+html.UnescapeString(byName[1])), "a.go", "HandleFunc")
	hasNot(t, page, "aria-label=\"Drawing\"")

	page = ok(t, base+"/relations?of=hub")
	has(t, page, "50 further places are not listed.")
	all := regexp.MustCompile(`<a href="([^"]+)">List up to 500<`).FindStringSubmatch(page)
	if all == nil {
		t.Fatalf("no link to the rest in\n%s", text(page))
	}
	page = ok(t, base+html.UnescapeString(all[1]))
	has(t, page, "user149")
	hasNot(t, page, "not listed")
}

// TestGuessesAreALinkAway shows relations of low confidence.
func TestGuessesAreALinkAway(t *testing.T) {
	base := serve(t, "", repository(t, map[string]string{
		"a.py": "class Door:\n    def swing(self):\n        pass\n\n    def close(self):\n        self.swing()\n\n\nclass Gate:\n    def swing(self):\n        pass\n",
		"b.py": "def push(thing):\n    thing.swing()\n",
	}))
	page := ok(t, base+"/relations?of=Door.swing&show=callers")
	has(t, page, "1 relation that is little more than a guess is left out.")
	if note, list := strings.Index(page, "little more than a guess"), strings.Index(page, `class="related"`); list < 0 || note > list {
		t.Errorf("what is left out is not said before the list:\n%s", text(page))
	}
	guess := regexp.MustCompile(`<a href="([^"]+)">Show guesses too<`).FindStringSubmatch(page)
	if guess == nil {
		t.Fatalf("no link to guesses in\n%s", text(page))
	}
	has(t, ok(t, base+html.UnescapeString(guess[1])), "push", "% sure", "Leave them out")
}

// TestSectionsOfAnyMarkup finds small sections of documents by their headings, with the headings above them.
func TestSectionsOfAnyMarkup(t *testing.T) {
	filler := strings.Repeat("Options are read once, when the program starts, and kept until it ends. ", 12)
	files := map[string]string{
		"doc/guide.rst":  "Configuration\n=============\n\n" + filler + "\n\n[core]\n------\n\n" + filler + "\n\n[resources]\n-----------\n\nLimits how much of a shared thing the tasks use at once.\n\n[retcode]\n---------\n\nWhat the process returns.\n",
		"doc/long.rst":   "======\nUpkeep\n======\n\n" + filler + "\n\nGates\n-----\n\n" + strings.Repeat(filler+"\n\n", 6) + "Oil the hinges of a gate once a year.\n\nFences\n------\n\n" + filler + "\n",
		"doc/guide.adoc": "= Manual\n\n" + filler + "\n\n== Shelves\n\n" + filler + "\n\n=== Ladders\n\nA ladder reaches the highest shelf of a library.\n",
	}
	base := serve(t, "", repository(t, files))
	page := ok(t, base+"/?q="+url.QueryEscape("limit how much of a shared thing is used at once"))
	has(t, page, "Configuration › [resources]", ">[resources]</code>", `/file?path=doc%2Fguide.rst&amp;q=limit+how+much+of+a+shared+thing+is+used+at+once#L11"`)
	has(t, ok(t, base+"/?q="+url.QueryEscape("reach the highest shelf of a library")), "Shelves › Ladders", ">=== Ladders</code>")
	// For a section of several chunks, the heading is above the chunk that matches.
	for _, q := range []string{"/?q=" + url.QueryEscape("how does one oil the hinges of a gate"), "/?kind=exact&q=hinges"} {
		page = ok(t, base+q)
		has(t, page, "Upkeep › Gates", ">Gates</code>", `#L7"><span class="kind">section</span>`)
	}
	page = ok(t, base+"/file?path=doc/guide.rst")
	has(t, page, `class="outline sections"`, `<li class="level-1"><a href="#L1"><span class="kind" title="heading">heading</span><span class="name">Configuration</span>`, `<li class="level-2"><a href="#L11">`)
	hasNot(t, page, "What needs this file")
}

// TestTextOfAMessageIsFound finds a line that has the text although the text as a query matches nothing.
func TestTextOfAMessageIsFound(t *testing.T) {
	files := tree()
	files["shop/lid.go"] = "package shop\n\nfunc lid() { panic(\"lid is open (see -force): giving up\") }\n"
	base := serve(t, "", repository(t, files))
	page := ok(t, base+"/?q="+url.QueryEscape("lid is open (see -force): giving up"))
	has(t, page, "lid.go", "1 match")
	hasNot(t, page, "No line has")
}

// TestStartIsMadeFromWhatIsIndexed: each example on the start page finds something.
func TestStartIsMadeFromWhatIsIndexed(t *testing.T) {
	root := repository(t, tree())
	base := serve(t, "", root)
	page := ok(t, base+"/")
	has(t, page, "Search "+filepath.Base(root)+" by meaning", "callers of ", "what a change of ")
	examples := regexp.MustCompile(`<li><a href="([^"]+)"><code>`).FindAllStringSubmatch(page, -1)
	if len(examples) != 5 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, e := range examples {
		found := ok(t, base+html.UnescapeString(e[1]))
		if !strings.Contains(found, `class="go"`) {
			t.Errorf("%s finds nothing\n%s", e[1], text(found))
		}
		hasNot(t, found, "Nothing found", "Search instead for")
	}
	has(t, ok(t, serve(t, "", repository(t, map[string]string{"a.md": "# Only\n\nA document.\n"}))+"/"), "where are errors handled")
}
