package parse

import (
	"cortex/lib/parse/extract"
)

// A worker makes the records of files, one at a time.
type worker struct{ *extract.Extractor }

func newWorker() *worker { return &worker{extract.New()} }
