package tokenizer

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// vocabFile is the vocabulary in a file: an object of tokens and their numbers, or a list of tokens with scores,
// numbered by position. It is most of a file, and is decoded without package encoding/json, which takes several times
// as long.
type vocabFile struct {
	numbered vocabulary
	scored   []scored
}

var errTooManyTokens = fmt.Errorf("a vocabulary of more than %d tokens", maxTokens)

// UnmarshalJSON decodes data, which must be valid JSON.
func (v *vocabFile) UnmarshalJSON(data []byte) error {
	r := &reader{data: data}
	switch r.next() {
	case '{':
		// An entry has about 16 bytes.
		v.numbered = make(vocabulary, min(len(data)/16, maxTokens))
		return r.elements('}', func() error {
			token, err := r.text()
			if err != nil {
				return err
			}
			if r.next() != ':' {
				return r.unexpected()
			}
			r.at++
			id, err := strconv.ParseInt(r.scalar(), 10, 32)
			if err != nil {
				return fmt.Errorf("token %q has no number below %d", token, math.MaxInt32)
			}
			if v.numbered[token] = int32(id); len(v.numbered) > maxTokens {
				return errTooManyTokens
			}
			return nil
		})
	case '[':
		v.scored = make([]scored, 0, min(len(data)/32, maxTokens))
		return r.elements(']', func() error {
			if len(v.scored) == maxTokens {
				return errTooManyTokens
			}
			if r.next() != '[' {
				return r.unexpected()
			}
			var s scored
			n := 0
			err := r.elements(']', func() (err error) {
				if n++; n == 1 {
					s.token, err = r.text()
					return err
				}
				if s.score, err = strconv.ParseFloat(r.scalar(), 64); err != nil {
					err = fmt.Errorf("token %q has no score", s.token)
				}
				return err
			})
			if err == nil && n != 2 {
				err = fmt.Errorf("token %q is one of a list of %d, expected a token and a score", s.token, n)
			}
			v.scored = append(v.scored, s)
			return err
		})
	case 'n':
		return nil
	}
	return fmt.Errorf("vocab: %w", r.unexpected())
}

// A reader decodes JSON that is known to be valid.
type reader struct {
	data []byte
	at   int
}

// next skips white space and returns the next byte without consuming it; 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.data); r.at++ {
		if c := r.data[r.at]; c > ' ' {
			return c
		}
	}
	return 0
}

func (r *reader) unexpected() error {
	return fmt.Errorf("unexpected %.20q", r.data[min(r.at, len(r.data)):])
}

// elements reads an opening bracket, elements separated by commas, and the closing bracket.
func (r *reader) elements(end byte, element func() error) error {
	r.next()
	r.at++
	for r.next() != end {
		if err := element(); err != nil {
			return err
		}
		if r.next() == ',' {
			r.at++
		} else if r.next() != end {
			return r.unexpected()
		}
	}
	r.at++
	return nil
}

// text reads a string.
func (r *reader) text() (string, error) {
	if r.next() != '"' {
		return "", r.unexpected()
	}
	start := r.at
	r.at++
	plain := true
	for r.at < len(r.data) && r.data[r.at] != '"' {
		if r.data[r.at] == '\\' {
			plain = false
			r.at++
		}
		r.at++
	}
	r.at++
	if r.at > len(r.data) {
		return "", r.unexpected()
	}
	raw := r.data[start:r.at]
	if plain && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1]), nil
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err
}

// scalar reads a number or another text up to the next delimiter.
func (r *reader) scalar() string {
	r.next()
	start := r.at
	for ; r.at < len(r.data); r.at++ {
		if c := r.data[r.at]; c <= ' ' || c == ',' || c == ']' || c == '}' {
			break
		}
	}
	return string(r.data[start:r.at])
}

// A scored is a token with its score.
type scored struct {
	token string
	score float64
}

// A vocabulary maps tokens to their numbers.
type vocabulary map[string]int32
