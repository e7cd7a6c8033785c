package request

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/search/answer"
)

// An Option is one row of the table. Empty fields mean that the option lacks the flag, the argument and so on.
type Option struct {
	// name is the name of the tool's argument. flag is the name of the flag, followed by its letter and by other names.
	name, flag string
	// help is the help text of the flag, about the description in the schema.
	help, about string
	// quiet arguments are accepted, but not shown in the schema.
	quiet, required bool
	// joined says that the value is a text with commas, to which a repeated flag adds.
	joined bool
	value
	// typed is the value of the flag if it differs from that of the argument.
	typed value
}

// A value says how an option is written, which values are valid, and where the value is stored.
type value struct {
	// shape is the property in the schema. The flag's type and default come from it too.
	shape property
	// texts returns the strings in a JSON value of the shape: several for a list, otherwise one. The error says what
	// was expected.
	texts func(json.RawMessage) ([]string, error)
	// reset stores the default. keep checks and stores the given texts. The errors do not quote the value.
	reset func()
	keep  func(texts []string) error
}

// A property is a property of a JSON schema.
type property struct {
	Type        string    `json:"type"`
	Items       *property `json:"items,omitempty"`
	Enum        []string  `json:"enum,omitempty"`
	Minimum     *int      `json:"minimum,omitempty"`
	Maximum     *int      `json:"maximum,omitempty"`
	Default     any       `json:"default,omitempty"`
	Description string    `json:"description,omitempty"`
}

// wanted is an error that says what was expected. The caller adds the value that was given.
type wanted string

func (w wanted) Error() string { return "expected " + string(w) }

// text returns the value of a string with a limit of most characters.
func text[T ~string](field *T, most int) value {
	return value{property{Type: "string"}, textOf, func() { *field = "" }, func(texts []string) error {
		*field = T(texts[0])
		return fits(texts[0], most)
	}}
}

func fits(s string, most int) error {
	if n := utf8.RuneCountInString(s); n > most {
		return fmt.Errorf("%d characters, at most %d are allowed", n, most)
	}
	return nil
}

// noBound stands for no upper bound.
const noBound = math.MaxInt32

// integer returns the value of a whole number from least to most. fallback is the default; the schema leaves out a
// default of 0.
func integer(field *int, least, most, fallback int) value {
	want := wanted(fmt.Sprintf("a whole number from %d to %d", least, most))
	if most == noBound {
		want = wanted(fmt.Sprintf("a whole number of %d or more", least))
	}
	v := value{property{Type: "integer", Minimum: &least, Maximum: &most}, literalOf, func() { *field = fallback }, func(texts []string) error {
		x, err := strconv.ParseFloat(texts[0], 64)
		if err != nil || x != math.Trunc(x) || x < float64(least) || x > float64(most) {
			return want
		}
		*field = int(x)
		return nil
	}}
	if fallback != 0 {
		v.shape.Default = fallback
	}
	return v
}

// unbounded removes the bounds from the schema.
func (v value) unbounded() value {
	v.shape.Minimum, v.shape.Maximum = nil, nil
	return v
}

// withoutMaximum removes the upper bound from the schema, for a bound that no assistant comes near.
func (v value) withoutMaximum() value {
	v.shape.Maximum = nil
	return v
}

// orNone returns the value of a whole number that is 0 or at least least.
func orNone(field *int, least int) value {
	v := integer(field, 0, noBound, 0)
	keep := v.keep
	v.keep = func(texts []string) error {
		if err := keep(texts); err != nil || 0 < *field && *field < least {
			return wanted(fmt.Sprintf("0, for no bound, or %d or more", least))
		}
		return nil
	}
	return v
}

// orMost returns the value of a whole number up to most; 0 means most. The field is 0 if no number was given.
func orMost(field *int, most int) value {
	v := integer(field, 0, most, 0)
	keep := v.keep
	v.keep = func(texts []string) error {
		err := keep(texts)
		if err == nil && *field == 0 {
			*field = most
		}
		return err
	}
	return v
}

// share returns the value of a number from 0 to 1.
func share(field *float64, fallback float64) value {
	return value{property{Type: "number", Default: fallback}, literalOf, func() { *field = fallback }, func(texts []string) error {
		x, err := strconv.ParseFloat(texts[0], 64)
		if *field = x; err != nil || !(0 <= x && x <= 1) { // both comparisons are false for NaN
			return wanted("a number from 0 to 1")
		}
		return nil
	}}
}

// optionalShare returns the value of a share whose default is nil.
func optionalShare(field **float64) value {
	var x float64
	v := share(&x, 0)
	keep := v.keep
	v.reset = func() { *field = nil }
	v.keep = func(texts []string) error {
		*field = &x
		return keep(texts)
	}
	return v
}

// boolean returns the value of a bool whose default is false.
func boolean(field *bool) value { return choice(func(on bool) { *field = on }) }

// choice returns the value of a bool that is stored by set. The default is false.
func choice(set func(bool)) value {
	return value{property{Type: "boolean"}, literalOf, func() { set(false) }, func(texts []string) error {
		on, err := strconv.ParseBool(strings.ToLower(texts[0]))
		if set(on); err != nil {
			return wanted("true or false")
		}
		return nil
	}}
}

// list returns the value of up to maxItems strings, none of them blank or longer than maxChars.
func list(maxItems, maxChars int, set func([]string)) value {
	return value{property{Type: "array", Items: &property{Type: "string"}}, listOf, func() { set(nil) }, func(texts []string) error {
		set(texts)
		return checkItems(texts, maxItems, maxChars)
	}}
}

func checkItems(items []string, maxItems, maxChars int) error {
	if len(items) > maxItems {
		return fmt.Errorf("%d items, at most %d are allowed", len(items), maxItems)
	}
	for _, item := range items {
		if strings.TrimSpace(item) == "" {
			return hint.Wrap(fmt.Errorf("an item is blank"), "leave it out")
		}
		if err := fits(item, maxChars); err != nil {
			return err
		}
	}
	return nil
}

// queries returns the value of one string or a list of strings. A blank string means none.
func queries(field *[]string, maxChars int) value {
	read := func(raw json.RawMessage) ([]string, error) {
		if strings.HasPrefix(string(raw), "[") {
			return listOf(raw)
		}
		return textOf(raw)
	}
	return value{property{Type: "string"}, read, func() { *field = nil }, func(texts []string) error {
		if len(texts) == 1 && strings.TrimSpace(texts[0]) == "" {
			return nil
		}
		*field = texts
		return checkItems(texts, maxTopics, maxChars)
	}}
}

// cut shortens texts to most characters, and sets told if it shortened one.
func (v value) cut(most int, told *bool) value {
	keep := v.keep
	v.keep = func(texts []string) error {
		for i, text := range texts {
			if utf8.RuneCountInString(text) > most {
				texts[i], *told = string([]rune(text)[:most]), true
			}
		}
		return keep(texts)
	}
	return v
}

// splitAtCommas splits items at commas: no language, type or tag has a comma in its name.
func splitAtCommas(items []string) []string {
	var list []string
	for _, item := range items {
		for part := range strings.SplitSeq(item, ",") {
			list = append(list, strings.TrimSpace(part))
		}
	}
	return list
}

// words returns the value of a list of short words without commas. If there are allowed words, others are errors.
func words(field *[]string, allowed ...string) value {
	v := list(20, 100, func(items []string) { *field = items })
	v.shape.Items.Enum = allowed
	keep := v.keep
	v.keep = func(items []string) error {
		items = splitAtCommas(items)
		if err := keep(items); err != nil {
			return err
		}
		for i, item := range items {
			if len(allowed) > 0 {
				var err error
				if items[i], err = choose(item, allowed); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return v
}

// oneOf returns the value of one of the allowed words, in any case. fallback is the default.
func oneOf[T ~string](field *T, fallback T, allowed ...T) value {
	v := text(field, 100)
	v.shape.Enum = names(allowed)
	if fallback != "" {
		v.shape.Default = string(fallback)
	}
	v.reset = func() { *field = fallback }
	v.texts = func(raw json.RawMessage) ([]string, error) {
		if items, err := listOf(raw); err == nil && len(items) == 1 {
			return items, nil
		}
		texts, err := textOf(raw)
		if err != nil {
			return nil, wantedOf(v.shape.Enum)
		}
		return texts, nil
	}
	v.keep = func(texts []string) error {
		if texts[0] == "" {
			return nil
		}
		word, err := choose(texts[0], v.shape.Enum)
		*field = T(word)
		return err
	}
	return v
}

// choose returns the allowed word that s is, ignoring case and blanks around it.
func choose(s string, allowed []string) (string, error) {
	word := strings.ToLower(strings.TrimSpace(s))
	if slices.Contains(allowed, word) {
		return word, nil
	}
	var err error = wantedOf(allowed)
	if near := hint.Nearest(word, allowed); near != "" {
		err = hint.Wrap(err, fmt.Sprintf("did you mean %q?", near))
	}
	return "", err
}

// wantedOf returns an error that lists the expected words.
func wantedOf(allowed []string) wanted {
	last := len(allowed) - 1
	return wanted(strings.Join(allowed[:last], ", ") + " or " + allowed[last])
}

// tests returns the value of the option that selects test code. "false" means no, and "true" means with test code, the
// default.
func tests(field *string) value {
	v := oneOf(field, "", answer.TestChoices()...)
	keep := v.keep
	v.keep = func(texts []string) error {
		if with, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(texts[0]))); err == nil {
			if *field = ""; !with {
				*field = answer.TestsNo
			}
			return nil
		}
		return keep(texts)
	}
	return v
}

// lines returns the value of a number of lines, or "full" if full is set.
func lines(field *string, full bool) value {
	want := wanted(fmt.Sprintf("a number of lines from 0 to %d", answer.MaxContext))
	if full {
		want += ", or full"
	}
	return value{property{Type: "string"}, literalOf, func() { *field = "" }, func(texts []string) error {
		*field = texts[0]
		_, err := answer.ParseLines(*field)
		if full {
			_, err = answer.ParseAround(*field)
		}
		if err != nil {
			return want
		}
		return nil
	}}
}

// Repository returns the option that selects one or more of the known repositories.
func Repository(known []string, chosen *[]string) Option {
	v := list(len(known), maxGlob, func(items []string) { *chosen = items })
	v.shape = property{Type: "string"}
	if len(known) <= maxEnumerated {
		v.shape.Enum = known
	}
	keep := v.keep
	v.keep = func(items []string) error {
		for i, wanted := range items {
			if slices.Contains(known, wanted) {
				continue
			}
			at := slices.IndexFunc(known, func(name string) bool { return strings.EqualFold(name, strings.TrimSpace(wanted)) })
			if at < 0 {
				advice := "there are " + strings.Join(known, ", ")
				if len(known) > maxEnumerated {
					advice = "there are " + answer.Few(known)
				}
				return hint.Wrap(fmt.Errorf("no repository %q", wanted), hint.OrNearest(wanted, known, advice))
			}
			items[i] = known[at]
		}
		return keep(items)
	}
	return Option{name: "repository", about: "only this one; without it all are asked", value: v}
}

// maxEnumerated bounds the names of repositories in a schema, for which every conversation pays. If there are more, an
// error for an unknown name lists some names.
const maxEnumerated = 100

// textOf reads a string. It accepts numbers, true and false as they are written.
func textOf(raw json.RawMessage) ([]string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []string{s}, nil
	}
	if strings.HasPrefix(string(raw), "{") || strings.HasPrefix(string(raw), "[") {
		return nil, hint.Wrap(wanted("a string"), `write it in quotes: "..."`)
	}
	return []string{string(raw)}, nil
}

// globOf reads a pattern, or a list of patterns, which it joins with commas.
func globOf(raw json.RawMessage) ([]string, error) {
	if items, err := listOf(raw); err == nil && len(items) > 0 {
		return []string{strings.Join(items, ",")}, nil
	}
	return textOf(raw)
}

// literalOf reads a number, true, false or a word such as full, with or without quotes.
func literalOf(raw json.RawMessage) ([]string, error) {
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil {
		return []string{strings.TrimSpace(quoted)}, nil
	}
	return []string{string(raw)}, nil
}

// listOf reads a list of strings. It accepts a string as a list of one, and a list inside quotes.
func listOf(raw json.RawMessage) ([]string, error) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		if inner := strings.TrimSpace(one); strings.HasPrefix(inner, "[") {
			raw = json.RawMessage(inner)
		} else {
			return []string{one}, nil
		}
	}
	// A null in the list would be an empty string in a []string.
	var items []*string
	if json.Unmarshal(raw, &items) != nil || slices.Contains(items, nil) {
		return nil, hint.Wrap(wanted("a list of strings"), `write it like ["a", "b"]`)
	}
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = *item
	}
	return list, nil
}

// names converts words to strings.
func names[T ~string](words []T) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, string(w))
	}
	return out
}

// maxGlob is the longest pattern, in characters. maxTopics is the number of further questions in a request.
const (
	maxGlob   = 1024
	maxTopics = 10
)
