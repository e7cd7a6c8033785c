package record

import "encoding/json"

// Warm makes ready, in the background, what decodes and encodes records like those: sonic compiles it for the first record of a type, which
// takes ten milliseconds and more, for which a stage has the time while it waits for that record.
func Warm(decoded, encoded []Record) {
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

// WarmUp calls Warm once the stream begins a run with files. Most runs of a watch, and those over a tree that has not changed, have none.
func (r *Reader) WarmUp(decoded, encoded []Record) {
	r.warm = func() { Warm(decoded, encoded) }
}

// looked looks at a line for WarmUp.
func (r *Reader) looked(line Line) {
	kind, err := line.Type()
	switch {
	case err != nil || kind == TypeEnd:
		return
	case kind == TypeBegin:
		var begin struct{ Files int }
		if json.Unmarshal(line.Data, &begin) != nil || begin.Files == 0 {
			return
		}
		r.warm()
	}
	r.warm = nil
}
