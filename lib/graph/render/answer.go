package render

import (
	"encoding/json"
	"io"
	"strings"

	"cortex/lib/graph/table"
)

// Answer writes an answer.
func Answer(w io.Writer, a *table.Answer, opts Options) error {
	var text string
	switch opts.Format {
	case Brief:
		text = brief(a, opts)
	case JSON:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(a)
	case Quickfix:
		text = quickfix(a, opts)
	case DOT:
		text = dot(a, opts)
	case Mermaid:
		text = mermaid(a, opts)
	default:
		text = pretty(a, opts)
	}
	_, err := io.WriteString(w, text)
	return err
}

// Hit returns one result as Answer writes it, for measuring its size.
func Hit(h *table.Hit, opts Options) string {
	if opts.Format == JSON {
		text, _ := json.Marshal(h)
		return string(text)
	}
	p := page{opts: opts, b: &strings.Builder{}}
	if opts.Format == Brief {
		// This is the longest form: below the path of its file, a result takes less.
		p.briefHit(&table.Answer{Target: &table.Symbol{}}, h, false)
		return p.b.String()
	}
	p.hit(h)
	return p.b.String()
}
