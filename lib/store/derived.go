package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// writeDerived replaces a file that nothing depends on, and makes its folder. It is not durable: who reads it finds out whether it is whole.
func writeDerived(root *os.Root, name string, data []byte) (err error) {
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	temp := tempPath(name)
	root.Remove(temp)
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		root.Remove(temp)
	}
	return err
}

// readDerived reads such a file, of at most so many bytes.
func readDerived(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("read %s: it has more than %d bytes", name, most)
	}
	return data, err
}
