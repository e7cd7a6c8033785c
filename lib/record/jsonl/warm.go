package jsonl

import "cortex/lib/record"

// Warm compiles, in the background, the codec for records like the given ones. sonic would compile it for the first
// record of each type, which takes ten milliseconds or more. A stage has that time while it waits for its first record.
func Warm(decoded, encoded []record.Record) {
	go func() {
		for _, rec := range decoded {
			if line, err := Append(nil, rec); err == nil {
				// The records are empty, so Decode returns an error, but only after decoding.
				_, _ = Line{Data: line[:len(line)-1]}.Decode()
			}
		}
		for _, rec := range encoded {
			_, _ = Append(nil, rec)
		}
	}()
}
