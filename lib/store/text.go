package store

import (
	"strconv"
)

func count(n int, noun string) string {
	return number(n) + " " + plural(n, noun)
}

// number writes n with a comma between thousands.
func number(n int) string {
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
