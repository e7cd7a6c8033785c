// Package index keeps what search needs on disk, so that it is opened and not built: the cache of a store, which
// all processes that read the store share. Only it knows bleve's segments.
package index

import "errors"

// ErrDamaged is in the error of reading a file of the cache that is not as it was written. Open finds such files
// and makes them anew; what is damaged afterwards, the one who reads it sees.
var ErrDamaged = errors.New("the cache is damaged")
