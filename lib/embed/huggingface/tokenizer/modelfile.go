package tokenizer

// modelFile is the model section of the file, with the settings of every kind of model.
type modelFile struct {
	Type         string    `json:"type"`
	Vocab        vocabFile `json:"vocab"`
	Merges       merges    `json:"merges"`
	Dropout      *float64  `json:"dropout"`
	UnknownToken *string   `json:"unk_token"`
	UnknownID    *int      `json:"unk_id"`
	Prefix       *string   `json:"continuing_subword_prefix"`
	Suffix       string    `json:"end_of_word_suffix"`
	MaxWordChars *int      `json:"max_input_chars_per_word"`
	Fuse         bool      `json:"fuse_unk"`
	ByteFallback bool      `json:"byte_fallback"`
	IgnoreMerges bool      `json:"ignore_merges"`
}
