package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// part is what all normalizers and pre-tokenizers have in common.
type part struct {
	Type string `json:"type"`
}

// parts is a list of them, no longer than any file may have.
type parts []json.RawMessage

func (p *parts) UnmarshalJSON(data []byte) (err error) {
	*p, err = list[json.RawMessage](data, maxParts)
	return err
}

// parseSequence parses the parts of a sequence, which are one after the other. Sequences in a sequence are one, of which each step is bounded.
func parseSequence[All ~[]T, T any](of parts, parse func(json.RawMessage, *budget, int) (T, error), left *budget, depth int) (All, error) {
	var all All
	for _, raw := range of {
		one, err := parse(raw, left, depth+1)
		if err != nil {
			return nil, err
		}
		if several, ok := any(one).(All); ok {
			all = append(all, several...)
		} else if any(one) != nil {
			all = append(all, one)
		}
	}
	return all, nil
}

// list reads a list of at most most elements. Package json would make room for all of them, of whatever a hostile file holds.
func list[T any](data []byte, most int) ([]T, error) {
	var all []T
	if isNull(data) {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, errors.New("expected a list")
	}
	for d.More() {
		if len(all) == most {
			return nil, fmt.Errorf("a list of more than %d", most)
		}
		var one T
		if err := d.Decode(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// isNull reports whether a part of the file is not there.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
