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
	"cortex/lib/shorten"
)

// An Option is one row of the table. What it leaves empty it does not have.
type Option struct {
	// name is that of the argument of a tool. flag is that of the flag, followed by its letter and by other names.
	name, flag string
	// help is the line of the flag, about the description in the schema.
	help, about string
	// quiet arguments are read, and left out of the schema.
	quiet, required bool
	value
	// typed is the value of the flag where that is not the argument's.
	typed value
}

// A value is what an option holds: how it is written, what it may be, and where it is kept.
type value struct {
	// shape is the property of the schema. Its type is also that of the flag, and its default that which the help shows.
	shape property
	// texts are those of a JSON value of the shape, one unless it is a list. The error tells what was expected.
	texts func(json.RawMessage) ([]string, error)
	// reset keeps the default, and keep what was given. The error does not quote it.
	reset func()
	keep  func(texts []string) error
}

// A property is one of a JSON schema.
type property struct {
	Type        string    `json:"type"`
	Items       *property `json:"items,omitempty"`
	Enum        []string  `json:"enum,omitempty"`
	Minimum     *int      `json:"minimum,omitempty"`
	Maximum     *int      `json:"maximum,omitempty"`
	Default     any       `json:"default,omitempty"`
	Description string    `json:"description,omitempty"`
}

// wanted is an error that names what was expected, to which a face adds what it got.
type wanted string

func (w wanted) Error() string { return "expected " + string(w) }

// text is a string of at most most characters.
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

// noBound is more than anybody means.
const noBound = math.MaxInt32

// integer is a whole number from least to most, fallback if none was given.
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
	return v.byDefault(fallback)
}

// unbounded leaves the bounds out of the schema.
func (v value) unbounded() value {
	v.shape.Minimum, v.shape.Maximum = nil, nil
	return v
}

// byDefault says what stands for a value that was not given. Nothing is not worth saying.
func (v value) byDefault(n int) value {
	if v.shape.Default = nil; n != 0 {
		v.shape.Default = n
	}
	return v
}

// orNone is a whole number, 0 or from least on.
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

// share is a number from 0 to 1.
func share(field *float64, fallback float64) value {
	return value{property{Type: "number", Default: fallback}, literalOf, func() { *field = fallback }, func(texts []string) error {
		x, err := strconv.ParseFloat(texts[0], 64)
		if *field = x; err != nil || !(0 <= x && x <= 1) { // NaN is neither
			return wanted("a number from 0 to 1")
		}
		return nil
	}}
}

// optionalShare is a share, nil if none was given.
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

// boolean is false if it was not given.
func boolean(field *bool) value { return choice(func(on bool) { *field = on }) }

// choice is true or false, which set keeps; false if it was not given.
func choice(set func(bool)) value {
	return value{property{Type: "boolean"}, literalOf, func() { set(false) }, func(texts []string) error {
		on, err := strconv.ParseBool(strings.ToLower(texts[0]))
		if set(on); err != nil {
			return wanted("true or false")
		}
		return nil
	}}
}

// list is up to maxItems strings, none of them blank or longer than maxChars.
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

// queries are one string, or several in a list; none if it is blank.
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

// cut takes the first most characters of texts that are longer, and tells so.
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

// splitAtCommas are the items, those with commas in several: no language, type or tag has one.
func splitAtCommas(items []string) []string {
	var list []string
	for _, item := range items {
		for part := range strings.SplitSeq(item, ",") {
			list = append(list, strings.TrimSpace(part))
		}
	}
	return list
}

// words are short words without commas, which are of those allowed if any are.
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

// oneOf is one of the allowed words in any case, fallback if none was given.
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

// choose is the one of the allowed words that s is.
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

// wantedOf names the words that were expected.
func wantedOf(allowed []string) wanted {
	last := len(allowed) - 1
	return wanted(strings.Join(allowed[:last], ", ") + " or " + allowed[last])
}

// tests is what becomes of test code. Who says false wants none of it, and who says true wants it beside other code.
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

// lines is a number of lines, or full if that may be said.
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

// Repository is the row of the repositories that are asked, of which there are several.
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

// maxEnumerated is how many names of repositories a schema lists, for which every conversation pays. An unknown name is answered with names.
const maxEnumerated = 100

// textOf reads a string, and a number or true or false as it is written.
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

// globOf reads a pattern, alone or in a list, and shows how to write several as one.
func globOf(raw json.RawMessage) ([]string, error) {
	switch items, err := listOf(raw); {
	case err == nil && len(items) == 1:
		return items, nil
	case err == nil && len(items) > 1:
		return nil, hint.Wrap(wanted("a string"), fmt.Sprintf("write several as one pattern: %q", shorten.End(anyGlob(items), maxShown)))
	}
	return textOf(raw)
}

// anyGlob is one pattern for several, which is for what is in them if they are folders.
func anyGlob(patterns []string) string {
	names := make([]string, len(patterns))
	folders := true
	for i, p := range patterns {
		names[i] = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/**"), "/")
		folders = folders && !strings.ContainsAny(names[i], "*?.")
	}
	if folders {
		return "{" + strings.Join(names, ",") + "}/**"
	}
	return "{" + strings.Join(patterns, ",") + "}"
}

// literalOf reads a number or true or false, which some clients put into quotes, and full.
func literalOf(raw json.RawMessage) ([]string, error) {
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil {
		return []string{strings.TrimSpace(quoted)}, nil
	}
	return []string{string(raw)}, nil
}

// listOf reads a list of strings, one string as a list of one, and a list that was put in quotes.
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

// names turns a list of typed words into strings.
func names[T ~string](words []T) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, string(w))
	}
	return out
}

// maxGlob is the length of a pattern in characters, maxTopics how many further questions a request has.
const (
	maxGlob   = 1024
	maxTopics = 10
)
