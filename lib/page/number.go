package page

import (
	"fmt"
	"strconv"
)

// grouped is a number with its thousands apart.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// describeCount says how many of what there are.
func describeCount(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", one)
	}
	return grouped(n) + " " + many
}

// size is a number of bytes in words.
func size(n int64) string {
	switch {
	case n < 1000:
		return describeCount(int(n), "byte", "bytes")
	case n < 1_000_000:
		return fmt.Sprintf("%.3g kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.3g MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.3g GB", float64(n)/1e9)
}
