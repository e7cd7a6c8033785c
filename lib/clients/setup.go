package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/safeopen"
)

// maxFile is the size of a configuration file in bytes. That of Claude Code also holds what was asked, and has some megabytes.
const maxFile = 64 << 20

// An Outcome says what became of a file.
type Outcome int

const (
	Unchanged Outcome = iota
	Created
	Changed
)

// A text is one that is edited in place.
type text interface {
	set(path []string, members []member, foreign []string) error
	unset(path []string) (bool, error)
}

// File is the configuration file of the client: the one that is there, or else the one that would be made.
func (c Client) File(m Machine) string {
	files := c.files(m)
	for _, file := range files {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return files[0]
}

// Setup makes the client's file name the server.
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

// Remove takes the server with the name out of the client's file.
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

// Print is what would stand in a new file.
func (c Client) Print(s Server) (string, error) {
	members, err := c.members(s)
	if err != nil {
		return "", err
	}
	data, err := c.edit(nil, s.Name, func(t text, path []string) error { return t.set(path, members, nil) })
	return string(data), err
}

// edit changes the entry with the name and nothing else.
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

// errSpoils is a fault of ours.
var errSpoils = errors.New("the edit would change more than the entry")

// A syntaxError says that a file is not what is edited.
type syntaxError struct{ err error }

func (e *syntaxError) Error() string { return e.err.Error() }

// attempts is how often a file is edited anew because its client has written it meanwhile.
const attempts = 5

// rewrite replaces the content of a file at once. One that is not there is made if that is wanted.
func rewrite(file string, make bool, edit func(old []byte) ([]byte, error)) (Outcome, error) {
	for range attempts {
		// What is written is the file itself, also where a link leads to it.
		target := file
		if real, err := filepath.EvalSymlinks(file); err == nil {
			target = real
		} else if info, lerr := os.Lstat(file); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
			return Unchanged, fmt.Errorf("read %s: %w", file, err)
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

// put writes the file beside its place and renames it. It reports whether the file has changed meanwhile, so that it is to be edited again.
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
		mode = info.Mode().Perm()
	}
	temporary := fmt.Sprintf(".%s.%d.cortex", strings.TrimPrefix(name, "."), os.Getpid())
	f, err := root.Create(temporary)
	if err != nil {
		return false, err
	}
	defer root.Remove(temporary) // it is there no longer if all went well
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

// A Mention is an entry of a client's file that starts a server or names its address.
type Mention struct {
	Client Client
	File   string
	// Name is that of the entry, Command what it starts, URL what it asks.
	Name, Command, URL string
	Args               []string
	// Err is why the file could not be read.
	Err error
}

// Mentions finds the entries of all clients that are named cortex, or start cortex-serve.
func Mentions(m Machine) (found []Mention) {
	for _, c := range table() {
		for _, file := range c.files(m) {
			data, err := safeopen.ReadFile(file, maxFile)
			if errors.Is(err, fs.ErrNotExist) {
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
