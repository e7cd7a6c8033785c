package huggingface

// A bertRunner runs a model on the tokens of one text.
type bertRunner interface {
	// dimensions is the length of the vectors, 0 if the model does not say.
	dimensions() int
	// run gives one row for each token, or one for the text; out holds rows one after the other.
	// The first count of the tokens are the text's, the others fill up.
	run(ids, kinds []int64, count int) (out []float32, rows int, err error)
	close() error
}
