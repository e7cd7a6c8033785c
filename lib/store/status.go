package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/shorten"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// A Status describes a store for its user.
type Status struct {
	Store       string                 `json:"store"`
	Generation  int64                  `json:"generation"`
	GeneratedAt string                 `json:"generated_at"`
	Model       string                 `json:"model"`
	Dimensions  int                    `json:"dimensions"`
	Settings    map[string]string      `json:"settings"`
	Trees       map[string]layout.Tree `json:"trees"`
	Stats       layout.Stats           `json:"stats"`
	// DiskBytes is the total size of the shards.
	DiskBytes int64 `json:"disk_bytes"`
	// Skipped has the reasons for skipping files, the most frequent first.
	Skipped []SkipReason `json:"skipped"`
	// Unclean has the files with syntax errors or without structure, the worst first.
	Unclean []UncleanFile `json:"unclean"`
}

// A SkipReason is a reason with the files that were skipped for it.
type SkipReason struct {
	Reason string `json:"reason"`
	Files  int    `json:"files"`
	// FilePaths are the paths of these files, sorted.
	FilePaths []string `json:"file_paths"`
}

// An UncleanFile is a file that was not parsed in full.
type UncleanFile struct {
	FilePath   string        `json:"file_path"`
	Language   string        `json:"language"`
	Status     record.Status `json:"status"`
	ErrorCount int           `json:"error_count"`
	Size       int64         `json:"size"`
	Reason     string        `json:"reason,omitempty"`
}

// ReadStatus reads the status of the store in dir.
func ReadStatus(ctx context.Context, dir string) (*Status, error) {
	m, files, err := ReadFiles(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := StatusOf(filepath.Clean(dir), m, files)
	for _, shard := range m.Shards {
		s.DiskBytes += shard.Size
	}
	return s, nil
}

// StatusOf returns the status of the index called name, without DiskBytes. files must include at least the files that
// were skipped or not parsed in full.
func StatusOf(name string, m *layout.Manifest, files map[string]*shard.File) *Status {
	return &Status{
		Store: name, Generation: m.Generation, GeneratedAt: m.GeneratedAt,
		Model: m.Model, Dimensions: m.Dimensions, Settings: m.Settings, Trees: m.Trees, Stats: m.Stats,
		Skipped: skipReasons(files), Unclean: uncleanFiles(files),
	}
}

func skipReasons(files map[string]*shard.File) []SkipReason {
	byReason := map[string]*SkipReason{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if files[path].Record.Status != record.StatusSkipped {
			continue
		}
		// The text after a colon is about the single file.
		reason, _, _ := strings.Cut(files[path].Record.Reason, ":")
		r := byReason[reason]
		if r == nil {
			r = &SkipReason{Reason: reason}
			byReason[r.Reason] = r
		}
		r.Files++
		r.FilePaths = append(r.FilePaths, path)
	}
	reasons := []SkipReason{}
	for _, r := range byReason {
		reasons = append(reasons, *r)
	}
	slices.SortFunc(reasons, func(a, b SkipReason) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Reason, b.Reason))
	})
	return reasons
}

func uncleanFiles(files map[string]*shard.File) []UncleanFile {
	list := []UncleanFile{}
	for path, known := range files {
		f := &known.Record
		if f.Status == record.StatusPartial || f.Status == record.StatusError {
			list = append(list, UncleanFile{path, f.Language, f.Status, f.ErrorCount, f.Size, f.Reason})
		}
	}
	slices.SortFunc(list, func(a, b UncleanFile) int {
		// A file without any structure is worse than one with errors.
		worse := func(f UncleanFile) int {
			if f.Status == record.StatusError {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(worse(a), worse(b)), cmp.Compare(b.ErrorCount, a.ErrorCount), cmp.Compare(a.FilePath, b.FilePath))
	})
	return list
}

// WriteJSON writes the status as one indented JSON object.
func (s *Status) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(s)
}

const (
	screenWidth = 80
	maxUnclean  = 10
	maxSkipped  = 3 // for each reason
)

// Write writes the status for people, in lines of at most 80 characters. The age of the index is relative to now.
func (s *Status) Write(w io.Writer, now time.Time) error {
	p := &page{}
	s.writeHead(p, now)
	s.writeLanguages(p)
	s.writeTypes(p)
	s.writeTrees(p)
	s.writeUnclean(p)
	s.writeSkipped(p)
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (s *Status) writeHead(p *page, now time.Time) {
	model := "none: keyword search only"
	if s.Dimensions > 0 {
		model = fmt.Sprintf("%s, %d dimensions", s.Model, s.Dimensions)
	}
	written := s.GeneratedAt
	if t, err := time.Parse(layout.TimeLayout, s.GeneratedAt); err == nil {
		written = t.Format("2006-01-02 15:04:05 UTC") + age(now.Sub(t))
	}
	p.item("index", s.Store)
	p.item("written", fmt.Sprintf("%s, generation %s", written, terminal.Number(int(s.Generation))))
	p.item("model", model)
	p.item("files", fmt.Sprintf("%s indexed (%s)%s", terminal.Number(s.Stats.Files), terminal.Bytes(s.Stats.Bytes), layout.StatusCounts(s.Stats.FilesByStatus)))
	p.item("chunks", fmt.Sprintf("%s (%s on disk)", terminal.Number(s.Stats.Chunks), terminal.Bytes(s.DiskBytes)))
	if n := s.Stats.Unembedded; n > 0 {
		p.item("", fmt.Sprintf("%s without embedding, found by words alone until cortex-parse --incremental fills them in", terminal.Count(n, "chunk", "chunks")))
	}
	var settings []string
	for _, stage := range slices.Sorted(maps.Keys(s.Settings)) {
		settings = append(settings, stage+" "+s.Settings[stage])
	}
	if len(settings) > 0 {
		p.item("settings", strings.Join(settings, ", "))
	}
}

// age describes the duration in its largest unit, as " (3 hours ago)".
func age(d time.Duration) string {
	switch {
	case d < 0:
		return ""
	case d < time.Minute:
		return " (just now)"
	case d < time.Hour:
		return " (" + terminal.Count(int(d/time.Minute), "minute", "minutes") + " ago)"
	case d < 48*time.Hour:
		return " (" + terminal.Count(int(d/time.Hour), "hour", "hours") + " ago)"
	}
	return " (" + terminal.Count(int(d/(24*time.Hour)), "day", "days") + " ago)"
}

func (s *Status) writeLanguages(p *page) {
	names := slices.SortedFunc(maps.Keys(s.Stats.Languages), func(a, b string) int {
		x, y := s.Stats.Languages[a], s.Stats.Languages[b]
		return cmp.Or(cmp.Compare(y.Chunks, x.Chunks), cmp.Compare(y.Files, x.Files), cmp.Compare(a, b))
	})
	rows := [][]string{{"language", "files", "bytes", "chunks", "partial", "error"}}
	for _, name := range names {
		l := s.Stats.Languages[name]
		rows = append(rows, []string{name, terminal.Number(l.Files), terminal.Bytes(l.Bytes), terminal.Number(l.Chunks), numberOrNothing(l.Partial), numberOrNothing(l.Error)})
	}
	p.table(rows)
}

func (s *Status) writeTypes(p *page) {
	rows := [][]string{{"chunk type", "chunks"}}
	for _, t := range record.ChunkTypes {
		if n := s.Stats.ChunksByType[t]; n > 0 {
			rows = append(rows, []string{string(t), terminal.Number(n)})
		}
	}
	p.table(rows)
}

func (s *Status) writeTrees(p *page) {
	if len(s.Trees) < 2 && s.Trees[""].Settings != nil {
		return
	}
	rows := [][]string{{"tree", "files", "chunks"}}
	for _, name := range slices.Sorted(maps.Keys(s.Trees)) {
		rows = append(rows, []string{cmp.Or(name, "(without a name)"), terminal.Number(s.Trees[name].Files), terminal.Number(s.Trees[name].Chunks)})
	}
	p.table(rows)
}

func (s *Status) writeUnclean(p *page) {
	if len(s.Unclean) == 0 {
		return
	}
	rows := [][]string{{"not parsed in full", "language", "status", "syntax errors"}}
	for _, f := range s.Unclean[:min(len(s.Unclean), maxUnclean)] {
		rows = append(rows, []string{f.FilePath, f.Language, string(f.Status), terminal.Number(f.ErrorCount)})
	}
	p.table(rows)
	if more := len(s.Unclean) - maxUnclean; more > 0 {
		p.more("", more)
	}
}

func (s *Status) writeSkipped(p *page) {
	if len(s.Skipped) == 0 {
		return
	}
	p.line("")
	p.line("skipped")
	for _, r := range s.Skipped {
		p.line(fmt.Sprintf("  %s, %s", cmp.Or(r.Reason, "no reason given"), count(r)))
		for _, path := range r.FilePaths[:min(len(r.FilePaths), maxSkipped)] {
			p.line("    " + shorten.Start(path, screenWidth-4))
		}
		if more := len(r.FilePaths) - maxSkipped; more > 0 {
			p.more("    ", more)
		}
	}
}

// count describes the number of skipped files or, for reasons that concern whole folders, of skipped folders.
func count(r SkipReason) string {
	if r.Reason == record.SkippedProducts || r.Reason == record.SkippedWorktree {
		return terminal.Count(r.Files, "folder", "folders")
	}
	return terminal.Count(r.Files, "file", "files")
}

// maxShown is the greatest length of a line in bytes; reasons and names from a foreign store can be long.
const maxShown = 1000

// A page is text for a terminal.
type page struct {
	b strings.Builder
}

// line writes a line, without control characters, since the text may come from an untrusted repository.
func (p *page) line(text string) {
	p.b.WriteString(terminal.Clean(terminal.Short(text, maxShown)) + "\n")
}

// more writes how many entries are left out, and how to list them.
func (p *page) more(indent string, n int) {
	p.line(fmt.Sprintf("%sand %s more (--json lists all)", indent, terminal.Number(n)))
}

// item writes a name and its value, with line breaks after commas where the line is too long.
func (p *page) item(name, value string) {
	const indent = 10
	line := fmt.Sprintf("%-*s", indent, name)
	for i, part := range strings.SplitAfter(value, ", ") {
		if i > 0 && utf8.RuneCountInString(line)+utf8.RuneCountInString(strings.TrimRight(part, " ")) > screenWidth {
			p.line(strings.TrimRight(line, " "))
			line = strings.Repeat(" ", indent)
		}
		line += part
	}
	p.line(strings.TrimRight(line, " "))
}

// table writes rows after an empty line: the first column left-aligned and shortened to fit, the others right-aligned.
func (p *page) table(rows [][]string) {
	const gap = 2
	if len(rows) < 2 {
		return
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	others := 0
	for _, width := range widths[1:] {
		others += width + gap
	}
	widths[0] = max(min(widths[0], screenWidth-others), 10)
	p.line("")
	for _, row := range rows {
		line := pad(shorten.Start(row[0], widths[0]), widths[0])
		for i, cell := range row[1:] {
			line += strings.Repeat(" ", gap+widths[i+1]-utf8.RuneCountInString(cell)) + cell
		}
		p.line(strings.TrimRight(line, " "))
	}
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 0))
}

func numberOrNothing(n int) string {
	if n == 0 {
		return "-"
	}
	return terminal.Number(n)
}
