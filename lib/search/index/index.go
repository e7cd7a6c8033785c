// Package index keeps what search needs ready, so that it is opened and not built: a segment for each shard of the store, in the user's cache folder.
// A segment has the terms of the chunks of its shard, what ranking and filters need to know of them, and their vectors as 8-bit integers. It is named by
// all that it depends on, and mapped into memory, so that generations and processes share it. An index in memory consists of the same segments.
package index

import "errors"

// ErrDamaged is in the error of reading a segment that is not as it was written.
var ErrDamaged = errors.New("the index is damaged")
