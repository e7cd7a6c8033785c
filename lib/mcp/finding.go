package mcp

import (
	"cortex/lib/graph/table"
	"cortex/lib/search"
)

// A finding is the result of a question in one index: responses, or the answer of the graph.
type finding struct {
	// repository is the name of the repository if several are served, otherwise ""; root is its folder.
	repository, root string
	// responses has one response for each topic if topics are answered separately, otherwise a single one.
	responses []*search.Response
	graph     *table.Answer
	// trees says that the index has several trees.
	trees bool
	// stats describe the state of the index; nil if not requested.
	stats *stats
	// behind is a sentence about files newer than the index, "" if there are none.
	behind string
	// written must be called once the answer is written. It gives back the index, whose memory the finding refers to.
	written func()
}
