package update

import (
	"os"

	"cortex/lib/safeopen"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A spool holds the lines of a run until it ends, by part: the shard that would have them if there were shard.Most
// shards. When the lines exceed a number of bytes, they are moved to a file, which has no name and vanishes with the
// process.
type spool struct {
	root *safeopen.Root
	most int
	// again says that parts are taken more than once.
	again bool
	// parts has the lines that are not in the file; held is their total size in bytes.
	parts [shard.Most][][]byte
	held  int
	file  *os.File
	end   int64
	// blocks has the places of each part's lines in the file, in order.
	blocks [shard.Most][]block
}

// A block is a piece of a file.
type block struct {
	offset int64
	size   int
}

const spoolName = ".spool" + layout.TempSuffix

// add adds a line to a part, which refers to it.
func (s *spool) add(part int, line []byte) error {
	s.parts[part] = append(s.parts[part], line)
	s.held += len(line)
	if s.held <= s.most {
		return nil
	}
	return s.flush()
}

// flush moves all parts to the file.
func (s *spool) flush() (err error) {
	if s.file == nil {
		if s.file, err = s.root.CreateRead(spoolName); err != nil {
			return err
		}
		if err := s.root.Remove(spoolName); err != nil {
			return err
		}
	}
	var data []byte
	for i, lines := range s.parts {
		if len(lines) == 0 {
			continue
		}
		data = data[:0]
		for _, line := range lines {
			data = append(data, line...)
		}
		if _, err := s.file.WriteAt(data, s.end); err != nil {
			return err
		}
		s.blocks[i] = append(s.blocks[i], block{s.end, len(data)})
		s.end += int64(len(data))
		clear(lines)
		s.parts[i] = lines[:0]
	}
	s.held = 0
	return nil
}

// take returns the lines of a part, and drops them unless again is set.
func (s *spool) take(part int) ([]byte, error) {
	size := 0
	for _, line := range s.parts[part] {
		size += len(line)
	}
	for _, b := range s.blocks[part] {
		size += b.size
	}
	data := make([]byte, 0, size)
	for _, b := range s.blocks[part] {
		data = data[:len(data)+b.size]
		if _, err := s.file.ReadAt(data[len(data)-b.size:], b.offset); err != nil {
			return nil, err
		}
	}
	for _, line := range s.parts[part] {
		data = append(data, line...)
	}
	if !s.again {
		s.parts[part] = nil
	}
	return data, nil
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
