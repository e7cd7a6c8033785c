package read

// AskIndex makes the reader ask the index of vectors however few chunks there are.
func (r *Reader) AskIndex() { r.maxExact = 0 }

// NearestStatement asks the index of vectors.
var NearestStatement = nearestStatement

// KeepNoDictionary makes a reader ask for near terms each time.
func (r *Reader) KeepNoDictionary() { r.maxWhole = 0 }

// PartsLeft are parts that stay after two edits.
var PartsLeft = partsLeft

// FillKnown leaves no room for what is read of lexemes.
func (s *Session) FillKnown() { s.state.facts.kept = maxKnown }
