package page

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"cortex/lib/record"
	"cortex/lib/status"
	"cortex/lib/terminal"
)

// A statusOf is the state of one index, as the page of all indexes lists it.
type statusOf struct {
	Name string
	// Problem says why the other fields are empty.
	Problem string
	// Fresh says whether the index is up to date. Stale is set if it is not.
	Fresh string
	Stale bool
	Facts []fact
	// Languages are bars for the numbers of files, relative to the largest.
	Languages []bar
	Skipped   []skipped
	Unclean   []unclean
	// MoreUnclean is the number of files that are not listed.
	MoreUnclean int
}

type fact struct{ Name, Value string }

type bar struct {
	Name, Files, Size, Chunks string
	// Width is from 1 to 100.
	Width int
}

type skipped struct {
	Reason, Files string
	Examples      []string
}

type unclean struct{ Path, URL, Why string }

const (
	// maxUnclean is the number of files with errors that are listed.
	maxUnclean = 100
	// maxSkipped is the number of files named for each reason to skip them.
	maxSkipped = 3
)

// status returns the page of the state of the indexes.
func (s *Server) status(ctx context.Context, l *loans, values url.Values) (*view, error) {
	st, err := readState(values)
	if err != nil {
		return nil, err
	}
	all, errs := s.conditions(ctx, l)
	var list []statusOf
	for i, name := range s.names() {
		one := statusOf{Name: name}
		if errs[i] != nil {
			one.Problem = explained(errs[i])
		} else {
			one.fill(all[i], st)
			one.Name = cmp.Or(name, folderName(all[i].root))
		}
		list = append(list, one)
	}
	return &view{Template: "status", Title: "Index", Here: "status", State: st, Body: list}, nil
}

func (o *statusOf) fill(c *condition, st state) {
	o.Fresh, o.Stale = freshness(c)
	written := c.GeneratedAt
	if t, err := time.Parse(time.RFC3339, written); err == nil {
		written = t.UTC().Format("2 January 2006, 15:04 UTC")
	}
	model := c.Model
	if model == "" {
		model = "none: search by words alone"
	} else {
		model += fmt.Sprintf(", %d dimensions", c.Dimensions)
	}
	o.Facts = []fact{
		{"Files", terminal.Number(c.Stats.Files)}, {"Text", terminal.Bytes(c.Stats.Bytes)}, {"Chunks", terminal.Number(c.Stats.Chunks)}, {"On disk", terminal.Bytes(c.DiskBytes)},
		{"Written", written}, {"Model", model},
	}
	most := 0
	for name, l := range c.Stats.Languages {
		most = max(most, l.Files)
		o.Languages = append(o.Languages, bar{Name: name, Files: terminal.Number(l.Files), Size: terminal.Bytes(l.Bytes), Chunks: terminal.Number(l.Chunks), Width: l.Files})
	}
	slices.SortFunc(o.Languages, func(a, b bar) int { return cmp.Or(b.Width-a.Width, strings.Compare(a.Name, b.Name)) })
	for i := range o.Languages {
		o.Languages[i].Width = max(o.Languages[i].Width*100/max(most, 1), 1)
	}
	for _, reason := range c.Skipped {
		one := skipped{Reason: terminal.Clean(reason.Reason), Files: terminal.Number(reason.Files)}
		for _, e := range reason.FilePaths[:min(len(reason.FilePaths), maxSkipped)] {
			one.Examples = append(one.Examples, terminal.Clean(e))
		}
		o.Skipped = append(o.Skipped, one)
	}
	for _, f := range c.Unclean {
		if len(o.Unclean) == maxUnclean {
			o.MoreUnclean++
			continue
		}
		why := terminal.Count(f.ErrorCount, "syntax error", "syntax errors")
		if f.Status == record.StatusError {
			why = "no structure found"
		}
		if f.Reason != "" {
			why += ": " + f.Reason
		}
		o.Unclean = append(o.Unclean, unclean{terminal.Clean(f.FilePath), st.fileURL(o.Name, f.FilePath, 0), terminal.Clean(why)})
	}
}

// freshness describes whether an index is up to date.
func freshness(c *condition) (text string, stale bool) {
	if c.Problem != "" {
		return "not known whether it is up to date: " + c.Problem, true
	}
	var parts []string
	for i := range c.Sources {
		src := &c.Sources[i]
		if src.State != status.UpToDate {
			stale = true
		}
		parts = append(parts, terminal.Clean(src.String()))
	}
	if len(parts) == 0 {
		return "not known whether it is up to date", false
	}
	if !stale {
		return "up to date", false
	}
	return strings.Join(parts, "; "), true
}
