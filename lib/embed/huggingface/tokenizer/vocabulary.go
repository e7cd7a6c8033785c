package tokenizer

import (
	"fmt"
)

func (v vocabulary) tokens() map[string]int32 { return v }

func (v vocabulary) check() error {
	// Of several errors, the same one is always returned.
	worst, bad := "", false
	for token, id := range v {
		if (id < 0 || id >= maxTokens || len(token) > maxTokenBytes) && (!bad || token < worst) {
			worst, bad = token, true
		}
	}
	if bad && len(worst) > maxTokenBytes {
		return fmt.Errorf("a token of %d bytes, expected at most %d", len(worst), maxTokenBytes)
	}
	if bad {
		return fmt.Errorf("token %q has the number %d", worst, v[worst])
	}
	return nil
}

// unknownToken is the token for text that is not in the vocabulary; ok is false if there is none.
type unknownToken struct {
	id int32
	ok bool
}

func (u unknownToken) unknown() (int32, bool) { return u.id, u.ok }

func (u unknownToken) append(ids []int32) []int32 {
	if u.ok {
		ids = append(ids, u.id)
	}
	return ids
}

func (v vocabulary) find(unknown string) unknownToken {
	id, ok := v[unknown]
	return unknownToken{id, ok}
}
