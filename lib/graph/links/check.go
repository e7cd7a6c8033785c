package links

// Ascending reports whether the numbers are sorted and at most last; if exact, also whether they begin with 0 and end
// with last, as those of Table.Row do.
func Ascending(numbers []uint32, last int, exact bool) bool {
	before := uint32(0)
	for _, n := range numbers {
		if n < before {
			return false
		}
		before = n
	}
	return uint64(before) <= uint64(last) && (!exact || len(numbers) > 0 && numbers[0] == 0 && int(before) == last)
}

// Below reports whether all numbers are less than end.
func Below(numbers []uint32, end uint32) bool {
	for _, n := range numbers {
		if n >= end {
			return false
		}
	}
	return true
}
