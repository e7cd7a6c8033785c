package layout

import (
	"fmt"
	"strings"

	"cortex/lib/record"
	"cortex/lib/terminal"
)

// DescribeModel describes the embeddings of a chunk or a store.
func DescribeModel(model string, dimensions int) string {
	if dimensions == 0 {
		return "no embedding"
	}
	return fmt.Sprintf("an embedding of model %q with %d dimensions", model, dimensions)
}

// StatusCounts lists the counts in the order of record.Statuses, as ": 3 ok, 1 partial".
func StatusCounts(counts map[record.Status]int) string {
	var parts []string
	for _, status := range record.Statuses {
		if n := counts[status]; n > 0 {
			parts = append(parts, terminal.Number(n)+" "+string(status))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
