package layout

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"syscall"

	"cortex/lib/safeopen"
	"cortex/lib/store/shard"
)

// OpenShard opens the file that has the content of the shard: the one with its digest in the name (NewPath), if it
// exists, otherwise the one with the shard's own name. It compares the size with the manifest.
func OpenShard(root *safeopen.Root, s *Shard) (*os.File, error) {
	path := NewPath(s)
	f, info, err := root.File(path)
	if err != nil {
		path = ShardPath(s.Name)
	}
	if err != nil && !errors.Is(err, syscall.EMFILE) {
		f, info, err = root.File(path)
	}
	name := root.Name() + "/" + path
	if err != nil {
		return nil, openError(name, err)
	}
	if info.Size() != s.Size {
		f.Close()
		return nil, &Damage{File: name, What: fmt.Sprintf("it has %d bytes, the manifest says %d", info.Size(), s.Size)}
	}
	return f, nil
}

// openError converts an error in opening a file that the manifest names; a missing or unsuitable file is Damage.
func openError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Damage{File: name, What: "it is missing"}
	case errors.Is(err, safeopen.ErrNotRegular):
		return &Damage{File: name, What: "it is not a regular file"}
	case errors.Is(err, safeopen.ErrLink):
		return &Damage{File: name, What: "it is a symbolic link"}
	}
	return fmt.Errorf("read %s: %w", name, Cause(err))
}

// ScanLines calls each with the lines of a shard, without their ends, and their offsets. It compares the size and the
// digest of the content with the manifest.
func ScanLines(ctx context.Context, r io.Reader, want *Shard, each func(line []byte, offset int64) error) error {
	l := &lineReader{r: r, digest: sha256.New(), buf: make([]byte, 0, 256<<10)}
	for number := 1; ; number++ {
		if number%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line, offset, err := l.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = each(line, offset)
		}
		var d *Damage
		if errors.As(err, &d) {
			// A line that cannot be decoded is most likely damaged on disk.
			d.Line = number
		}
		if err != nil {
			return err
		}
	}
	if l.size != want.Size {
		return &Damage{What: fmt.Sprintf("it has %d bytes, the manifest says %d", l.size, want.Size)}
	}
	if hex.EncodeToString(l.digest.Sum(nil)) != want.Digest {
		return &Damage{What: "its content differs from its digest"}
	}
	return nil
}

// A lineReader splits a file into lines, and computes its digest and size.
type lineReader struct {
	r      io.Reader
	digest hash.Hash
	size   int64
	buf    []byte
	at     int
	ended  bool
}

// next returns the next line without its end, and its offset; io.EOF after the last. The line is valid until the next
// call.
func (l *lineReader) next() ([]byte, int64, error) {
	for searched := l.at; ; {
		if end := bytes.IndexByte(l.buf[searched:], '\n'); end >= 0 {
			line, offset := l.buf[l.at:searched+end], l.size-int64(len(l.buf)-l.at)
			l.at = searched + end + 1
			return line, offset, nil
		}
		rest := len(l.buf) - l.at
		switch {
		case l.ended && rest == 0:
			return nil, 0, io.EOF
		case l.ended:
			return nil, 0, &Damage{What: "the line is cut off"}
		case rest > shard.MaxLine:
			return nil, 0, &Damage{What: errLongLine.Error()}
		}
		if l.at > 0 {
			l.buf = append(l.buf[:0], l.buf[l.at:]...)
			l.at = 0
		}
		if len(l.buf) == cap(l.buf) {
			l.buf = append(l.buf, make([]byte, len(l.buf))...)[:len(l.buf)]
		}
		searched = len(l.buf)
		n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf = l.buf[:len(l.buf)+n]
		l.digest.Write(l.buf[searched:])
		l.size += int64(n)
		if err == io.EOF {
			l.ended = true
		} else if err != nil {
			return nil, 0, err
		}
	}
}

var errLongLine = fmt.Errorf("the line has more than %d bytes", shard.MaxLine)
