// Package tokenizer splits texts into the tokens of a model, as the model's tokenizer.json specifies: the format of the
// Hugging Face tokenizers library (https://huggingface.co/docs/tokenizers), without training, offsets and pairs. Begin
// with tokenizer.go.
//
// A text goes through four steps, each a section of the file: added tokens are taken out; the rest is normalized, split
// into words, and each word is split into tokens of the vocabulary.
//
// Files are not trusted: Parse returns an error for anything that this package does not know. The cost of a text is
// bounded by its length times the length of the longest token and of the patterns, and no step makes a text more than
// maxGrowth times longer.
package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Tokenizer is a parsed tokenizer.json. It is immutable and safe for concurrent use.
type Tokenizer struct {
	raw        *added // added tokens, found in the text as it is
	normalized *added // added tokens, found after normalization
	normalizer normalizer
	splitter   splitter
	model      model
	frame      frame

	size    int
	length  float64
	unknown int32
	limit   limit
	buffers sync.Pool // of *buffer
}

type file struct {
	Truncation *struct {
		Direction string `json:"direction"`
		MaxLength int    `json:"max_length"`
	} `json:"truncation"`
	Padding *struct {
		Strategy   json.RawMessage `json:"strategy"`
		Direction  string          `json:"direction"`
		MultipleOf int             `json:"pad_to_multiple_of"`
		ID         int32           `json:"pad_id"`
	} `json:"padding"`
	AddedTokens   addedTokens     `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         *modelFile      `json:"model"`
}

// limit bounds the number of tokens of a text from above (truncation) and below (padding).
type limit struct {
	cut          bool
	most, least  int
	multipleOf   int
	filler       int32
	cutLeft      bool
	fillFromLeft bool
}

// Parse parses the content of a tokenizer.json.
func Parse(data []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("parse tokenizer: %w", err)
	}
	t, err := f.tokenizer()
	if err != nil {
		return nil, fmt.Errorf("parse tokenizer: %w", err)
	}
	return t, nil
}

func (f *file) tokenizer() (*Tokenizer, error) {
	t := &Tokenizer{}
	t.buffers.New = func() any { return &buffer{} }
	var err error
	if t.limit, err = f.limit(); err != nil {
		return nil, err
	}
	if t.model, err = f.Model.model(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	left := newBudget()
	if t.normalizer, err = parseNormalizer(f.Normalizer, left, 0); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	if t.splitter, err = parseSplitter(f.PreTokenizer, left, 0); err != nil {
		return nil, fmt.Errorf("pre_tokenizer: %w", err)
	}
	if t.frame, err = parseFrame(f.PostProcessor, 0); err != nil {
		return nil, fmt.Errorf("post_processor: %w", err)
	}
	if err := t.addTokens(f.AddedTokens); err != nil {
		return nil, fmt.Errorf("added_tokens: %w", err)
	}
	return t, nil
}

// isLeft reports whether a direction is "Left".
func isLeft(direction string) (bool, error) {
	if direction != "" && direction != "Left" && direction != "Right" {
		return false, fmt.Errorf("unknown direction %q", direction)
	}
	return direction == "Left", nil
}

func (f *file) limit() (limit, error) {
	var l limit
	var err error
	if c := f.Truncation; c != nil {
		if l.cutLeft, err = isLeft(c.Direction); err != nil {
			return l, fmt.Errorf("truncation: %w", err)
		}
		if l.cut, l.most = true, c.MaxLength; l.most < 0 {
			return l, fmt.Errorf("truncation: max_length is %d", l.most)
		}
	}
	p := f.Padding
	if p == nil {
		return l, nil
	}
	if l.fillFromLeft, err = isLeft(p.Direction); err != nil {
		return l, fmt.Errorf("padding: %w", err)
	}
	var fixed struct {
		Fixed *int `json:"Fixed"`
	}
	if string(p.Strategy) != `"BatchLongest"` {
		if err := json.Unmarshal(p.Strategy, &fixed); err != nil || fixed.Fixed == nil {
			return l, fmt.Errorf("padding: strategy %s is not supported", p.Strategy)
		}
		l.least = *fixed.Fixed
	}
	l.multipleOf, l.filler = p.MultipleOf, p.ID
	if l.least < 0 || l.least > maxFill || l.multipleOf < 0 || l.multipleOf > maxFill {
		return l, fmt.Errorf("padding: to %d tokens, or a multiple of %d", l.least, l.multipleOf)
	}
	if l.filler < 0 || l.filler >= maxTokens {
		return l, fmt.Errorf("padding: pad_id is %d", l.filler)
	}
	return l, nil
}

// addTokens sets the added tokens, and the fields that depend on them.
func (t *Tokenizer) addTokens(all []addedToken) error {
	tokens := t.model.tokens()
	lengths := make([]int, 0, len(tokens)+len(all))
	for token, id := range tokens {
		lengths = append(lengths, utf8.RuneCountInString(token))
		t.size = max(t.size, int(id)+1)
	}
	var raw, normalized []addedToken
	for _, a := range all {
		if a.Content == "" {
			continue
		}
		if len(a.Content) > maxTokenBytes {
			return fmt.Errorf("a token of %d bytes", len(a.Content))
		}
		if id, ok := tokens[a.Content]; ok {
			a.ID = id
		} else {
			lengths = append(lengths, utf8.RuneCountInString(a.Content))
		}
		if a.ID < 0 || a.ID >= maxTokens {
			return fmt.Errorf("token %q has the number %d", a.Content, a.ID)
		}
		t.size = max(t.size, int(a.ID)+1)
		if !a.Normalized {
			raw = append(raw, a)
			continue
		}
		if t.normalizer != nil {
			a.Content = t.normalizer.normalize(a.Content)
		}
		if a.Content != "" {
			normalized = append(normalized, a)
		}
	}
	t.raw, t.normalized = newAdded(raw), newAdded(normalized)
	if len(lengths) == 0 {
		return errors.New("there are no tokens")
	}
	slices.Sort(lengths)
	middle := len(lengths) / 2
	t.length = float64(lengths[middle])
	if len(lengths)%2 == 0 {
		t.length = (t.length + float64(lengths[middle-1])) / 2
	}
	if t.limit.least > 0 || t.limit.multipleOf > 0 {
		t.size = max(t.size, int(t.limit.filler)+1)
	}
	id, named := t.model.unknown()
	t.unknown = -1
	if named {
		t.unknown = id
	}
	return nil
}

// Size returns the largest number of a token, plus 1.
func (t *Tokenizer) Size() int { return t.size }

// MedianLength returns the median length of all tokens, in characters.
func (t *Tokenizer) MedianLength() float64 { return t.length }

// Unknown returns the number of the token for words that are not in the vocabulary. ok is false if the file does not
// name one; files of Unigram models give only its number.
func (t *Tokenizer) Unknown() (id int32, ok bool) { return t.unknown, t.unknown >= 0 }

// Append appends the numbers of a text's tokens to ids, without truncation and without frame. Invalid UTF-8 is read as
// U+FFFD. Text that the vocabulary cannot express has no token if the file does not name an unknown token.
func (t *Tokenizer) Append(ids []int32, text string) []int32 {
	b := t.buffers.Get().(*buffer)
	defer t.buffers.Put(b)
	text = strings.ToValidUTF8(text, "\uFFFD")
	first := true
	t.raw.each(text, func(part string, id int32) {
		if id >= 0 {
			ids = append(ids, id)
		} else {
			ids = t.appendPart(ids, part, first, b)
		}
		first = false
	})
	return ids
}

// Fit truncates or pads the tokens of a text as the file specifies. A padding to the longest text of a batch does
// nothing: each text is its own batch, so that its tokens do not depend on other texts.
func (t *Tokenizer) Fit(ids []int32) []int32 {
	l := &t.limit
	if over := len(ids) - l.most; l.cut && over > 0 {
		if l.cutLeft {
			ids = slices.Delete(ids, 0, over)
		} else {
			ids = ids[:l.most]
		}
	}
	want := max(len(ids), l.least)
	if l.multipleOf > 0 && want%l.multipleOf > 0 {
		want += l.multipleOf - want%l.multipleOf
	}
	fill := slices.Repeat([]int32{l.filler}, want-len(ids))
	if l.fillFromLeft {
		return slices.Insert(ids, 0, fill...)
	}
	return append(ids, fill...)
}

func (t *Tokenizer) appendPart(ids []int32, part string, first bool, b *buffer) []int32 {
	if t.normalizer != nil {
		part = t.normalizer.normalize(part)
	}
	t.normalized.each(part, func(part string, id int32) {
		if id >= 0 {
			ids = append(ids, id)
		} else {
			ids = t.appendWords(ids, part, first, b)
		}
		first = false
	})
	return ids
}

func (t *Tokenizer) appendWords(ids []int32, part string, first bool, b *buffer) []int32 {
	if t.splitter == nil {
		return t.model.append(ids, part, b)
	}
	b.a = append(b.a[:0], piece{part, first})
	b.a, b.b = t.splitter.split(b.a, b.b[:0])
	for _, p := range b.a {
		if p.text != "" {
			ids = t.model.append(ids, p.text, b)
		}
	}
	// The buffer must not keep the words of the text alive.
	clear(b.a)
	clear(b.b[:cap(b.b)])
	return ids
}

// Frame adds the tokens that the model expects before and after a text, such as [CLS] and [SEP]. If the result would
// have more than most tokens, the end of the text is cut; 0 stands for no bound.
func (t *Tokenizer) Frame(ids []int32, most int) Framed {
	f := &t.frame
	if room := most - len(f.before) - len(f.after); most > 0 && len(ids) > room {
		ids = ids[:max(0, room)]
	}
	var out Framed
	out.IDs = append(append(append(out.IDs, f.before...), ids...), f.after...)
	out.Kinds = append(out.Kinds, f.kinds[0]...)
	kind := int32(0)
	if len(f.kinds[1]) > 0 {
		kind = f.kinds[1][0]
	}
	for range ids {
		out.Kinds = append(out.Kinds, kind)
	}
	out.Kinds = append(out.Kinds, f.kinds[2]...)
	return out
}
