package huggingface

// A bertRunner runs a model on the tokens of one text.
type bertRunner interface {
	// dimensions returns the length of the vectors, 0 if the model does not say.
	dimensions() int
	// run returns a row for each token, or a single row for the text; out holds the rows one after the other. Only the
	// first count tokens belong to the text; the others are padding.
	run(ids, kinds []int64, count int) (out []float32, rows int, err error)
	close() error
}
