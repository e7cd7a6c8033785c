package config

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cortex/lib/glob"
	"cortex/lib/hint"
	"cortex/lib/shorten"
)

// Limits for untrusted files.
const (
	minChunkSize = 200
	maxChunkSize = 100_000
	maxItems     = 1000
	maxText      = 1000 // bytes in one text or list item
	maxShown     = 60   // characters of a text in an error
)

// written is a value from a flag or a variable. Its key knows its type.
type written string

// A key is one setting. The names of its flag and its variable are made from its name.
type key struct {
	name string // section.name, as in a file
	help string
	// unit is the placeholder for the value in the help.
	unit string
	def  string // as shown in the help
	many bool   // a list
	// alone is the value of the flag if it is given without one; "" if it needs one.
	alone string
	// reset sets the setting to its default.
	reset func(*Config)
	// decode checks a value and returns a function that sets it. The value is a written, or a string, int, float64,
	// bool or []string from a file.
	decode func(value any) (func(*Config), error)
	// userOnly says that files of repositories may not set the key.
	userOnly bool
	// byName says that only commands that name the key have a flag for it.
	byName bool
}

func (k key) section() string { return section(k.name) }

func section(name string) string {
	before, _, _ := strings.Cut(name, ".")
	return before
}

// flag returns the name of the flag, the last part of the key's name: chunking.code_chunk_size is --code-chunk-size.
func (k key) flag() string {
	_, name, _ := strings.Cut(k.name, ".")
	return strings.ReplaceAll(name, "_", "-")
}

// prefix begins the names of all variables.
const prefix = "CORTEX_"

// environment returns the name of the variable: chunking.overlap is CORTEX_CHUNKING_OVERLAP.
func (k key) environment() string {
	return prefix + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
}

// keys is the table of all settings, in the order of the help.
func keys() []key {
	strategies := []string{"symbols", "definitions", "data", "implementations"}
	return []key{
		text("embedding.provider", "", func(c *Config) *string { return &c.Embedding.Provider }, "NAME", "provider of embeddings: builtin (default), ollama, openai, http, model2vec or bert").forUser(),
		text("embedding.model", "", func(c *Config) *string { return &c.Embedding.Model }, "NAME", "the provider's model (default: the provider's choice)").forUser(),
		text("embedding.endpoint", "", func(c *Config) *string { return &c.Embedding.Endpoint }, "URL", "address of the provider's service; its key is read from CORTEX_EMBEDDING_KEY").forUser(),
		integer("embedding.dimensions", 0, 0, 8192, func(c *Config) *int { return &c.Embedding.Dimensions }, "N", "length of the vectors (default: the model's)").forUser(),
		optional("embedding.query_prefix", func(c *Config) **string { return &c.Embedding.QueryPrefix }, "TEXT", "text before each question (default: the model's)").forUser().rare(),
		optional("embedding.passage_prefix", func(c *Config) **string { return &c.Embedding.PassagePrefix }, "TEXT", "text before each passage (default: the model's)").forUser().rare(),
		integer("embedding.batch_size", 0, 0, 10_000, func(c *Config) *int { return &c.Embedding.BatchSize }, "N", "send N texts in one request (default: the provider's choice)").forUser().rare(),
		integer("embedding.concurrency", 0, 0, 256, func(c *Config) *int { return &c.Embedding.Concurrency }, "N", "send N requests at once to a service (default: the provider's choice)").forUser().rare(),
		integer("embedding.max_tokens", 0, 0, 1_000_000, func(c *Config) *int { return &c.Embedding.MaxTokens }, "N", "cut texts at about N tokens (default: the model's limit)").forUser().rare(),
		duration("embedding.timeout", time.Hour, func(c *Config) *time.Duration { return &c.Embedding.Timeout }, "TIME", "give up a request after TIME, such as 30s (default: the provider's choice)").forUser().rare(),
		number("embedding.price", 0, 1e6, func(c *Config) *float64 { return &c.Embedding.Price }, "PRICE", "price of a million tokens, to show the cost of a run").forUser().rare(),
		choice("embedding.on_error", []string{"stop", "skip"}, func(c *Config) *string { return &c.Embedding.OnError }, "WHAT", "stop, or skip chunks that cannot be embedded (default: stop)").forUser().rare(),

		list("paths.code", nil, checkPattern, func(c *Config) *[]string { return &c.Paths.Code }, "GLOBS", "index only code that matches one of these patterns"),
		list("paths.docs", nil, checkPattern, func(c *Config) *[]string { return &c.Paths.Docs }, "GLOBS", "index only documents that match one of these patterns"),
		list("paths.ignore", nil, checkPattern, func(c *Config) *[]string { return &c.Paths.Ignore }, "GLOBS", "skip files that match one of these patterns"),
		boolean("paths.secrets", func(c *Config) *bool { return &c.Paths.Secrets }, "include files that hold secrets: .env, private keys, ...").forUser(),

		list("chunking.strategies", strategies, oneOf(strategies), func(c *Config) *[]string { return &c.Chunking.Strategies }, "TIERS", "the tiers of code chunks to make"),
		integer("chunking.doc_chunk_size", 1000, minChunkSize, maxChunkSize, func(c *Config) *int { return &c.Chunking.DocChunkSize }, "CHARS", "characters in a chunk of documentation"),
		integer("chunking.code_chunk_size", 2000, minChunkSize, maxChunkSize, func(c *Config) *int { return &c.Chunking.CodeChunkSize }, "CHARS", "characters in a chunk of code"),
		integer("chunking.overlap", 300, 0, maxChunkSize/2, func(c *Config) *int { return &c.Chunking.Overlap }, "BYTES", "bytes that two chunks share where no syntax says where to cut"),

		integer("search.fuzzy_distance", 1, 0, 2, func(c *Config) *int { return &c.Search.FuzzyDistance }, "EDITS", "edits that a bare ~ allows; 0 also turns off help with misspelt words"),
		number("search.min_score", 0, 1, func(c *Config) *float64 { return &c.Search.MinScore }, "SCORE", "leave out hits of a question with a lower score, from 0 to 1: the chance that a place answers"),
		checked(text("search.stemmer", "english", func(c *Config) *string { return &c.Search.Stemmer }, "LANGUAGE", "language whose word endings are cut"), checkStemmer),
		integer("search.merge_threshold", 2, 1, 100, func(c *Config) *int { return &c.Search.MergeThreshold }, "HITS", "how many hits in sections of one parent become the parent"),
		number("search.merge_bonus", 0.1, 1, func(c *Config) *float64 { return &c.Search.MergeBonus }, "SCORE", "score that each merged hit adds"),
		integer("search.max_merge_depth", 2, 0, 10, func(c *Config) *int { return &c.Search.MaxMergeDepth }, "LEVELS", "levels over which sections are merged"),
		number("search.local_boost", 1.5, 100, func(c *Config) *float64 { return &c.Search.LocalBoost }, "FACTOR", "factor for hits in the tree that is asked from"),

		list("trust.embedding", nil, checkRoot, func(c *Config) *[]string { return &c.Trust.Embedding }, "FOLDERS", "repositories whose own file may choose the embedder").forUser().rare(),
	}
}

func (k key) forUser() key {
	k.userOnly = true
	return k
}

func (k key) rare() key {
	k.byName = true
	return k
}

// optional returns the key of a text that may be empty; an empty text differs from an unset one.
func optional(name string, field func(*Config) **string, unit, help string) key {
	return key{name: name, unit: unit, help: help,
		reset:  func(c *Config) { *field(c) = nil },
		decode: decodeText(func(c *Config, s string) { *field(c) = &s })}
}

// decodeText returns a decode function for a text that set stores.
func decodeText(set func(*Config, string)) func(value any) (func(*Config), error) {
	return func(value any) (func(*Config), error) {
		s, err := asText(value)
		if err != nil {
			return nil, err
		}
		if err := checkText(s); err != nil {
			return nil, err
		}
		return func(c *Config) { set(c, s) }, nil
	}
}

// choice returns the key of one of a few texts, "" if it is not set.
func choice(name string, names []string, field func(*Config) *string, unit, help string) key {
	return checked(text(name, "", field, unit, help), oneOf(names))
}

// checked returns the key of a text with a check of its values.
func checked(k key, check func(string) error) key {
	decode := k.decode
	k.decode = func(value any) (func(*Config), error) {
		set, err := decode(value)
		if err != nil {
			return nil, err
		}
		s, err := asText(value)
		if err != nil {
			return nil, err
		}
		if err := check(s); err != nil {
			return nil, err
		}
		return set, nil
	}
	return k
}

// duration returns the key of a positive time, written as 1m30s.
func duration(name string, most time.Duration, field func(*Config) *time.Duration, unit, help string) key {
	return key{name: name, unit: unit, help: help,
		reset: func(c *Config) { *field(c) = 0 },
		decode: func(value any) (func(*Config), error) {
			s, err := asText(value)
			if err != nil {
				return nil, fmt.Errorf("expected a time such as 30s, not %s", describe(value))
			}
			d, err := time.ParseDuration(s)
			if err != nil {
				return nil, fmt.Errorf("expected a time such as 30s, not %q", shorten.End(s, maxShown))
			}
			if d < time.Millisecond || d > most {
				return nil, fmt.Errorf("expected 1ms to %v, not %v", most, d)
			}
			return func(c *Config) { *field(c) = d }, nil
		}}
}

func text(name, def string, field func(*Config) *string, unit, help string) key {
	return key{name: name, unit: unit, help: help, def: def,
		reset:  func(c *Config) { *field(c) = def },
		decode: decodeText(func(c *Config, s string) { *field(c) = s })}
}

func integer(name string, def, least, most int, field func(*Config) *int, unit, help string) key {
	return key{name: name, unit: unit, help: help, def: strconv.Itoa(def),
		reset: func(c *Config) { *field(c) = def },
		decode: func(value any) (func(*Config), error) {
			n, err := asInteger(value)
			if err != nil {
				return nil, err
			}
			if n < least || n > most {
				return nil, fmt.Errorf("expected %d to %d, not %d", least, most, n)
			}
			return func(c *Config) { *field(c) = n }, nil
		}}
}

func number(name string, def, most float64, field func(*Config) *float64, unit, help string) key {
	return key{name: name, unit: unit, help: help, def: strconv.FormatFloat(def, 'g', -1, 64),
		reset: func(c *Config) { *field(c) = def },
		decode: func(value any) (func(*Config), error) {
			x, err := asNumber(value)
			if err != nil {
				return nil, err
			}
			// NaN fails this check too.
			if !(x >= 0 && x <= most) {
				return nil, fmt.Errorf("expected 0 to %v, not %v", most, x)
			}
			return func(c *Config) { *field(c) = x }, nil
		}}
}

// boolean returns the key of a bool whose default is false.
func boolean(name string, field func(*Config) *bool, help string) key {
	return key{name: name, unit: "bool", help: help, def: "false", alone: "true",
		reset: func(c *Config) { *field(c) = false },
		decode: func(value any) (func(*Config), error) {
			on, ok := value.(bool)
			if text, isText := value.(written); isText {
				parsed, err := strconv.ParseBool(strings.TrimSpace(string(text)))
				if err != nil {
					return nil, fmt.Errorf("expected true or false, not %q", shorten.End(string(text), maxShown))
				}
				on, ok = parsed, true
			}
			if !ok {
				return nil, fmt.Errorf("expected true or false, not %s", describe(value))
			}
			return func(c *Config) { *field(c) = on }, nil
		}}
}

func list(name string, def []string, check func(string) error, field func(*Config) *[]string, unit, help string) key {
	return key{name: name, unit: unit, help: help, many: true, def: strings.Join(def, ","),
		reset: func(c *Config) { *field(c) = slices.Clone(def) },
		decode: func(value any) (func(*Config), error) {
			items, err := asList(value)
			if err != nil {
				return nil, err
			}
			if len(items) > maxItems {
				return nil, fmt.Errorf("%d items, at most %d are allowed", len(items), maxItems)
			}
			for _, item := range items {
				if err := checkText(item); err != nil {
					return nil, err
				}
				if err := check(item); err != nil {
					return nil, err
				}
			}
			return func(c *Config) { *field(c) = slices.Clone(items) }, nil
		}}
}

func asText(value any) (string, error) {
	switch v := value.(type) {
	case written:
		return string(v), nil
	case string:
		return v, nil
	}
	return "", fmt.Errorf("expected text, not %s", describe(value))
}

func asInteger(value any) (int, error) {
	switch v := value.(type) {
	case written:
		n, err := strconv.Atoi(strings.TrimSpace(string(v)))
		if err != nil {
			return 0, fmt.Errorf("expected a whole number, not %q", string(v))
		}
		return n, nil
	case int:
		return v, nil
	}
	return 0, fmt.Errorf("expected a whole number, not %s", describe(value))
}

func asNumber(value any) (float64, error) {
	switch v := value.(type) {
	case written:
		x, err := strconv.ParseFloat(strings.TrimSpace(string(v)), 64)
		if err != nil {
			return 0, fmt.Errorf("expected a number, not %q", string(v))
		}
		return x, nil
	case int:
		return float64(v), nil
	case float64:
		return v, nil
	}
	return math.NaN(), fmt.Errorf("expected a number, not %s", describe(value))
}

func asList(value any) ([]string, error) {
	switch v := value.(type) {
	case written:
		return splitList(string(v)), nil
	case []string:
		return v, nil
	}
	return nil, fmt.Errorf("expected a list such as [a, b], not %s", describe(value))
}

// describe describes a value from a file in terms of YAML.
func describe(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("text (%q)", shorten.End(v, maxShown))
	case int, float64:
		return fmt.Sprintf("the number %v", v)
	case bool:
		return fmt.Sprintf("%v", v)
	case []string:
		return "a list"
	}
	return "a mapping"
}

// splitList splits at commas, except inside braces as in **/*.{go,py}.
func splitList(text string) []string {
	items := []string{}
	depth, start := 0, 0
	add := func(end int) {
		if item := strings.TrimSpace(text[start:end]); item != "" {
			items = append(items, item)
		}
		start = end + 1
	}
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth = max(0, depth-1)
		case ',':
			if depth == 0 {
				add(i)
			}
		}
	}
	add(len(text))
	return items
}

func checkText(s string) error {
	if len(s) > maxText {
		return fmt.Errorf("%q is longer than %d bytes", shorten.End(s, maxShown), maxText)
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) {
		return fmt.Errorf("%q holds a control character or is not UTF-8", s)
	}
	return nil
}

// Stemmers returns the values of search.stemmer. lib/search has the stemmers.
func Stemmers() []string {
	return []string{"none", "arabic", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian", "irish", "italian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "tamil", "turkish"}
}

// checkStemmer returns an error if there is no stemmer for the language. "" is the default.
func checkStemmer(language string) error {
	name := strings.ToLower(strings.TrimSpace(language))
	if name == "" || slices.Contains(Stemmers(), name) {
		return nil
	}
	advice := hint.OrNearest(name, Stemmers(), "languages are "+strings.Join(Stemmers(), ", "))
	return hint.Wrap(fmt.Errorf("unknown language %q", shorten.End(language, maxShown)), advice)
}

// checkPattern returns an error if a pattern is no valid glob, or could match files outside of the root.
func checkPattern(pattern string) error {
	if pattern == "" {
		return errors.New("a pattern is empty")
	}
	slashed := strings.ReplaceAll(pattern, `\`, "/")
	drive := len(slashed) >= 2 && slashed[1] == ':'
	if slashed[0] == '/' || slashed[0] == '~' || drive {
		return hint.Wrap(fmt.Errorf("pattern %q is not relative to the root", pattern), "patterns start at the root: write docs/** for the folder docs")
	}
	for part := range strings.SplitSeq(slashed, "/") {
		if part == ".." {
			return fmt.Errorf("pattern %q leads out of the root", pattern)
		}
	}
	if _, err := glob.Parse(strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")); err != nil {
		return fmt.Errorf("pattern %q: %w", shorten.End(pattern, maxShown), err)
	}
	return nil
}

// checkRoot returns an error unless the path is absolute or begins with ~.
func checkRoot(path string) error {
	if filepath.IsAbs(path) || path == "~" || strings.HasPrefix(path, "~/") {
		return nil
	}
	return hint.Wrap(fmt.Errorf("folder %q is not absolute", path), "write it as /home/you/app or ~/app")
}

func oneOf(names []string) func(string) error {
	return func(s string) error {
		if slices.Contains(names, s) {
			return nil
		}
		return fmt.Errorf("unknown %q, expected %s", s, strings.Join(names, ", "))
	}
}

// userOnly reports whether only the user may set the key, or all keys of the section if name is no key.
func userOnly(table []key, name string) bool {
	if i := slices.IndexFunc(table, func(k key) bool { return k.name == name }); i >= 0 {
		return table[i].userOnly
	}
	own := false
	for _, k := range table {
		if k.section() == section(name) {
			if own = k.userOnly; !own {
				break
			}
		}
	}
	return own
}

// find returns the key that the entry names. For an empty section it returns an empty key.
func find(table []key, e entry) (key, error) {
	for _, k := range table {
		if k.name == e.name {
			return k, nil
		}
	}
	for _, k := range table {
		if k.section() == e.name {
			if e.value == nil {
				return key{}, nil
			}
			return key{}, fmt.Errorf("%s: expected a mapping, not %s", e.name, describe(e.value))
		}
	}
	err := fmt.Errorf("unknown key %q", shorten.End(e.name, maxShown))
	if near := nearest(table, e.name); near != "" {
		return key{}, hint.Wrap(err, fmt.Sprintf("did you mean %s?", near))
	}
	return key{}, err
}

// nearest returns the name of the most similar key or section, or "".
func nearest(table []key, name string) string {
	var names, owns, sections []string
	_, given, found := strings.Cut(name, ".")
	if !found {
		given = name
	}
	for _, k := range table {
		// The key may lack its section or be in another one.
		_, own, _ := strings.Cut(k.name, ".")
		if own == given {
			return k.name
		}
		names, owns, sections = append(names, k.name), append(owns, own), append(sections, k.section())
	}
	if near := hint.Nearest(name, names); near != "" {
		return near
	}
	if near := hint.Nearest(name, sections); near != "" {
		return near
	}
	if i := slices.Index(owns, hint.Nearest(given, owns)); i >= 0 {
		return table[i].name
	}
	return ""
}

// An entry is one setting in a file. An empty section is an entry with its name and
// no value.
type entry struct {
	name  string // section.name
	line  int
	value any // nil, string, int, float64, bool, []string or mapping
	// err is a fault in the value. It is reported only if the key may be set in this file.
	err error
}

func (e entry) section() string { return section(e.name) }
