package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// part has the field that all normalizers and pre-tokenizers have.
type part struct {
	Type string `json:"type"`
}

// parts is a list of at most maxParts parts.
type parts []json.RawMessage

func (p *parts) UnmarshalJSON(data []byte) (err error) {
	*p, err = list[json.RawMessage](data, maxParts)
	return err
}

// parseSequence parses the parts of a sequence. It flattens nested sequences, so that the result of each step is
// bounded.
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

// list decodes a list of at most most elements. Package encoding/json would allocate as much as a hostile file
// contains.
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

// isNull reports whether a section of the file is missing.
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
