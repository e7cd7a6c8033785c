package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
)

// frame has the tokens that a model expects before and after a text.
type frame struct {
	before, after []int32
	// kinds has the kinds of the tokens before the text, of the text, and after it.
	kinds [3][]int32
}

// Framed has the tokens of a text, including the frame, and the kind (token type) of each.
type Framed struct{ IDs, Kinds []int32 }

func (f *frame) add(ids []int32, kind int32) error {
	place, tokens := 0, &f.before
	if len(f.kinds[1]) > 0 {
		place, tokens = 2, &f.after
	}
	for _, id := range ids {
		if id < 0 || id >= maxTokens {
			return fmt.Errorf("a token around the text has the number %d", id)
		}
		if len(f.before)+len(f.after) == maxFrame {
			return fmt.Errorf("more than %d tokens around the text", maxFrame)
		}
		*tokens = append(*tokens, id)
		f.kinds[place] = append(f.kinds[place], kind)
	}
	return nil
}

func (f *frame) text(kind int32) error {
	if len(f.kinds[1]) > 0 {
		return errors.New("the text comes twice")
	}
	f.kinds[1] = []int32{kind}
	return nil
}

// numbered is a token with its number, encoded as a list of two.
type numbered struct {
	token string
	id    int32
}

func (n *numbered) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[2]any{&n.token, &n.id})
}

const maxFrame = 64

func parseFrame(raw json.RawMessage, depth int) (frame, error) {
	var f frame
	if isNull(raw) {
		return f, nil
	}
	var p struct {
		part
		Processors parts    `json:"processors"`
		CLS        numbered `json:"cls"`
		SEP        numbered `json:"sep"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return f, err
	}
	switch p.Type {
	case "Sequence":
		if depth > maxPartsNested {
			return f, errTooMany
		}
		for _, one := range p.Processors {
			g, err := parseFrame(one, depth+1)
			if err != nil {
				return f, err
			}
			if len(g.kinds[1]) > 0 {
				if len(f.kinds[1]) > 0 {
					return f, errors.New("two processors frame the text")
				}
				f = g
			}
		}
		return f, nil
	case "ByteLevel":
		return f, nil
	case "BertProcessing", "RobertaProcessing":
		// Pairs of texts are not supported.
		return f, errors.Join(f.add([]int32{p.CLS.id}, 0), f.text(0), f.add([]int32{p.SEP.id}, 0))
	case "TemplateProcessing":
		return parseTemplate(raw)
	}
	return f, fmt.Errorf("type %q is not supported", p.Type)
}

func parseTemplate(raw json.RawMessage) (frame, error) {
	type item struct {
		ID   string `json:"id"`
		Kind int32  `json:"type_id"`
	}
	var f frame
	var s struct {
		Single []struct {
			Special  *item `json:"SpecialToken"`
			Sequence *item `json:"Sequence"`
		} `json:"single"`
		Special map[string]struct {
			IDs []int32 `json:"ids"`
		} `json:"special_tokens"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return f, err
	}
	for _, p := range s.Single {
		switch {
		case p.Special != nil:
			special, ok := s.Special[p.Special.ID]
			if !ok {
				return f, fmt.Errorf("type TemplateProcessing: the token %q has no number", p.Special.ID)
			}
			if err := f.add(special.IDs, p.Special.Kind); err != nil {
				return f, fmt.Errorf("type TemplateProcessing: %w", err)
			}
		case p.Sequence != nil:
			if err := f.text(p.Sequence.Kind); err != nil {
				return f, err
			}
		}
	}
	if len(f.kinds[1]) == 0 {
		return f, errors.New("type TemplateProcessing: the text is missing")
	}
	return f, nil
}
