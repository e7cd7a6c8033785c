package read

// AskIndex makes the reader ask the index of vectors however few chunks there are.
func (r *Reader) AskIndex() { r.maxExact = 0 }

// NearestStatement asks the index of vectors.
var NearestStatement = nearestStatement
