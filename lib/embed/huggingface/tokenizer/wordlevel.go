package tokenizer

// wordLevel has one token for each word.
type wordLevel struct {
	vocabulary
	unk unknownToken
}

func (f *modelFile) wordLevel() (model, error) {
	v := f.Vocab.numbered
	unk := unknownToken{}
	if f.UnknownToken != nil {
		unk = v.find(*f.UnknownToken)
	}
	return &wordLevel{v, unk}, v.check()
}

func (m *wordLevel) unknown() (int32, bool) { return m.unk.unknown() }

func (m *wordLevel) append(ids []int32, word string, _ *buffer) []int32 {
	if id, ok := m.vocabulary[word]; ok {
		return append(ids, id)
	}
	return m.unk.append(ids)
}
