package document

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// maxInline is the length in bytes of the longest heading whose markup is parsed.
const maxInline = 500

// A plainText turns inline Markdown into plain text. It makes its parser when the first heading with markup needs one.
type plainText struct {
	parser     parser.Parser
	references func() map[string]bool
}

// name returns the text of a heading without its markup.
func (p *plainText) name(source string) string {
	source = strings.TrimSpace(source)
	if i := strings.LastIndex(source, "{"); i > 0 && strings.HasSuffix(source, "}") && areAttributes(source[i+1:len(source)-1]) {
		source = strings.TrimSpace(source[:i])
	}
	if strings.Contains(source, "%}") || strings.Contains(source, ">}}") {
		if plain := strings.TrimSpace(shortcode.ReplaceAllString(source, "")); plain != "" {
			source = plain
		}
	}
	if len(source) > maxInline || !strings.ContainsAny(source, "*_`[]<>&\\~!\n") {
		return shorten.End(shorten.Line(source), maxHeadingName)
	}
	if p.parser == nil {
		p.parser = parser.NewParser(
			parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 100)),
			parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
				util.Prioritized(extension.NewStrikethroughParser(), 500))...))
	}
	src := []byte(source)
	ctx := referenceContext{parser.NewContext(), p.references}
	root := p.parser.Parse(gmtext.NewReader(src), parser.WithContext(ctx))
	var b strings.Builder
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Segment.Value(src)
			if n.Parent().Kind() != ast.KindCodeSpan {
				value = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value)))
			}
			b.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(src))
		}
		return ast.WalkContinue, nil
	})
	if plain := shorten.Line(b.String()); plain != "" {
		return shorten.End(plain, maxHeadingName)
	}
	return htmlText(source)
}

// shortcode matches a call of a template engine: a shortcode of Hugo, a tag of Jekyll or Jinja.
var shortcode = regexp.MustCompile(`\{\{[%<].*?[%>]\}\}|\{%.*?%\}`)

// areAttributes reports whether the text in braces at the end of a heading gives it an identifier, a class or other
// attributes, or is a comment of MDX.
func areAttributes(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && (strings.IndexByte("#.:", text[0]) >= 0 || strings.HasPrefix(text, "data-") ||
		strings.HasPrefix(text, "/*") && strings.HasSuffix(text, "*/") || strings.IndexByte(text, '=') == len(tagName(text)) && text[0] != '=')
}

// A referenceContext has the labels of all link definitions in the document, since the parser sees only one heading.
// The targets of the links do not matter.
type referenceContext struct {
	parser.Context
	labels func() map[string]bool
}

// Reference implements parser.Context.
func (c referenceContext) Reference(label string) (parser.Reference, bool) {
	if c.labels()[label] {
		return parser.NewReference([]byte(label), nil, nil), true
	}
	return nil, false
}

// linkLabels collects the labels of link definitions, normalised as goldmark does.
func linkLabels(source string) map[string]bool {
	labels := map[string]bool{}
	for pos := 0; pos < len(source); {
		end, next := lexical.NextLine(source, pos)
		line := strings.TrimLeft(source[pos:end], " ")
		if len(line) > 2 && line[0] == '[' {
			if i := strings.Index(line, "]:"); i > 1 && i < maxInline {
				labels[util.ToLinkReference([]byte(line[1:i]))] = true
			}
		}
		pos = next
	}
	return labels
}
