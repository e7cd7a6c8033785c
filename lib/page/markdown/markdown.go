// Package markdown renders Markdown documents as safe HTML: it shows a document's own HTML as text, links lead to
// indexed files or to the web, and images are not loaded. All of it is in markdown.go; begin with Render.
package markdown

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	markup "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"cortex/lib/page/highlight"
	"cortex/lib/record"
	"cortex/lib/terminal"
)

// Bounds of rendered documents, in bytes; others are shown as source. The time of the parser grows with the square of
// the length of a paragraph, and its recursion with the number of markers at the beginning of a line.
const (
	maxDocument  = 256 << 10
	maxParagraph = 16 << 10
	maxNested    = 64
)

// isTame reports whether a document is within the bounds.
func isTame(doc string) bool {
	if len(doc) > maxDocument {
		return false
	}
	paragraph := 0
	for line := range strings.Lines(doc) {
		indent := strings.TrimLeft(line, " \t>-*+")
		if len(line)-len(indent) > maxNested && len(strings.TrimSpace(indent)) > 0 {
			return false
		}
		if strings.TrimSpace(line) == "" || beginsBlock(indent, line) {
			paragraph = 0
		}
		paragraph += len(line)
		if paragraph > maxParagraph {
			return false
		}
	}
	return true
}

// beginsBlock reports whether a line begins a block, such as a list item, heading or table row. rest is the line after
// its markers.
func beginsBlock(rest, line string) bool {
	marks := strings.TrimLeft(line[:len(line)-len(rest)], " \t")
	return marks != "" && strings.HasSuffix(marks, " ") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|")
}

// Options say how to render a document.
type Options struct {
	// Path is the path of the document. FileURL returns the link to a file of its tree.
	Path    string
	FileURL func(path string) string
	// Marks are the byte ranges to mark, by line.
	Marks map[int][][2]int
	// Colours colours code blocks.
	Colours *highlight.Colours
}

// Render renders a document. It returns "" if the document would take too long. Before each block there are anchors for
// the lines of the block, with the same names as in the source view. HTML in the document is shown as text, links lead
// to indexed files or to the web, and images are replaced by their descriptions.
func Render(doc string, opts Options) (out template.HTML, err error) {
	if !isTame(doc) {
		return "", nil
	}
	defer func() {
		if v := recover(); v != nil {
			out, err = "", fmt.Errorf("render %s: panic: %v", opts.Path, v)
		}
	}()
	source := []byte(terminal.CleanLines(frontMatterAsCode(strings.ReplaceAll(doc, "\r\n", "\n"))))
	w := &writer{colours: opts.Colours, source: source, folder: path.Dir(opts.Path), fileURL: opts.FileURL, marks: opts.Marks, slugs: map[string]int{}}
	md := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough, extension.TaskList),
		goldmark.WithParserOptions(parser.WithHeadingAttribute()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(w, 1))),
	)
	tree := md.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext()))
	w.anchorBlocks(tree)
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, tree); err != nil {
		return "", fmt.Errorf("render %s: %w", opts.Path, err)
	}
	return template.HTML(b.String()), nil
}

// frontMatter marks the block of code that was the front matter, behind its language.
const frontMatter = " front matter"

// frontMatterAsCode turns the delimiters of the front matter into those of a block of code, with the same lines.
func frontMatterAsCode(doc string) string {
	for delimiter, language := range map[string]string{"---": "yaml", "+++": "toml"} {
		rest, ok := strings.CutPrefix(doc, delimiter+"\n")
		if !ok {
			continue
		}
		if matter, body, ok := strings.Cut(rest, "\n"+delimiter+"\n"); ok {
			fence := "~~~"
			for strings.Contains(matter, fence) {
				fence += "~"
			}
			return fence + language + frontMatter + "\n" + matter + "\n" + fence + "\n" + body
		}
	}
	return doc
}

// A writer renders the nodes for which goldmark's own output would be unsafe or lack links and marks.
type writer struct {
	colours *highlight.Colours
	source  []byte
	folder  string
	fileURL func(path string) string
	marks   map[int][][2]int
	// starts are the byte offsets of the lines. slugs counts the headings by slug.
	starts []int
	slugs  map[string]int
}

// An anchors node precedes a block and has the anchors of the block's lines.
type anchors struct {
	ast.BaseBlock
	first, last int
}

var anchorsKind = ast.NewNodeKind("Anchors")

func (*anchors) Kind() ast.NodeKind              { return anchorsKind }
func (a *anchors) Dump(source []byte, level int) { ast.DumpHelper(a, source, level, nil, nil) }

// startOf returns the byte offset of a block, -1 if unknown.
func startOf(n ast.Node) int {
	if n.Type() != ast.TypeInline && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start
	}
	if n.FirstChild() != nil && n.FirstChild().Type() != ast.TypeInline {
		return startOf(n.FirstChild())
	}
	return -1
}

// lineAt returns the line that contains the byte offset.
func (w *writer) lineAt(at int) int {
	n, found := slices.BinarySearch(w.starts, at)
	if found {
		n++
	}
	return max(n, 1)
}

// anchorBlocks inserts anchors before the blocks of the document.
func (w *writer) anchorBlocks(tree ast.Node) {
	w.starts = []int{0}
	for i, c := range w.source {
		if c == '\n' {
			w.starts = append(w.starts, i+1)
		}
	}
	var last *anchors
	next := 1
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		if at := startOf(n); at >= 0 && w.lineAt(at) >= next {
			if last != nil {
				last.last = w.lineAt(at) - 1
			}
			first := w.lineAt(at)
			next = first + 1
			if last == nil {
				first = 1
			}
			last = &anchors{first: first, last: next - 1}
			tree.InsertBefore(tree, n, last)
		}
	}
	if last != nil {
		last.last = len(w.starts)
	}
}

func (w *writer) anchors(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		out.WriteString(`<p class="anchors">`)
		for line := n.(*anchors).first; line <= n.(*anchors).last; line++ {
			fmt.Fprintf(out, `<span id="L%d"></span>`, line)
		}
		out.WriteString("</p>\n")
	}
	return ast.WalkContinue, nil
}

// text writes a piece of prose with its marks.
func (w *writer) text(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	t := n.(*ast.Text)
	write := func(from, to int) {
		if piece := source[from:to]; t.IsRaw() {
			markup.DefaultWriter.RawWrite(out, piece)
		} else {
			markup.DefaultWriter.Write(out, piece)
		}
	}
	at, end := t.Segment.Start, t.Segment.Stop
	line := w.lineAt(at)
	for _, m := range w.marks[line] {
		from, to := w.starts[line-1]+m[0], w.starts[line-1]+m[1]
		if at <= from && from < to && to <= end && utf8.RuneStart(source[from]) && (to == len(source) || utf8.RuneStart(source[to])) {
			write(at, from)
			out.WriteString("<mark>")
			write(from, to)
			out.WriteString("</mark>")
			at = to
		}
	}
	write(at, end)
	switch {
	case t.HardLineBreak():
		out.WriteString("<br>\n")
	case t.SoftLineBreak():
		out.WriteByte('\n')
	}
	return ast.WalkContinue, nil
}

// line returns a line of code, or a part of one, with its marks.
func (w *writer) line(at text.Segment, spans []highlight.Span) template.HTML {
	number := w.lineAt(at.Start)
	shift := w.starts[number-1] - at.Start + at.Padding
	var marks [][2]int
	for _, m := range w.marks[number] {
		marks = append(marks, [2]int{m[0] + shift, m[1] + shift})
	}
	return highlight.Line(spans, marks)
}

// plain returns a line of code without colours.
func (w *writer) plain(at text.Segment) template.HTML {
	return w.line(at, []highlight.Span{{Text: strings.TrimSuffix(string(at.Value(w.source)), "\n")}})
}

func (w *writer) codeSpan(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	out.WriteString("<code>")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			continue
		}
		out.WriteString(string(w.plain(t.Segment)))
		if bytes.HasSuffix(t.Segment.Value(source), []byte("\n")) {
			out.WriteByte(' ')
		}
	}
	out.WriteString("</code>")
	return ast.WalkSkipChildren, nil
}

// RegisterFuncs implements renderer.NodeRenderer.
func (w *writer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(anchorsKind, w.anchors)
	r.Register(ast.KindText, w.text)
	r.Register(ast.KindCodeSpan, w.codeSpan)
	r.Register(ast.KindHeading, w.heading)
	r.Register(ast.KindLink, w.link)
	r.Register(ast.KindAutoLink, w.autoLink)
	r.Register(ast.KindImage, w.image)
	r.Register(ast.KindRawHTML, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkSkipChildren, nil })
	r.Register(ast.KindHTMLBlock, w.htmlBlock)
	r.Register(ast.KindFencedCodeBlock, w.code)
	r.Register(ast.KindCodeBlock, w.code)
}

// slugPrefix distinguishes the anchors of a document from those of the page.
const slugPrefix = "s-"

func (w *writer) heading(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	level := min(h.Level+1, 6) // the page has the only heading of level 1
	if !entering {
		fmt.Fprintf(out, "</h%d>\n", level)
		return ast.WalkContinue, nil
	}
	slug := slugOf(plainText(h, source))
	if id, ok := h.AttributeString("id"); ok {
		slug = fmt.Sprintf("%s", id)
	}
	if n := w.slugs[slug]; n > 0 {
		slug = fmt.Sprintf("%s-%d", slug, n)
	}
	w.slugs[slug]++
	fmt.Fprintf(out, `<h%d id="%s">`, level, html.EscapeString(slugPrefix+slug))
	return ast.WalkContinue, nil
}

// slugOf returns the anchor of a heading as code forges make it.
func slugOf(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))
}

// plainText returns the text of a node.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch t := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(t.Value(source))
			}
		case *ast.String:
			if entering {
				b.Write(t.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// target returns the URL of a link in the document; "" if the link leads nowhere. outside says that the URL is not one
// of these pages.
func (w *writer) target(destination string) (to string, outside bool) {
	u, err := url.Parse(strings.TrimSpace(destination))
	switch {
	case err != nil:
		return "", false
	case u.Scheme == "http" || u.Scheme == "https":
		return u.String(), true
	case u.Scheme != "" || u.Host != "" || u.Opaque != "":
		return "", false
	case u.Path == "" && u.Fragment != "":
		return anchorOf(u.Fragment), false
	}
	file := path.Join(w.folder, u.Path)
	if strings.HasPrefix(u.Path, "/") {
		file = strings.TrimPrefix(path.Clean(u.Path), "/")
	}
	if record.CheckPath(file) != nil {
		return "", false
	}
	to = w.fileURL(file)
	if u.Fragment != "" {
		to += anchorOf(u.Fragment)
	}
	return to, false
}

// lineFragment is that of a link to lines of a file, as code forges make it.
var lineFragment = regexp.MustCompile(`^(L\d+)(-L\d+)?$`)

// anchorOf returns the fragment for a link in a document: to a line, or to a heading.
func anchorOf(fragment string) string {
	if m := lineFragment.FindStringSubmatch(fragment); m != nil {
		return "#" + m[1]
	}
	return "#" + url.PathEscape(slugPrefix+fragment)
}

func (w *writer) anchor(out util.BufWriter, destination string) (open bool) {
	to, outside := w.target(destination)
	if to == "" {
		return false
	}
	rel := ""
	if outside {
		rel = ` rel="noopener noreferrer nofollow"`
	}
	fmt.Fprintf(out, `<a href="%s"%s>`, html.EscapeString(to), rel)
	return true
}

func (w *writer) link(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	destination := string(n.(*ast.Link).Destination)
	if entering {
		w.anchor(out, destination)
	} else if to, _ := w.target(destination); to != "" {
		out.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func (w *writer) autoLink(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	label := string(n.(*ast.AutoLink).Label(source))
	open := w.anchor(out, label)
	out.WriteString(html.EscapeString(label))
	if open {
		out.WriteString("</a>")
	}
	return ast.WalkSkipChildren, nil
}

func (w *writer) image(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	says := plainText(n, source)
	if says == "" {
		says = path.Base(string(n.(*ast.Image).Destination))
	}
	// A link may enclose the image, and links cannot be nested, so the image gets no link.
	out.WriteString(`<span class="image">` + html.EscapeString(says) + `</span>`)
	return ast.WalkSkipChildren, nil
}

func (w *writer) htmlBlock(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.HTMLBlock)
	if bytes.HasPrefix(bytes.TrimSpace(block.Lines().Value(source)), []byte("<!--")) {
		return ast.WalkSkipChildren, nil
	}
	lines := block.Lines().Sliced(0, block.Lines().Len())
	if block.HasClosure() {
		lines = append(slices.Clone(lines), block.ClosureLine)
	}
	var raw, shown strings.Builder
	isMarked := false
	for _, at := range lines {
		raw.Write(at.Value(source))
		shown.WriteString(string(w.plain(at)) + "\n")
		isMarked = isMarked || len(w.marks[w.lineAt(at.Start)]) > 0
	}
	said := textOfHTML(raw.String())
	if len(said) == 0 && !isMarked {
		return ast.WalkSkipChildren, nil // a closing tag, for example
	}
	if len(said) > 0 {
		out.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(strings.Join(said, "\n")), "\n", "<br>\n") + "</p>\n")
	}
	out.WriteString(folded("HTML", `<pre tabindex="0">`+strings.TrimSpace(shown.String())+"</pre>", isMarked) + "\n")
	return ast.WalkSkipChildren, nil
}

// folded returns a block that is shown on request, or at once if something in it is marked.
func folded(summary, block string, isMarked bool) string {
	open := ""
	if isMarked {
		open = " open"
	}
	return `<details class="raw"` + open + "><summary>" + summary + "</summary>" + block + "</details>"
}

var (
	imageTag = regexp.MustCompile(`(?is)<img\b[^>]*?\balt\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>`)
	anyTag   = regexp.MustCompile(`(?s)<!--.*?-->|<[a-zA-Z/!?][^>]*>`)
)

// textOfHTML returns the lines that a reader of rendered HTML would see, with descriptions of images. The caller
// escapes them.
func textOfHTML(raw string) []string {
	raw = anyTag.ReplaceAllString(imageTag.ReplaceAllString(raw, " $1$2 "), "")
	var lines []string
	for line := range strings.Lines(html.UnescapeString(raw)) {
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			lines = append(lines, terminal.Clean(strings.Join(strings.Fields(line), " ")))
		}
	}
	return lines
}

func (w *writer) code(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language, isFolded := "", false
	if f, ok := n.(*ast.FencedCodeBlock); ok && f.Info != nil {
		language = string(f.Language(source))
		isFolded = bytes.HasSuffix(f.Info.Value(source), []byte(frontMatter))
	}
	var code strings.Builder
	isMarked := false
	for i, spans := range w.colours.Lines(language, strings.TrimSuffix(string(n.Lines().Value(source)), "\n")) {
		if i < n.Lines().Len() {
			at := n.Lines().At(i)
			code.WriteString(string(w.line(at, spans)) + "\n")
			isMarked = isMarked || len(w.marks[w.lineAt(at.Start)]) > 0
		}
	}
	block := `<pre tabindex="0"><code>` + code.String() + "</code></pre>"
	if isFolded {
		block = folded("Front matter", block, isMarked)
	}
	out.WriteString(block + "\n")
	return ast.WalkSkipChildren, nil
}
