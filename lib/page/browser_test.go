package page_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long one step of a browser on a busy machine may take. Steps wait for conditions, not for fixed
// times.
const patience = 30 * time.Second

// chromium starts a browser without a window, or skips the test where there is none.
func chromium(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium: install it (apt-get install chromium) to test pages in a browser")
	}
	profile, err := os.MkdirTemp("", "cortex-browser-")
	if err != nil {
		t.Fatal(err)
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(patience)}
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage", "no-default-browser-check"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	all, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(all)
	t.Cleanup(func() {
		end()
		stop()
		os.RemoveAll(profile) // what a browser that ends still writes is in a folder for such things
	})
	if err := chromedp.Run(ctx); err != nil {
		t.Skipf("%s does not start here: %v", path, err)
	}
	return ctx
}

// A tab of the browser, with what it has asked for and what went wrong in it.
type tab struct {
	*testing.T
	ctx  context.Context
	base string

	mu       sync.Mutex
	requests []string
	troubles []string
}

// open opens a tab.
func open(t *testing.T, browserContext context.Context, base string, actions ...chromedp.Action) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(browserContext)
	t.Cleanup(end)
	b := &tab{T: t, ctx: ctx, base: base}
	chromedp.ListenTarget(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			b.requests = append(b.requests, e.Request.URL)
		case *page.EventJavascriptDialogOpening:
			b.troubles = append(b.troubles, "dialog: "+e.Message)
			go chromedp.Run(ctx, page.HandleJavaScriptDialog(true))
		case *runtime.EventExceptionThrown:
			b.troubles = append(b.troubles, "exception: "+e.ExceptionDetails.Error())
		}
	})
	if err := chromedp.Run(ctx); err != nil { // a tab lives as long as the context of its first step
		t.Fatal(err)
	}
	b.do(append([]chromedp.Action{network.Enable(), page.BringToFront(), emulation.SetFocusEmulationEnabled(true), chromedp.EmulateViewport(1600, 1000)}, actions...)...)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, trouble := range b.troubles {
			t.Error(trouble)
		}
		for _, r := range b.requests {
			if !strings.HasPrefix(r, base+"/") {
				t.Errorf("asked for %s", r)
			}
		}
	})
	return b
}

func (b *tab) do(actions ...chromedp.Action) {
	b.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Run(ctx, actions...); err != nil {
		var at string
		_ = chromedp.Run(b.ctx, chromedp.Location(&at)) // to say where
		b.Fatalf("at %s: %v", at, err)
	}
}

func (b *tab) visit(path string) {
	b.Helper()
	b.do(chromedp.Navigate(b.base+path), chromedp.WaitReady("#part"))
}

// until waits until an expression of JavaScript is true, even across a change of page.
func (b *tab) until(expression string) {
	b.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	for {
		var yes bool
		err := chromedp.Run(ctx, chromedp.Evaluate("!!("+expression+")", &yes))
		if yes && err == nil {
			return
		}
		select {
		case <-ctx.Done():
			var at string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + " " + document.title + " " + document.activeElement.outerHTML.slice(0, 200)`, &at)) // to say where
			b.Fatalf("at %s: never %s (%v)", at, expression, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// value returns the value of an expression of JavaScript.
func value[T any](b *tab, expression string) T {
	b.Helper()
	var v T
	b.do(chromedp.Evaluate(expression, &v))
	return v
}

// press sends a key that types no text to the focused element.
func press(key string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		if err := input.DispatchKeyEvent(input.KeyRawDown).WithKey(key).Do(ctx); err != nil {
			return err
		}
		return input.DispatchKeyEvent(input.KeyUp).WithKey(key).Do(ctx)
	})
}

// focused waits until an element that matches the selector has the focus.
func (b *tab) focused(selector string) {
	b.Helper()
	b.until(fmt.Sprintf("document.activeElement && document.activeElement.matches(%q)", selector))
}

// TestInBrowser uses the pages in a browser as people do.
func TestInBrowser(t *testing.T) {
	if os.Getenv("CORTEX_ALL_TESTS") == "" {
		t.Skip("a browser takes seconds: CORTEX_ALL_TESTS=1 starts it")
	}
	window := chromium(t)
	files := tree()
	for i := range 12 {
		files[fmt.Sprintf("many/f%d.go", i)] = fmt.Sprintf("package many\n\n// Shelf%d is one of many in the warehouse, %s.\nfunc Shelf%d() {}\n", i, strings.Repeat("long ", i*8), i)
	}
	deep := "cellar/" + strings.Repeat("behind_the_wall/", 5) + "hidden_passage.go"
	files[deep] = "package passage\n\nfunc dig() {}\n"
	for i := range 20 {
		files[deep] += fmt.Sprintf("\nfunc dig%d() { dig() }\n", i)
	}
	files["docs/long.rst"] = "Handbook\n========\n\n" + strings.Repeat("Words that fill a page.\n\n", 80) + "[ladders]\n---------\n\nHow high a ladder may be.\n\n" + strings.Repeat("More of them.\n\n", 80)
	base := serve(t, "", repository(t, files))

	t.Run("typing", func(t *testing.T) {
		b := open(t, window, base)
		b.visit("/")
		b.focused("#q")
		b.do(chromedp.SendKeys("#q", "how does a customer pay"))
		b.until(`location.search.includes('q=how+does+a+customer+pay') && document.querySelector('#part').dataset.told === 'question' && document.querySelector('a.go')`)
		b.do(chromedp.Evaluate(`document.querySelector('#q').value = ''`, nil), chromedp.SendKeys("#q", `"nothing left"`))
		b.until(`document.querySelector('#part').dataset.told === 'exact' && document.querySelector('.told').textContent.trim() === 'Exact' && document.title.startsWith('"nothing left"')`)
		if got := value[int](b, `document.querySelectorAll('.hit').length`); got != 1 {
			t.Errorf("%d results", got)
		}
		b.do(chromedp.Evaluate(`document.querySelector('#q').value = ''`, nil), chromedp.SendKeys("#q", "Shelf1"))
		b.until(`document.querySelector('#part').dataset.told === 'symbol'`)
		if said := value[string](b, `document.querySelector('#told').textContent`); !strings.Contains(said, "match") {
			t.Errorf("a screen reader hears %q", said)
		}
	})

	t.Run("older requests give way", func(t *testing.T) {
		b := open(t, window, base)
		b.visit("/?q=warehouse&kind=exact")
		b.do(chromedp.Evaluate(`(() => {
			const real = window.fetch;
			window.given = [];
			window.fetch = (url, options) => {
				const first = window.given.length === 0;
				window.given.push({ url, signal: options.signal });
				return first ? new Promise((_, no) => options.signal.addEventListener('abort', () => no(options.signal.reason))) : real(url, options);
			};
			const q = document.querySelector('#q');
			q.value = 'customer'; q.dispatchEvent(new Event('input', { bubbles: true }));
		})()`, nil))
		b.until(`window.given.length === 1`)
		b.do(chromedp.Evaluate(`(() => { const q = document.querySelector('#q'); q.value = 'money'; q.dispatchEvent(new Event('input', { bubbles: true })); })()`, nil))
		b.until(`window.given.length === 2 && window.given[0].signal.aborted && !window.given[1].signal.aborted && location.search.includes('q=money') && document.title.startsWith('money')`)
	})

	t.Run("filters, links and back", func(t *testing.T) {
		b := open(t, window, base)
		b.visit("/?q=warehouse&kind=exact")
		b.do(chromedp.Click(`//aside//a[contains(., "markdown")]`, chromedp.BySearch))
		b.until(`location.search.includes('lang=markdown') && document.querySelectorAll('.hit').length === 1`)
		b.until(`document.querySelector('input[name=lang]').value === 'markdown'`)
		b.do(chromedp.Click(".active a"))
		b.until(`!location.search.includes('lang=') && document.querySelectorAll('.hit').length > 1 && !document.querySelector('input[name=lang]')`)
		b.do(chromedp.Evaluate(`history.back()`, nil))
		b.until(`location.search.includes('lang=markdown') && document.querySelectorAll('.hit').length === 1`)
		// The link gives the same page in another session.
		at := value[string](b, `location.pathname + location.search`)
		other := open(t, window, base)
		other.visit(at)
		if n := value[int](other, `document.querySelectorAll('.hit').length`); n != 1 {
			t.Errorf("%d results by the link", n)
		}
	})

	t.Run("keyboard", func(t *testing.T) {
		b := open(t, window, base)
		b.visit("/?q=Shelf*&kind=symbol")
		b.do(press("/"))
		b.focused("#q")
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until(`document.activeElement !== document.querySelector('#q') && document.querySelector('#q').value === 'Shelf*'`)
		b.do(press("j"))
		b.focused("a.go")
		first := value[string](b, `document.activeElement.href`)
		b.do(press("j"))
		b.until(fmt.Sprintf(`document.activeElement.href !== %q`, first))
		b.do(press("k"))
		b.until(fmt.Sprintf(`document.activeElement.href === %q`, first))
		b.do(press("?"))
		b.until(`document.querySelector('#help').open`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until(`!document.querySelector('#help').open`)
		b.do(chromedp.Focus("a.go"), chromedp.KeyEvent(kb.Enter))
		b.until(`location.pathname === '/file' && location.hash.startsWith('#L') && document.querySelector('.whole') && document.readyState === 'complete'`)
		b.do(press("j"))
		b.focused(".hit-line .n")
	})

	t.Run("relations grow", func(t *testing.T) {
		b := open(t, window, base)
		b.visit("/relations?of=" + url.QueryEscape("shop/order.go#total"))
		boxes := value[int](b, `document.querySelectorAll('.node').length`)
		b.do(chromedp.Click(`a.grow[aria-label^="Order.Place"]`))
		b.until(fmt.Sprintf(`document.querySelectorAll('.node').length > %d && location.search.includes('more=')`, boxes))
		b.focused(`a.grow[aria-label^="Order.Place"]`)
		b.do(chromedp.KeyEvent(kb.Enter))
		b.until(fmt.Sprintf(`document.querySelectorAll('.node').length === %d`, boxes))
		b.focused(`a.grow[aria-label^="Order.Place"]`)
		b.do(chromedp.Click(`//nav//a[contains(., "Reached by a change")]`, chromedp.BySearch))
		b.until(`document.body.textContent.includes('Tests that reach it') && document.body.textContent.includes('TestPlace')`)
	})

	t.Run("a heading that a link leads to is seen", func(t *testing.T) {
		b := open(t, window, base)
		for _, width := range []int64{400, 1000, 1600} {
			b.do(chromedp.EmulateViewport(width, 900))
			b.visit("/?q=" + url.QueryEscape("how high may a ladder be"))
			b.do(chromedp.Click(`//a[contains(@class, "go") and contains(., "[ladders]")]`, chromedp.BySearch))
			b.until(`location.pathname === '/file' && location.hash === '#L164' && document.readyState === 'complete'`)
			b.until(`(() => { const at = document.querySelector('#L164').getBoundingClientRect(), bar = document.querySelector('.top').getBoundingClientRect(); return at.top >= bar.bottom && at.bottom <= innerHeight; })()`)
			if width == 1600 {
				b.do(chromedp.Click(`//aside//a[contains(., "Handbook")]`, chromedp.BySearch))
				b.until(`location.hash === '#L1' && document.querySelector('#L1').getBoundingClientRect().top >= document.querySelector('.top').getBoundingClientRect().bottom`)
			}
		}
	})

	t.Run("relations can be seen and reached by keys", func(t *testing.T) {
		b := open(t, window, base)
		b.visit("/file?path=shop/order.go")
		if hidden := value[int](b, `[...document.querySelectorAll('.rel')].filter((a) => getComputedStyle(a).opacity !== '1' || a.getBoundingClientRect().width === 0 || a.tabIndex < 0).length`); hidden > 0 {
			t.Errorf("%d links to relations are hidden", hidden)
		}
		b.do(chromedp.Focus(".whole"), chromedp.KeyEvent(kb.Tab))
		b.focused(".l .rel")
		b.do(chromedp.KeyEvent(kb.Enter))
		b.until(`location.pathname === '/relations'`)
	})

	t.Run("the middle of a drawing is in view", func(t *testing.T) {
		b := open(t, window, base)
		b.do(chromedp.EmulateViewport(400, 900))
		b.visit("/relations?of=" + url.QueryEscape("shop/order.go#total") + "&show=impact")
		b.until(`(() => { const at = document.querySelector('.canvas .target').getBoundingClientRect(), canvas = document.querySelector('.canvas').getBoundingClientRect(); return at.left >= canvas.left && at.right <= canvas.right; })()`)
		b.visit("/relations?of=" + url.QueryEscape(deep+"#dig") + "&show=impact")
		b.until(`(() => { const at = document.querySelector('.canvas .target').getBoundingClientRect(), canvas = document.querySelector('.canvas').getBoundingClientRect(); return at.left >= canvas.left && at.right <= canvas.right && at.top >= canvas.top && at.bottom <= canvas.bottom; })()`)
		b.until(`document.documentElement.scrollWidth <= innerWidth`)
		if cut := value[int](b, `[...document.querySelectorAll('.tabs a')].filter((a) => a.getBoundingClientRect().right > 400).length`); cut > 0 {
			t.Errorf("%d tabs are out of view", cut)
		}
	})

	t.Run("what is left out is a click away", func(t *testing.T) {
		b := open(t, window, base)
		b.visit("/relations?of=Order.Place&show=impact")
		b.do(chromedp.Click(`//p[contains(@class, "note")]//a[contains(., "1 test")]`, chromedp.BySearch))
		b.until(`location.hash === '#tests' && document.querySelector('#tests').getBoundingClientRect().top < innerHeight`)
		b.visit("/")
		b.do(chromedp.Click(`//ul[@class="examples"]//a[contains(., "callers of")]`, chromedp.BySearch))
		b.until(`location.pathname === '/relations' && document.querySelector('.related a.go')`)
	})

	t.Run("without script", func(t *testing.T) {
		b := open(t, window, base, emulation.SetScriptExecutionDisabled(true))
		step := func(click, wait string) {
			t.Helper()
			b.do(chromedp.Click(click, chromedp.BySearch), chromedp.WaitVisible(wait, chromedp.BySearch))
		}
		b.visit("/")
		b.do(chromedp.SendKeys("#q", "warehouse"), chromedp.WaitNotPresent("#theme:not([hidden])"))
		step(`//form//label[contains(., "Exact")]`, `//h1`)
		step(`//form//button[contains(., "Search")]`, `//h2[contains(., "matches")]`)
		step(`//aside//a[contains(., "Documents")]`, `//h2[contains(., "1 match ")]`)
		step(`//ul[@class="active"]//a`, `//h2[contains(., "matches")]`)
		step(`//a[contains(@class, "go") and contains(., "ErrNoStock")]`, `//div[contains(@class, "whole")]//mark`)
		step(`//aside//li[contains(., "Place")]/a[contains(., "relations")]`, `//*[@class="drawing"]`)
		step(`//*[name()="a" and starts-with(@aria-label, "checkout")]`, `//*[name()="a" and contains(@aria-label, "checkout") and contains(@aria-label, "hide")]`)
		step(`//nav//a[contains(., "Index")]`, `//h1[contains(., "What is indexed")]`)
	})

	pages := pages()

	t.Run("hostile repository", func(t *testing.T) {
		b := open(t, window, base)
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(`window.violations = []; document.addEventListener('securitypolicyviolation', (e) => violations.push(e.violatedDirective + ' ' + e.blockedURI))`).Do(ctx)
			return err
		}))
		for _, at := range pages {
			b.visit(at)
			b.until(`document.readyState === 'complete'`)
			if bad := value[string](b, `violations.join() + [...document.querySelectorAll('img, iframe, object, embed, script:not([src^="/static/page.js"]), [onclick], [onerror], [onmouseover], a[href^="javascript:"], a[href^="data:"]')].map((e) => e.outerHTML).join()`); bad != "" {
				t.Errorf("%s: %s", at, bad)
			}
		}
	})

	t.Run("narrow and wide", func(t *testing.T) {
		b := open(t, window, base)
		for _, width := range []int64{400, 1600} {
			for _, scheme := range []string{"light", "dark"} {
				b.do(chromedp.EmulateViewport(width, 900), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
				for _, at := range pages {
					if scheme == "dark" && at != "/" {
						continue
					}
					b.visit(at)
					if wide := value[int64](b, `document.documentElement.scrollWidth`); wide > width {
						t.Errorf("%s: %d pixels in a window of %d", at, wide, width)
					}
				}
				paper := value[string](b, `getComputedStyle(document.body).backgroundColor`)
				b.visit("/")
				if dark := value[string](b, `getComputedStyle(document.body).backgroundColor`) == "rgb(20, 23, 26)"; dark != (scheme == "dark") {
					t.Errorf("%s: %s", scheme, paper)
				}
			}
			b.visit("/?q=warehouse&kind=exact")
			if open := value[bool](b, `document.querySelector('.filters details').open`); open != (width == 1600) {
				t.Errorf("%d pixels: filters are open: %v", width, open)
			}
		}
	})

	t.Run("nothing is kept but the theme", func(t *testing.T) {
		b := open(t, window, base)
		b.visit("/?q=warehouse&kind=exact")
		for _, want := range []string{"light", "dark", "auto"} {
			b.do(chromedp.Click("#theme"))
			b.until(fmt.Sprintf(`(document.documentElement.dataset.theme || 'auto') === %q`, want))
			if want == "dark" {
				b.visit("/status")
				b.until(`document.documentElement.dataset.theme === 'dark' && getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 26)'`)
			}
		}
		b.do(chromedp.Click("#theme"))
		if kept := value[string](b, `document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)`); kept != `{"theme":"light"}{}` {
			t.Errorf("kept %s", kept)
		}
	})

	t.Run("login", func(t *testing.T) {
		const token = "0123456789abcdef-token"
		base := serve(t, token, repository(t, tree()))
		b := open(t, window, base)
		asked := make(chan string, 16)
		chromedp.ListenTarget(b.ctx, func(event any) {
			switch e := event.(type) {
			case *fetch.EventRequestPaused:
				go chromedp.Run(b.ctx, fetch.ContinueRequest(e.RequestID))
			case *fetch.EventAuthRequired:
				asked <- e.AuthChallenge.Scheme
				go chromedp.Run(b.ctx, fetch.ContinueWithAuth(e.RequestID, &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseProvideCredentials, Username: "anyone", Password: token}))
			}
		})
		b.do(fetch.Enable().WithHandleAuthRequests(true))
		b.visit("/")
		if scheme := <-asked; !strings.EqualFold(scheme, "basic") {
			t.Errorf("asked for %s", scheme)
		}
		b.do(chromedp.SendKeys("#q", "warehouse"))
		b.until(`document.querySelectorAll('.hit').length > 0`)
	})
}

// pages returns one page of each kind.
func pages() []string {
	return []string{
		"/", "/?q=how+does+a+customer+pay", "/?q=warehouse&kind=exact", "/?q=zebra&kind=symbol", "/?q=" + url.QueryEscape(`path:(`), "/file?path=shop/order.go&q=warehouse&kind=exact", "/file?path=docs/orders.md",
		"/relations?of=Order.Place", "/relations?of=Order.Place&show=impact", "/relations?of=checkout&show=implementations", "/relations?of=Pay", "/relations?of=shop/", "/status", "/file?path=nowhere", "/file?path=evil/hostile.md", "/file?path=" + url.QueryEscape("evil/<img src=x onerror=alert(1)>.go"), "/?q=alert&kind=exact",
	}
}

// TestAccessible checks every page with axe-core, wide and narrow, light and dark. $CORTEX_AXE names the script of
// axe-core; scripts/axe downloads it.
func TestAccessible(t *testing.T) {
	name := os.Getenv("CORTEX_AXE")
	if name == "" {
		t.Skip("scripts/axe fetches axe-core and runs this test")
	}
	axe, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, chromium(t), serve(t, "", repository(t, tree())))
	for _, width := range []int64{400, 1600} {
		for _, scheme := range []string{"light", "dark"} {
			b.do(chromedp.EmulateViewport(width, 900), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			for _, at := range pages() {
				b.visit(at)
				b.do(chromedp.Evaluate(`document.querySelectorAll('details').forEach((d) => { d.open = true; })`, nil), chromedp.Evaluate(string(axe), nil))
				var found []string
				b.do(chromedp.Evaluate(`axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => v.impact + ' ' + v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' ' + (n.any[0] ? n.any[0].message : '')).join(' | ')))`, &found,
					func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
				for _, f := range found {
					t.Errorf("%d %s %s: %s", width, scheme, at, f)
				}
			}
		}
	}
}
