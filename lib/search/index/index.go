// Package index keeps the search index on disk, ready to be mapped into memory: a segment for each shard of the store, in the user's cache folder.
// A segment has the terms of the chunks of its shard, the values that ranking and filters need, and their vectors as integers of 4 or 8 bits. Its name is a digest of
// everything that it depends on, so generations and processes share segments.
//
// Begin with folder.go, which opens and makes the segments of a store, and segment.go, which reads one; format.go and sections.go have the format, and generation.go joins the segments of a generation.
package index

import "errors"

// ErrDamaged is in the error of reading a segment that is not as it was written.
var ErrDamaged = errors.New("the index is damaged")
