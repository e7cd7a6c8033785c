package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"cortex/lib/hint"
	"cortex/lib/safeopen"
)

// maxFile bounds a configuration file, in bytes. The file of Claude Code also holds a history and has some megabytes.
const maxFile = 64 << 20

// An Outcome says what was done to a file.
type Outcome int

const (
	Unchanged Outcome = iota
	Created
	Changed
)

// A text is a configuration text that is edited in place.
type text interface {
	set(path []string, members []member, foreign []string) error
	unset(path []string) (bool, error)
}

// File returns the path of the client's configuration file: the existing one, or the one that Setup would create.
func (c Client) File(m Machine) string {
	files := c.files(m)
	for _, file := range files {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return files[0]
}

// Setup writes an entry for the server into the client's file.
func (c Client) Setup(m Machine, s Server) (file string, done Outcome, err error) {
	file = c.File(m)
	members, err := c.members(s)
	if err != nil {
		return file, Unchanged, err
	}
	foreign := c.foreign(s)
	done, err = rewrite(file, true, func(old []byte) ([]byte, error) {
		return c.edit(old, s.Name, func(t text, path []string) error { return t.set(path, members, foreign) })
	})
	return file, done, err
}

// Remove removes the entry called name from the client's file.
func (c Client) Remove(m Machine, name string) (file string, done Outcome, err error) {
	file = c.File(m)
	done, err = rewrite(file, false, func(old []byte) ([]byte, error) {
		return c.edit(old, name, func(t text, path []string) error {
			_, err := t.unset(path)
			return err
		})
	})
	return file, done, err
}

// Print returns the content of a new file with an entry for the server.
func (c Client) Print(s Server) (string, error) {
	members, err := c.members(s)
	if err != nil {
		return "", err
	}
	data, err := c.edit(nil, s.Name, func(t text, path []string) error { return t.set(path, members, nil) })
	return string(data), err
}

// edit applies change to the entry called name. It returns an error if the change would affect anything else.
func (c Client) edit(old []byte, name string, change func(t text, path []string) error) ([]byte, error) {
	if c.syntax == tomlSyntax {
		before, err := parseTOML(old)
		if err != nil {
			return nil, &syntaxError{err}
		}
		t := *before
		path := append(append([]string{}, c.table...), name)
		if err := change(&t, path); err != nil {
			return nil, &syntaxError{err}
		}
		if !t.sameBut(before, path) {
			return nil, errSpoils
		}
		return []byte(t.text), nil
	}
	before, err := parseJSONC(old)
	if err != nil {
		return nil, &syntaxError{err}
	}
	path := append([]string{}, c.table...)
	if before.root != nil && c.nested != "" {
		if n := before.root.at(append(path, c.nested)); n != nil && n.object {
			path = append(path, c.nested)
		}
	}
	path = append(path, name)
	d := *before
	if err := change(&d, path); err != nil {
		return nil, &syntaxError{err}
	}
	if !d.sameBut(before, path) {
		return nil, errSpoils
	}
	return d.text, nil
}

// errSpoils reports an error in this package.
var errSpoils = errors.New("the edit would change more than the entry")

// A syntaxError reports a file that cannot be parsed or edited.
type syntaxError struct{ err error }

func (e *syntaxError) Error() string { return e.err.Error() }

// attempts is the number of times that an edit is tried if the client keeps writing the file.
const attempts = 5

// rewrite atomically replaces the content of a file. It creates a missing file if make is set.
func rewrite(file string, make bool, edit func(old []byte) ([]byte, error)) (Outcome, error) {
	for range attempts {
		// If the path is a link, replace the file that it leads to.
		target := file
		if real, err := filepath.EvalSymlinks(file); err == nil {
			target = real
		} else if info, lerr := os.Lstat(file); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
			return Unchanged, hint.Wrap(fmt.Errorf("read %s: it is a link to nothing: %w", file, err), "create the file that it leads to, or remove the link")
		}
		old, err := safeopen.ReadFile(target, maxFile)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case missing && !make:
			return Unchanged, nil
		case err != nil && !missing:
			return Unchanged, err
		}
		data, err := edit(old)
		var fault *syntaxError
		if errors.As(err, &fault) {
			return Unchanged, hint.Wrap(fmt.Errorf("%s: %w; nothing was changed", file, err), "mend it there, or add by hand what --print shows")
		}
		if err != nil {
			return Unchanged, fmt.Errorf("%s: %w; nothing was changed", file, err)
		}
		if bytes.Equal(old, data) && !missing {
			return Unchanged, nil
		}
		again, err := put(target, old, data, missing)
		if err != nil {
			return Unchanged, err
		}
		if again {
			continue
		}
		if missing {
			return Created, nil
		}
		return Changed, nil
	}
	return Unchanged, hint.Wrap(fmt.Errorf("%s is written again and again by its client", file), "end the client and try again")
}

// put writes a temporary file next to the target and renames it. again reports that the target has changed meanwhile,
// so that it must be edited again.
func put(target string, old, data []byte, missing bool) (again bool, err error) {
	dir, name := filepath.Split(target)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false, err
	}
	root, err := safeopen.Open(dir)
	if err != nil {
		return false, err
	}
	defer root.Close()
	mode := fs.FileMode(0o600)
	if info, err := root.Lstat(name); err == nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 {
			return false, hint.Wrap(fmt.Errorf("write %s: it is read-only", target), "chmod u+w "+target+", or add by hand what --print shows")
		}
	}
	temporary := fmt.Sprintf(".%s.%d.cortex", strings.TrimPrefix(name, "."), os.Getpid())
	f, err := root.Create(temporary)
	if err != nil {
		return false, err
	}
	defer root.Remove(temporary) // fails if the file was renamed
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return false, fmt.Errorf("write %s: %w", target, err)
	}
	now, err := root.Read(name, maxFile)
	switch {
	case missing && errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, err
	case missing || !bytes.Equal(now, old):
		return true, nil
	}
	return false, root.Rename(temporary, name)
}

// A Mention is an entry of a client's file for Cortex.
type Mention struct {
	Client Client
	File   string
	// Name is the name of the entry, Command the command that it starts, URL the address of its server.
	Name, Command, URL string
	Args               []string
	// Err says why the file could not be read; the other fields about the entry are then empty.
	Err error
}

// Mentions returns the entries of all clients that are named cortex or start cortex-serve.
func Mentions(m Machine) (found []Mention) {
	for _, c := range table() {
		for _, file := range c.files(m) {
			data, err := safeopen.ReadFile(file, maxFile)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // a home such as /dev/null is no folder
				continue
			}
			var entries map[string]map[string]any
			if err == nil {
				entries, err = c.entries(data)
			}
			if err != nil {
				found = append(found, Mention{Client: c, File: file, Err: err})
				continue
			}
			for _, name := range sorted(entries) {
				words, _ := entries[name]["command"].([]any)
				if command, ok := entries[name]["command"].(string); ok {
					words = []any{command}
				}
				if args, ok := entries[name]["args"].([]any); ok {
					words = append(words, args...)
				}
				started := ""
				var args []string
				for i, word := range words {
					if word, ok := word.(string); ok && i == 0 {
						started = word
					} else if ok {
						args = append(args, word)
					}
				}
				if name != "cortex" && filepath.Base(started) != "cortex-serve" {
					continue
				}
				mention := Mention{Client: c, File: file, Name: name, Command: started, Args: args}
				for _, key := range []string{"url", "httpUrl", "serverUrl"} {
					if v, ok := entries[name][key].(string); ok {
						mention.URL = v
					}
				}
				found = append(found, mention)
			}
		}
	}
	return found
}
