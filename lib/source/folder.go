package source

import (
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

// A Folder reads the files below one folder. It may be used by several goroutines.
type Folder struct{ root *safeopen.Root }

// OpenFolder opens the given folder.
func OpenFolder(root string) (*Folder, error) {
	r, err := openRoot(root)
	if err != nil {
		return nil, err
	}
	return &Folder{r}, nil
}

// notebookFactor is how much larger a notebook may be: most of it is outputs, which are dropped.
const notebookFactor = 16

// Close ends the use of the tree.
func (t *Folder) Close() error { return t.root.Close() }

// Read returns the bytes of an entry as they are on disk (see Decode) and its language, or in
// skip why it is not to be indexed; data is nil then. The language is known in both cases, from
// the name alone if the file was not opened. A maxSize of 0 means DefaultMaxSize.
//
// A file that vanished since it was listed is an error that is fs.ErrNotExist. Faults of one file,
// such as a missing permission, are skips; any other error is one of the environment.
func (t *Folder) Read(e Entry, maxSize int64) (data []byte, lang language.Language, skip string, err error) {
	data, lang, skip, _, err = t.ReadStat(e, maxSize)
	return data, lang, skip, err
}

// ReadStat is Read that also returns what the system said of the file before and after it was
// read, for Cache.Put. It is zero if the file was not opened, or was written to meanwhile again and again.
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

// judge is why the content is not to be indexed, or "".
func judge(data []byte, lang language.Language, secrets bool) string {
	text, ok := decode(data)
	if !ok {
		return NotUTF8
	}
	if skip := secretByContent(text); skip != "" && !secrets {
		return skip
	}
	return skipByContent(text, lang)
}

// attempts is how often a file that is written to while it is read is read.
const attempts = 3

// readAtRest reads a file again if it is written to meanwhile: what was read may be half the old and half the
// new content.
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

// readFile returns the content of a file that is neither binary nor too large, as far as info says that it goes. Of those it reads
// no more than it takes to know.
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

// readEmpty tells whether a file that is empty by its size can be read and is. Those of the kernel, which are not, are no regular files, and some
// of them would wait for what there will be.
func readEmpty(f *os.File) (data []byte, skip string, err error) {
	// A file that cannot make its reader wait takes no deadline.
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

// fault sorts the errors of opening and reading: those of the file become a skip.
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
