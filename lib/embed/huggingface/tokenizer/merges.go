package tokenizer

import (
	"fmt"
	"strings"
)

// pair is a merge, encoded as "a b" or ["a", "b"].
type pair struct{ left, right string }

// merges is the list of merges in the file. A reader decodes it, as it does the vocabulary.
type merges []pair

// UnmarshalJSON decodes data, which must be valid JSON.
func (m *merges) UnmarshalJSON(data []byte) error {
	r := &reader{data: data}
	switch r.next() {
	case 'n':
		return nil
	case '[':
	default:
		return fmt.Errorf("merges: %w", r.unexpected())
	}
	all := make(merges, 0, min(len(data)/8, maxTokens))
	err := r.elements(']', func() error {
		if len(all) == maxTokens {
			return fmt.Errorf("more than %d merges", maxTokens)
		}
		p, err := r.pair()
		all = append(all, p)
		return err
	})
	*m = all
	return err
}

func (r *reader) pair() (pair, error) {
	var p pair
	if r.next() == '"' {
		s, err := r.text()
		left, right, ok := strings.Cut(s, " ")
		if err == nil && (!ok || strings.Contains(right, " ")) {
			err = fmt.Errorf("merge %.100q is not two tokens", s)
		}
		return pair{left, right}, err
	}
	if r.next() != '[' {
		return p, r.unexpected()
	}
	n := 0
	err := r.elements(']', func() (err error) {
		switch n++; n {
		case 1:
			p.left, err = r.text()
		case 2:
			p.right, err = r.text()
		default:
			err = r.unexpected()
		}
		return err
	})
	if err == nil && n != 2 {
		err = fmt.Errorf("a merge of %d tokens", n)
	}
	return p, err
}
