package store

import (
	"os"

	"cortex/lib/safeopen"
	"cortex/lib/store/shard"
)

// A spool holds the lines of a run until it ends, by the shard that each would stand in if there were as many shards as can be. What is too much
// for the memory goes to a file, which has no name and is gone with the process.
type spool struct {
	root *safeopen.Root
	most int
	// parts are what has not gone to the file, held how much that is.
	parts [shard.Most][]byte
	held  int
	file  *os.File
	end   int64
	// blocks are the pieces of each part in the file, in order.
	blocks [shard.Most][]block
}

// A block is a piece of a file.
type block struct {
	offset int64
	size   int
}

const spoolName = ".spool" + tempSuffix

// add appends lines to a part.
func (s *spool) add(part int, lines ...[]byte) error {
	for _, line := range lines {
		s.parts[part] = append(s.parts[part], line...)
		s.held += len(line)
	}
	if s.held <= s.most {
		return nil
	}
	return s.flush()
}

// flush brings all parts to the file.
func (s *spool) flush() (err error) {
	if s.file == nil {
		if s.file, err = s.root.CreateRead(spoolName); err != nil {
			return err
		}
		if err := s.root.Remove(spoolName); err != nil {
			return err
		}
	}
	for i, data := range s.parts {
		if len(data) == 0 {
			continue
		}
		if _, err := s.file.WriteAt(data, s.end); err != nil {
			return err
		}
		s.blocks[i] = append(s.blocks[i], block{s.end, len(data)})
		s.end += int64(len(data))
		// Files come whole, so parts differ much from one time to the next: a large one would keep its memory for nothing.
		if s.parts[i] = data[:0]; cap(data) > s.most/shard.Most {
			s.parts[i] = nil
		}
	}
	s.held = 0
	return nil
}

// take returns the lines of a part, which the spool need not hold any longer.
func (s *spool) take(part int) ([]byte, error) {
	size := len(s.parts[part])
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
	data = append(data, s.parts[part]...)
	s.parts[part] = nil
	return data, nil
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
