package tokenizer

// A normalizer changes a text before it is split into words.
type normalizer interface {
	normalize(string) string
}

// normalizeFunc is a normalizer without settings.
type normalizeFunc func(string) string

func (f normalizeFunc) normalize(s string) string { return f(s) }
