package update

import (
	"bytes"
	"fmt"

	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A group has the lines of one file: its own and those of its chunks.
type group struct {
	head *shard.File
	// facts and lines refer to the data that was read.
	facts []byte
	lines [][]byte
	// raw is the contiguous data of the group; valid only if its lines are contiguous.
	raw []byte
}

// groupsOf splits the content of a shard into files. If again is set, a file may occur several times, and its lines are
// joined; otherwise that is damage.
func groupsOf(data []byte, again bool) ([]*group, error) {
	var groups []*group
	var g *group
	byPath := map[string]*group{}
	start := 0
	for number, at := 1, 0; at < len(data); number++ {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			return nil, &layout.Damage{Line: number, What: "the line is cut off"}
		}
		line := data[at : at+end]
		if shard.IsFile(line) {
			head, facts, err := shard.DecodeHead(line)
			if err != nil {
				return nil, &layout.Damage{Line: number, What: err.Error()}
			}
			start = at
			path := head.Path()
			if g = byPath[path]; g == nil || g.head.Tree != head.Tree {
				g = &group{head: head, facts: facts}
				byPath[path] = g
				groups = append(groups, g)
			} else if !again {
				return nil, &layout.Damage{Line: number, What: fmt.Sprintf("file %q is there twice", path)}
			}
		} else if g == nil {
			return nil, &layout.Damage{Line: number, What: "a chunk without its file"}
		} else {
			g.lines = append(g.lines, line)
		}
		at += end + 1
		g.raw = data[start:at]
	}
	return groups, nil
}

// look returns a Glance at a line of the group. If anew is set, the line was encoded for the record next.
func (g *group) look(line []byte, next *shard.File, anew bool) (shard.Glance, bool) {
	if anew {
		return next.Look(line)
	}
	return g.head.Look(line)
}
