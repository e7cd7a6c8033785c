package mcp

import (
	"cortex/lib/database/read"
)

// A condition is the state of a repository's index.
type condition struct {
	Repository string `json:"repository,omitempty"`
	// Closed says that the index is not open: nobody has asked for it, or not for a while.
	Closed  bool   `json:"closed,omitempty"`
	Index   *index `json:"index,omitempty"`
	Loading bool   `json:"loading,omitempty"`
	Error   string `json:"error,omitempty"`
	loads   loads
}

// index returns c.Index, or an empty index if it is nil.
func (c *condition) index() index {
	if c.Index == nil {
		return index{}
	}
	return *c.Index
}

type index struct {
	Generation int64 `json:"generation"`
	Chunks     int   `json:"chunks"`
	// Trees is the number of trees, if the index is a database.
	Trees int `json:"trees,omitempty"`
}

// conditions returns the condition of every repository.
func (l *repositories) conditions() []condition {
	var all []condition
	for _, p := range l.served {
		var c condition
		if l.names != nil {
			c.Repository = p.Name
		}
		s := p.at()
		if s == nil {
			c.Closed = true
			all = append(all, c)
			continue
		}
		s.mu.Lock()
		if e := s.current; e != nil {
			m := e.manifest()
			c.Index = &index{Generation: m.Generation, Chunks: m.Stats.Chunks}
		}
		if s.Database != nil {
			c.Index = databaseIndex(s.Database)
		}
		c.Loading, c.Error, c.loads = s.loading != nil, s.loads.Error, s.loads
		s.mu.Unlock()
		all = append(all, c)
	}
	return all
}

// databaseIndex returns the state of the database at the last question, nil before the first.
func databaseIndex(r *read.Reader) *index {
	generation, trees, chunks := r.Last()
	if trees == 0 {
		return nil
	}
	return &index{generation, chunks, trees}
}
