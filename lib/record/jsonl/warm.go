package jsonl

import "cortex/lib/record"

// Warm makes ready, in the background, what decodes and encodes records like those: sonic compiles it for the first record of a type, which
// takes ten milliseconds and more, for which a stage has the time while it waits for that record.
func Warm(decoded, encoded []record.Record) {
	go func() {
		for _, rec := range decoded {
			if line, err := Append(nil, rec); err == nil {
				// What is missing in the record is found after it was decoded.
				_, _ = Line{Data: line[:len(line)-1]}.Decode()
			}
		}
		for _, rec := range encoded {
			_, _ = Append(nil, rec)
		}
	}()
}
