package parse

import (
	"cortex/lib/parse/extract"
)

// A worker makes the records of files. One goroutine at a time may use it.
type worker struct{ *extract.Extractor }

func newWorker() *worker { return &worker{extract.New()} }
