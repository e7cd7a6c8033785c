//go:build !bert

package embed

import "errors"

const bertBuilt = false

func newBERTRunner([]byte) (bertRunner, error) {
	return nil, errors.New("built without bert")
}
