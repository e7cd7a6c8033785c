package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"time"

	"cortex/lib/language"
	"cortex/lib/safeopen"
)

// A Folder reads the files of a tree. It is safe for concurrent use.
type Folder struct{ root *safeopen.Root }

// OpenFolder opens the tree at root.
func OpenFolder(root string) (*Folder, error) {
	r, err := openRoot(root)
	if err != nil {
		return nil, err
	}
	return &Folder{r}, nil
}

// notebookFactor is a factor for the size limit of notebooks, whose outputs, usually most of their bytes, are not
// indexed.
const notebookFactor = 16

// Close closes the tree's root.
func (t *Folder) Close() error { return t.root.Close() }

// Read returns the bytes of an entry as they are on disk (see Decode) and its language. If the file is not to be
// indexed, skip is the reason and data is nil. The language is always set; if the file was not opened, it comes from
// the name alone. A maxSize of 0 means DefaultMaxSize.
//
// If the file has vanished since it was listed, the error is fs.ErrNotExist. Faults of one file, such as a missing
// permission, are skips. Any other error is one of the environment.
func (t *Folder) Read(e Entry, maxSize int64) (data []byte, lang language.Language, skip string, err error) {
	data, lang, skip, _, err = t.ReadStat(e, maxSize)
	return data, lang, skip, err
}

// ReadStat is Read that also returns the Stat of the file, for Cache.Put. The Stat is zero if the file was not opened,
// or was changed during every attempt to read it.
func (t *Folder) ReadStat(e Entry, maxSize int64) (data []byte, lang language.Language, skip string, stat Stat, err error) {
	if maxSize <= 0 {
		maxSize = DefaultMaxSize
	}
	if strings.EqualFold(path.Ext(e.Path), ".ipynb") {
		maxSize *= notebookFactor
	}
	skip = e.Skip
	if skip == "" {
		skip = skipByName(e.Path)
	}
	if skip == "" {
		data, skip, stat, err = t.readAtRest(e.Path, maxSize)
	}
	if err != nil {
		return nil, language.Language{}, "", Stat{}, fmt.Errorf("read %s: %w", e.Path, cause(err))
	}
	lang = language.Detect(e.Path, data)
	if skip == "" {
		skip = judge(data, lang, e.Secrets)
	}
	if skip != "" {
		data = nil
	}
	return data, lang, skip, stat, nil
}

// A pointer stands for a file that Git LFS has not fetched.
const (
	pointerBegin = "version https://git-lfs.github.com/spec/v1\n"
	maxPointer   = 1024
)

func isPointer(data []byte) bool {
	return len(data) < maxPointer && bytes.HasPrefix(data, []byte(pointerBegin)) && bytes.Contains(data, []byte("\noid sha256:"))
}

// judge returns the reason not to index the content, or "".
func judge(data []byte, lang language.Language, secrets bool) string {
	if isPointer(data) {
		return Pointer
	}
	text, ok := decode(data)
	if !ok {
		return NotUTF8
	}
	if skip := secretByContent(text); skip != "" && !secrets {
		return skip
	}
	return skipByContent(text, lang)
}

// attempts is the number of times that a file is read if it changes during reading.
const attempts = 3

// readAtRest reads a file, again if it changes meanwhile: the bytes read may be a mixture of the old and the new
// content.
func (t *Folder) readAtRest(path string, maxSize int64) (data []byte, skip string, stat Stat, err error) {
	for range attempts {
		f, info, err := t.root.File(path)
		if err != nil {
			data, skip, err = fault(err)
			return data, skip, Stat{}, err
		}
		data, skip, err = readFile(f, info, maxSize)
		after, statErr := f.Stat()
		f.Close()
		if err != nil {
			return nil, "", Stat{}, err
		}
		if statErr == nil && newStat(after) == newStat(info) {
			return data, skip, newStat(info), nil
		}
	}
	return data, skip, Stat{}, nil
}

// readFile returns the content of a file, up to the size in info, or the reason to skip it. It reads no more than
// headSize bytes of a binary file, and nothing of one that is too large.
func readFile(f *os.File, info fs.FileInfo, maxSize int64) (data []byte, skip string, err error) {
	if info.Size() > maxSize {
		return nil, fmt.Sprintf("%s: %d bytes", TooLarge, info.Size()), nil
	}
	if info.Size() == 0 {
		return readEmpty(f)
	}
	data = make([]byte, info.Size())
	n, err := io.ReadFull(f, data[:min(len(data), headSize)])
	if isBinary(data[:n]) {
		return data[:n], Binary, nil
	}
	if err == nil {
		var m int
		m, err = io.ReadFull(f, data[n:])
		n += m
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return fault(err)
	}
	return data[:n], "", nil
}

// readEmpty reads a file whose size is given as 0. Files of the kernel have that size but are not empty; readEmpty
// reports them as not regular. Some of them block until there is data.
func readEmpty(f *os.File) (data []byte, skip string, err error) {
	// The deadline has no effect on ordinary files, which never block.
	_ = f.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	n, err := f.Read(make([]byte, 1))
	switch {
	case n > 0 || errors.Is(err, os.ErrDeadlineExceeded):
		return nil, NotRegular, nil
	case err != nil && err != io.EOF:
		return fault(err)
	}
	return nil, "", nil
}

// fault turns an error in opening or reading one file into a skip. It returns the error of a vanished file, and of the
// environment.
func fault(err error) ([]byte, string, error) {
	switch {
	case isGone(err):
		return nil, "", syscall.ENOENT
	case isEnvironment(err):
		return nil, "", err
	case errors.Is(err, safeopen.ErrNotRegular):
		return nil, NotRegular, nil
	}
	return nil, unreadable(err), nil
}
