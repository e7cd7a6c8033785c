package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"cortex/lib/terminal"
)

// redraw is the minimum time between two updates of the line.
const redraw = 100 * time.Millisecond

// StartProgress starts a progress line. In a pipeline only the last stage shows one: StartProgress returns nil if
// Stdout is a pipe.
func (env *Env) StartProgress(label string) *Progress {
	if env.Quiet || !IsTerminal(env.Stderr) || isPipe(env.Stdout) {
		return nil
	}
	p := &Progress{env: env, label: label}
	env.mu.Lock()
	env.progress = p
	env.mu.Unlock()
	return p
}

func isPipe(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// Update shows that done of total items are done, and the name of the last one. A total of 0 means unknown.
func (p *Progress) Update(done, total int, item string) {
	if p == nil || time.Since(p.shown) < redraw {
		return
	}
	p.env.mu.Lock()
	defer p.env.mu.Unlock()
	p.shown = time.Now()
	line := fmt.Sprintf("%s %d", p.label, done)
	if total > 0 {
		const cells = 20
		full := min(cells, done*cells/total)
		line = fmt.Sprintf("%s [%s%s] %d/%d", p.label, strings.Repeat("=", full), strings.Repeat(" ", cells-full), done, total)
	}
	line += "  " + terminal.Clean(terminal.Short(item, maxMessageLine))
	width, _ := Screen(p.env.Stderr)
	width = cmp.Or(width, 80)
	for utf8.RuneCountInString(line) >= width {
		_, size := utf8.DecodeLastRuneInString(line)
		line = line[:len(line)-size]
	}
	fmt.Fprintf(p.env.Stderr, "\r%s\x1b[K", line)
	p.drawn = true
}

// Stop removes the line.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	p.env.mu.Lock()
	defer p.env.mu.Unlock()
	p.clear()
	p.env.progress = nil
}
