// Package index builds and reads the search index: files that are mapped into memory, in the user's cache folder. Each
// shard of the store has one, called a segment. A segment has the terms of the shard's chunks, the values that ranking
// and filters need, and the vectors as integers of 4 or 8 bits. Its name is a digest of everything that it depends on,
// so generations and processes share segments.
//
// Begin with folder.go, which opens and builds the segments of a store, and segment.go, which reads one. format.go and
// sections.go define the format, and generation.go joins the segments of a generation.
package index

import "errors"

// ErrDamaged is wrapped by the error of reading a segment that is not as it was written.
var ErrDamaged = errors.New("the index is damaged")
