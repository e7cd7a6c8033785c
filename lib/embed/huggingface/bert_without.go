//go:build !bert

package huggingface

import "errors"

const bertBuilt = false

func newBERTRunner([]byte) (bertRunner, error) {
	return nil, errors.New("built without bert")
}
