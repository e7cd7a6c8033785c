package read

// AskIndex makes the reader use the vector index however few chunks there are.
func (r *Reader) AskIndex() { r.maxExact = 0 }

// NearestStatement asks the index of vectors.
var NearestStatement = nearestStatement

// KeepNoDictionary makes a reader query near terms each time, without cached dictionaries.
func (r *Reader) KeepNoDictionary() { r.maxWhole = 0 }

// PartsLeft are parts that stay after two edits.
var PartsLeft = partsLeft

// FillKnown fills the cache of lexemes.
func (s *Session) FillKnown() { s.state.facts.kept = maxKnown }
