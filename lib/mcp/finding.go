package mcp

import (
	"cortex/lib/graph/table"
	"cortex/lib/search"
)

// A finding is what a question found in one index: responses or, for the graph, an answer.
type finding struct {
	// repository is its name where several are served, "" otherwise, and root its folder.
	repository, root string
	// responses are those to the topics, one by one where each is answered by itself.
	responses []*search.Response
	graph     *table.Answer
	// trees tells that the index has several trees.
	trees bool
	// stats are the state of the index, nil if nobody asked.
	stats *stats
	// behind says how far the index is behind its files, "" if it is not.
	behind string
	// written ends the use of the index, in whose memory what was found may be.
	written func()
}
