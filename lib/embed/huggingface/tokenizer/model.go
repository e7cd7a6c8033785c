package tokenizer

import (
	"errors"
	"fmt"
)

func (f *modelFile) model() (model, error) {
	if f == nil {
		return nil, errors.New("the file has no model")
	}
	// Old files omit the type.
	switch {
	case f.Type == "Unigram":
		return f.unigram()
	case f.Vocab.scored != nil:
		return nil, fmt.Errorf("type %q has a vocabulary with scores", f.Type)
	case f.Type == "WordPiece" || f.Type == "" && f.MaxWordChars != nil:
		return f.wordPiece()
	case f.Type == "BPE" || f.Type == "" && f.Merges != nil:
		return f.bpe()
	case f.Type == "WordLevel":
		return f.wordLevel()
	}
	return nil, fmt.Errorf("type %q is not supported", f.Type)
}
