// Package doctor checks everything that cortex-serve needs: the commands, the settings, the index, the cache,
// permissions, limits and the configurations of assistants. Each finding says what is wrong and how to repair it. All
// of it is in doctor.go; begin with Examine.
package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cortex/lib/clients"
	"cortex/lib/derived"
	"cortex/lib/hint"
	"cortex/lib/keep"
	"cortex/lib/safeopen"
	"cortex/lib/status"
	"cortex/lib/store"
	"cortex/lib/store/update"
	"cortex/lib/terminal"
)

// The states of a finding.
const (
	OK      = "ok"
	Note    = "note" // worth knowing, nothing to repair
	Problem = "problem"
)

// A Finding is the result of one check.
type Finding struct {
	Check string `json:"check"`
	State string `json:"state"`
	Text  string `json:"text"`
	// Cure says how to repair a problem.
	Cure string `json:"cure,omitempty"`
}

// A Report is the result of all checks. OK is false if there is any problem.
type Report struct {
	OK       bool      `json:"ok"`
	Findings []Finding `json:"findings"`
}

// Options says what to check.
type Options struct {
	// Root is the folder that was indexed, Store the folder of the store.
	Root, Store string
	// Program is the path of cortex-serve.
	Program string
	// Sources says how files are listed.
	Sources status.Lister
	// Machine says where the clients keep their configuration files. Without a Home they are not checked.
	Machine clients.Machine
	// Ask sends a question to the server, and returns why it was not answered. With byMeaning, the question needs the
	// embedding model.
	Ask func(ctx context.Context, byMeaning bool) error
	// Reach returns an error unless a cortex-serve answers at the URL.
	Reach func(ctx context.Context, url string) error
}

// Examine runs all checks.
func Examine(ctx context.Context, opts Options) *Report {
	r := &Report{OK: true}
	r.program(ctx, opts)
	readable := r.settings(opts)
	if missing := keep.CheckRoot(opts.Root); missing != nil && !keep.Exists(opts.Store) {
		r.fault("folder", missing, "")
	} else {
		byMeaning, indexed := r.index(ctx, opts)
		r.cache(opts)
		r.permissions(opts, missing)
		r.watches(ctx, opts)
		if indexed && readable {
			r.question(ctx, opts, byMeaning)
		}
	}
	r.clients(ctx, opts)
	for _, f := range r.Findings {
		r.OK = r.OK && f.State != Problem
	}
	return r
}

func (r *Report) add(check, state, cure, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{check, state, fmt.Sprintf(format, args...), cure})
}

// fault adds an error. The error's hint, if any, replaces cure.
func (r *Report) fault(check string, err error, cure string) {
	if advice := hint.Of(err); advice != "" {
		cure = advice
	}
	r.add(check, Problem, cure, "%v", err)
}

// patience is how long a command may take to print its version.
const patience = 5 * time.Second

func (r *Report) program(ctx context.Context, opts Options) {
	dir := filepath.Dir(opts.Program)
	version := func(program string) (string, error) {
		limited, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		out, err := exec.CommandContext(limited, program, "--version").Output()
		_, version, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		return version, err
	}
	own, err := version(opts.Program)
	if err != nil {
		r.fault("version", fmt.Errorf("run %s: %w", opts.Program, err), "")
		return
	}
	r.add("version", OK, "", "%s, %s", own, opts.Program)
	var missing, other []string
	for _, name := range keep.Stages() {
		switch found, err := version(filepath.Join(dir, name)); {
		case err != nil:
			missing = append(missing, name)
		case found != own:
			other = append(other, name+" "+found)
		}
	}
	switch {
	case missing != nil:
		r.add("pipeline", Problem, "install all commands in one folder", "%s does not run from %s", strings.Join(missing, ", "), dir)
	case other != nil:
		r.add("pipeline", Problem, "install all commands of one build", "of another build than cortex-serve: %s", strings.Join(other, ", "))
	default:
		r.add("pipeline", OK, "", "all commands are in %s and of one build", dir)
	}
}

// settings checks the files and variables with settings, and reports whether they can be read.
func (r *Report) settings(opts Options) bool {
	if _, err := opts.Sources(opts.Root); err != nil {
		r.fault("settings", err, "mend the line that the error names")
		return false
	}
	r.add("settings", OK, "", "the files and variables with settings have no fault")
	return true
}

// index checks the store, and reports whether there is one and whether it has embeddings.
func (r *Report) index(ctx context.Context, opts Options) (byMeaning, ok bool) {
	s, err := store.ReadStatus(ctx, opts.Store)
	if err != nil {
		r.fault("index", err, "cortex-store verify tells more; else move "+opts.Store+" away, keep its config.yml, and index anew")
		return false, false
	}
	byMeaning = s.Model != ""
	if s.Stats.Chunks == 0 {
		r.add("index", Problem, "see what was skipped: cortex-store status", "%s is empty", s.Store)
	} else {
		r.add("index", OK, "", "%s: generation %d of %s, %s, model %s", s.Store, s.Generation, s.GeneratedAt, terminal.Count(s.Stats.Chunks, "chunk", "chunks"), orNone(s.Model))
	}
	now, err := status.Read(ctx, opts.Store, opts.Root, opts.Sources)
	if err != nil {
		r.fault("freshness", err, "")
		return byMeaning, true
	}
	for i := range now.Sources {
		switch source := &now.Sources[i]; source.State {
		case status.UpToDate:
			r.add("freshness", OK, "", "%v", source)
		case status.Changed:
			r.add("freshness", Problem, store.UpdateCommand(source.Root, opts.Store)+" (or --watch, to keep it so)", "%v", source)
		default:
			r.add("freshness", Note, "", "%v", source)
		}
	}
	skipped, reasons := 0, []string{}
	for i, s := range s.Skipped {
		skipped += s.Files
		if i < 4 {
			reasons = append(reasons, fmt.Sprintf("%d %s", s.Files, s.Reason))
		}
	}
	if skipped > 0 {
		r.add("skipped", Note, "", "%s: %s; cortex-store status --json lists them", terminal.Count(skipped, "file", "files"), strings.Join(reasons, ", "))
	}
	return byMeaning, true
}

func orNone(model string) string {
	if model == "" {
		return "none (search by words only)"
	}
	return model
}

func (r *Report) cache(opts Options) {
	home, err := derived.Home()
	if err != nil {
		r.fault("cache", err, "set "+derived.Variable+" to a folder")
		return
	}
	folder, err := derived.Path(opts.Store)
	if err != nil {
		r.fault("cache", err, "")
		return
	}
	if err := derived.Try(folder); err != nil {
		r.fault("cache", hint.Wrap(fmt.Errorf("%s can't be written: %w; every start reads the whole index", folder, err), hint.Of(err)), "")
		return
	}
	r.add("cache", OK, "", "%s, in %s", filepath.Base(folder), home)
}

// permissions checks the access to the folders. missing says why the root cannot be read.
func (r *Report) permissions(opts Options, missing error) {
	if missing != nil {
		r.fault("permission", missing, "")
		return
	}
	if err := readable(opts.Root); err != nil {
		r.add("permission", Problem, "let this user read "+opts.Root, "%s can't be read: %v", opts.Root, err)
		return
	}
	at := opts.Store
	if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
		at = filepath.Dir(at)
	}
	if err := writable(at); err != nil {
		r.add("permission", Problem, "let this user write "+at+", or keep the store elsewhere with --store", "%s can't be written: %v; the index can't follow changes", at, err)
		return
	}
	r.add("permission", OK, "", "%s can be read and %s written", opts.Root, at)
}

// maxNumber bounds a file of /proc with a number, in bytes.
const maxNumber = 64

// watches compares the system's limit of watched folders with the folders of the index, and reports whether another
// process writes the index.
func (r *Report) watches(ctx context.Context, opts Options) {
	if keep.Held(opts.Store) {
		r.add("watcher", OK, "", "a cortex-serve keeps %s up to date", opts.Store)
	} else {
		r.add("watcher", Note, "", "no process keeps %s up to date now; cortex-serve does while it runs, unless it has --no-watch", opts.Store)
	}
	if update.BeingWritten(opts.Store) {
		r.add("writer", Note, "", "another process is writing %s just now", opts.Store)
	}
	data, err := safeopen.ReadFile("/proc/sys/fs/inotify/max_user_watches", maxNumber)
	if err != nil {
		return // another system
	}
	allowed, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return
	}
	folders := map[string]bool{}
	if _, files, err := store.ReadFiles(ctx, opts.Store); err == nil {
		for path := range files {
			folders[filepath.Dir(path)] = true
		}
	}
	// Other programs of the user need watches too.
	if len(folders) > allowed*3/4 {
		r.add("inotify", Problem, fmt.Sprintf("sudo sysctl fs.inotify.max_user_watches=%d, or watch with --poll", 4*len(folders)),
			"the system lets a user watch %d folders, and the index has %d", allowed, len(folders))
		return
	}
	r.add("inotify", OK, "", "%s to watch, of %d that a user may", terminal.Count(len(folders), "folder", "folders"), allowed)
}

func (r *Report) question(ctx context.Context, opts Options, byMeaning bool) {
	begun := time.Now()
	if err := opts.Ask(ctx, byMeaning); err != nil {
		r.fault("question", err, "")
		return
	}
	r.add("question", OK, "", "asked and answered in %v", time.Since(begun).Round(time.Millisecond))
}

// clients checks the clients' entries for Cortex.
func (r *Report) clients(ctx context.Context, opts Options) {
	if opts.Machine.Home == "" {
		r.add("clients", Note, "", "$HOME is not set, so the configurations of assistants were not looked for")
		return
	}
	found := clients.Mentions(opts.Machine)
	if len(found) == 0 {
		r.add("clients", Note, "", "no assistant's configuration names cortex-serve; cortex-serve setup writes it: %s", strings.Join(clients.Names(), ", "))
	}
	for _, m := range found {
		check := "client " + m.Client.Name
		again := "cortex-serve setup " + m.Client.Name
		switch {
		case m.Err != nil:
			r.add(check, Problem, "mend the file", "%s: %v", m.File, m.Err)
		case m.URL != "":
			u, err := url.Parse(m.URL)
			switch {
			case err != nil:
				r.add(check, Problem, again+" --http", "%s: %q is no address", m.File, m.URL)
			case !clients.IsLocal(m.URL):
				r.add(check, Note, "", "%s: %q asks %s, which was not tried", m.File, m.Name, m.URL)
			default:
				if err := opts.Reach(ctx, m.URL); err != nil {
					r.add(check, Problem, "cortex-serve --http "+u.Host, "%s: %q asks %s, and no cortex-serve answers there: %v", m.File, m.Name, m.URL, err)
					continue
				}
				r.add(check, OK, "", "%s: %q asks %s, which answers", m.File, m.Name, m.URL)
			}
		default:
			path, err := exec.LookPath(m.Command)
			if err != nil {
				r.add(check, Problem, again, "%s: %q starts %s: %v", m.File, m.Name, m.Command, errors.Unwrap(err))
				continue
			}
			for i, arg := range m.Args {
				if arg == "--root" && i+1 < len(m.Args) {
					if info, err := os.Stat(m.Args[i+1]); err != nil || !info.IsDir() {
						r.add(check, Problem, again+" --root FOLDER", "%s: %q serves %s, which is no folder", m.File, m.Name, m.Args[i+1])
						path = ""
					}
				}
			}
			if path != "" {
				r.add(check, OK, "", "%s: %q starts %s", m.File, m.Name, strings.Join(append([]string{path}, m.Args...), " "))
			}
		}
	}
}

// maxText bounds a text of a finding in the output, in bytes.
const maxText = 2000

// Write writes the report for people.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%-8s%-22s%s\n", f.State, f.Check, terminal.Clean(terminal.Short(f.Text, maxText)))
		if f.Cure != "" {
			fmt.Fprintf(&b, "%-8scure: %s\n", "", terminal.Clean(terminal.Short(f.Cure, maxText)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes the report as one object.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}
