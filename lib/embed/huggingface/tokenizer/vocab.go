package tokenizer

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// vocabFile is a vocabulary in a file: an object of tokens and numbers, or a list of tokens with
// scores, numbered by their place. It is read by hand, since it is nearly all of a file and package
// json takes several times as long.
type vocabFile struct {
	numbered vocabulary
	scored   []scored
}

var errTooManyTokens = fmt.Errorf("a vocabulary of more than %d tokens", maxTokens)

// UnmarshalJSON reads data, which is known to be JSON.
func (v *vocabFile) UnmarshalJSON(data []byte) error {
	r := &reader{data: data}
	switch r.next() {
	case '{':
		// Most tokens take about as many bytes.
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

// A reader goes through JSON that is known to be right.
type reader struct {
	data []byte
	at   int
}

// next returns the next byte that is no white space, without reading it; 0 at the end.
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

// elements reads an opening bracket, elements with commas, and the closing bracket.
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

// scalar reads a number, or what stands in its place.
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

// A vocabulary is the tokens of a model with their numbers.
type vocabulary map[string]int32
