package layout

import (
	"fmt"
	"strconv"
	"strings"

	"cortex/lib/record"
)

// Count is n with the noun in its number.
func Count(n int, noun string) string {
	return Number(n) + " " + plural(n, noun)
}

// Number writes n with a comma between thousands.
func Number(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// DescribeModel tells of the embeddings of a chunk or a store.
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
			parts = append(parts, Number(n)+" "+string(status))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
