package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"cortex/lib/language"
)

// A Tree reads the files below one folder. It may be used by several goroutines.
type Tree struct {
	root *os.Root
}

// OpenTree opens the tree whose root is the given folder.
func OpenTree(root string) (*Tree, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	return &Tree{r}, nil
}

// Close ends the use of the tree.
func (t *Tree) Close() error { return t.root.Close() }

// Read returns the bytes of an entry as they are on disk (see Decode) and its language, or in skip why it is
// not to be indexed; data is nil then. The language is known in both cases.
//
// A file that vanished since it was listed is an error that is fs.ErrNotExist. Faults of one file, such as a
// missing permission, are skips; any other error is one of the environment.
func (t *Tree) Read(e Entry, maxSize int64) (data []byte, lang language.Language, skip string, err error) {
	if e.Skip != "" {
		return nil, language.Detect(e.Path, nil), e.Skip, nil
	}
	if maxSize <= 0 {
		maxSize = DefaultMaxSize
	}
	if e.Size > maxSize {
		return nil, language.Detect(e.Path, nil), fmt.Sprintf("%s: %d bytes", TooLarge, e.Size), nil
	}
	f, err := t.root.Open(e.Path)
	if err != nil {
		return nil, lang, "", err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, lang, Unreadable, nil
	}
	lang = language.Detect(e.Path, data)
	if bytes.IndexByte(data[:min(len(data), 8192)], 0) >= 0 {
		return nil, lang, Binary, nil
	}
	if !utf8.Valid(data) {
		return nil, lang, NotUTF8, nil
	}
	return data, lang, "", nil
}

// Decode returns the text of a file whose bytes Read returned, as UTF-8 without a byte order
// mark. Text in UTF-8 is not copied; UTF-16 with a byte order mark is converted.
func Decode(data []byte) []byte {
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
}
