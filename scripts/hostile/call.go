package main

import (
	"bytes"
	"context"
	"os"
	"strings"
)

// call makes one call of a command, or holds a short conversation with cortex-serve.
func (c *hostile) call(ctx context.Context) error {
	c.count(1)
	switch c.IntN(8) {
	case 0, 1:
		return c.converse(ctx)
	case 2:
		return c.feed(ctx)
	}
	command := pick(c, commands...)
	words := strings.Fields(command.words)
	for range c.upTo(5) {
		words = append(words, "--"+c.fill(pick(c, strings.Fields(command.flags)...)))
	}
	if forms := strings.Fields(command.forms); len(forms) > 0 { // once, since only the last --format counts
		words = append(words, "--format="+pick(c, forms...))
	}
	words = append(words, "--")
	for _, a := range strings.Fields(command.arguments) {
		words = append(words, c.fill(a))
	}
	p := c.process(ctx, words...)
	p.cmd.Stdin = strings.NewReader(c.words())
	if c.IntN(8) == 0 {
		p.cmd.Env = append(p.cmd.Env, pick(c, "SOURCE_DATE_EPOCH=", "CORTEX_SEARCH_FUZZY_DISTANCE=", "CORTEX_PATHS_IGNORE=", "CORTEX_NONSENSE=", "GOMAXPROCS=", "COLUMNS=", "NO_COLOR=", "LANG=", "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "CORTEX_CACHE_DIR=")+
			pick(c, "", "0", "-1", "253402300800", "99999999999999999999", "1e9", "/dev/null", "relative/x", c.fill("WORD")))
	}
	return p.run()
}

func (h *hunt) count(calls int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.called += calls
}

// A command is a row of the table of calls. Words in capitals are placeholders; see fill.
type command struct{ words, flags, forms, arguments string }

const (
	filters = "limit=NUMBER offset=NUMBER path=GLOB language=WORD type=WORD tag=WORD symbol-type=WORD symbol=GLOB context=NUMBER before=NUMBER max-tokens=NUMBER jobs=NUMBER quiet root=PLACE color=always min-score=NUMBER mode=MODE explain whole "
	model   = "provider=PROVIDER model=PLACE endpoint=ENDPOINT dimensions=NUMBER timeout=1ms jobs=NUMBER quiet "
	parsing = "root=PLACE tree=WORD max-size=NUMBER code=GLOB docs=GLOB ignore=GLOB incremental full null no-stat-cache files-from=PLACE store=PLACE fail-on=WORD jobs=NUMBER"
)

var commands = []command{
	{"cortex-query exact", filters + "count files-with-matches null", "json pretty grep quickfix", "QUERY"},
	{"cortex-query exact", filters, "json pretty grep quickfix", "QUERY"},
	{"cortex-query search", filters + model, "json pretty", "WORDS"},
	{"cortex-query search", filters, "json pretty", "WORDS WORDS"},
	{"cortex-query similar", filters, "json pretty", "PLACE"},
	{"cortex-query graph", filters + "depth=NUMBER min-confidence=NUMBER", "json pretty quickfix dot mermaid", "OPERATION TARGET"},
	{"cortex-query graph", filters, "json pretty dot mermaid", "path TARGET TARGET"},
	{"cortex-query status", "root=PLACE json", "", ""}, {"cortex-store status", "store=PLACE", "", ""}, {"cortex-store verify", "store=PLACE", "", ""}, {"cortex-store cat", "store=PLACE encoding=WORD", "", ""},
	{"cortex-parse", parsing, "", "PLACE"}, {"cortex-parse", parsing, "", ""},
	{"cortex-embed info", model, "", ""}, {"cortex-embed similar", model, "", "WORDS WORDS"},
	{"cortex-serve --no-watch", model + "root=PLACE", "", ""},
}

// fill replaces a placeholder by a random value that can be passed to a process: less than 128 KiB, without NUL
// (execve(2)).
func (c *hostile) fill(text string) string {
	name, capitals, ok := strings.Cut(text, "=")
	if !ok {
		name, capitals = "", text
	}
	var drawn string
	switch capitals {
	case "NUMBER":
		drawn = pick(c, "0", "1", "-1", "3", "50", "1000000", "2147483648", "9223372036854775807", "99999999999999999999", "1e3", "0x10", "NaN", "", "full", c.word())
	case "WORD":
		drawn = c.word()
	case "WORDS":
		drawn = c.words()
	case "GLOB":
		drawn = c.pattern()
	case "QUERY":
		drawn = c.query()
	case "MODE":
		drawn = pick(c, "auto", "semantic", "keyword", "hybrid", "fusion", c.word())
	case "PROVIDER":
		drawn = pick(c, "builtin", "model2vec", "bert", "ollama", "openai", "http", "", c.word())
	case "ENDPOINT":
		drawn = pick(c, "http://127.0.0.1:9", "http://a:b@127.0.0.1:9/", "file:///etc/passwd", "127.0.0.1", c.word())
	case "OPERATION":
		drawn = pick(c, "callers", "callees", "implementations", "dependencies", "dependents", "type_usages", "references", "impact", c.word())
	case "TARGET":
		drawn = pick(c, "T1", "T1.A", "main", "New", "lib", "d1", "types.go:2", c.place(), c.word())
	case "PLACE":
		drawn = c.place()
	default:
		return text
	}
	drawn = strings.ReplaceAll(drawn[:min(len(drawn), 100<<10)], "\x00", "")
	if ok {
		return name + "=" + drawn
	}
	return drawn
}

// place returns a random path. None leads to a place where something may be written.
func (c *hostile) place() string {
	return pick(c, ".", "", "lib", "a.go", "a.go:1", "README.md:99999999999999999999", ":1", "x:-1", "./././lib/", "lib/..", "/dev/null", "/dev/null/x", "-", strings.Repeat("a/", 3000), strings.Repeat("n", 5000), "{,}", strings.NewReplacer("..", "", "/", "").Replace(c.word()))
}

// query returns a random query of exact search.
func (c *hostile) query() string {
	n := 1 + c.upTo(4000)
	term := func() string {
		return pick(c, c.word(), "file", "e*", "*e*", "??*", "a~2", "recieve~1", "/(a*)*b/", "/(a|a)*$/", "/.{1000}/", "/(((((a{50}){50}){50}/", "/[^a]*?/", "/\\p{L}+/", `"the file"~9999999`, `"a * b"`, "text:*", "path:**", "chunk_type:sym*", "symbol:{a,b}*", "lang:\x00", "x^1e309", "x^-1", "*:*", `""`)
	}
	switch c.IntN(5) {
	case 0:
		return strings.Repeat(term()+pick(c, " ", " OR ", " AND ", " NOT ", " -", "|"), n) + term()
	case 1:
		return strings.Repeat(pick(c, "(", "NOT ", "-", "+", "text:(", "!", "\"", "/"), n) + term() + strings.Repeat(")", c.IntN(n+1))
	case 2:
		return pick(c, "", "/", "text:") + strings.Repeat(pick(c, "*", "?", "a*", "a?", "(a", ".*", "[a-z]", "\\", "é"), n) + pick(c, "", "/", "~2")
	}
	var b strings.Builder
	for range 1 + c.upTo(300) {
		b.WriteString(term() + pick(c, " ", " OR ", " NOT ", " AND "))
	}
	return b.String()
}

// feed gives a stage an input that was cut or changed, or that is not a stream of records.
func (c *hostile) feed(ctx context.Context) error {
	stage := c.IntN(3)
	data, err := os.ReadFile(c.stage(stage))
	if err != nil {
		return err
	}
	switch lines := bytes.SplitAfter(data, []byte("\n")); c.IntN(6) {
	case 0:
		data = data[:c.IntN(len(data)+1)]
	case 1:
		data = []byte(pick(c, "", "\n", "null", "[]", "{", `{"type":"chunk"}`, `{"type":"begin","schema":1,"mode":"full","files":-1}`, c.words()))
	case 2:
		data = bytes.Repeat(data, 2)
	case 3:
		c.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		data = bytes.Join(lines, nil)
	default:
		for range 1 + c.upTo(50) {
			data = pick(c, c.otherValue, c.otherValue, c.otherValue, c.mutated)(data)
		}
	}
	words := []string{[]string{"cortex-chunk", "cortex-embed", "cortex-store"}[stage]}
	for range c.upTo(3) {
		words = append(words, "--"+c.fill(pick(c, "doc-chunk-size=NUMBER", "code-chunk-size=NUMBER", "overlap=NUMBER", "strategies=WORD", "quiet", "force", "encoding=float")))
	}
	p := c.process(ctx, words...)
	p.cmd.Stdin = bytes.NewReader(data)
	return p.run()
}
