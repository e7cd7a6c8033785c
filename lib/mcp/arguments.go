package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cortex/lib/hint"
)

// arguments reads the arguments of one call and gathers everything that is wrong with them, so that
// the caller can mend all at once. What a tool asks for is what it knows: err names every other argument.
//
// Models and clients stray from schemas in a few ways that leave no doubt about what is meant, and
// those are accepted: a number in quotes, one string for a list of one, a list in quotes, null for
// nothing, an enumerated word in another case.
type arguments struct {
	values   map[string]json.RawMessage
	asked    []string
	problems []string
	// several tells that several repositories are asked.
	several bool
}

// parseArguments reads a JSON object; nothing and null are an empty one.
func parseArguments(raw json.RawMessage) (*arguments, error) {
	a := &arguments{}
	if len(bytes.TrimSpace(raw)) == 0 {
		return a, nil
	}
	if err := json.Unmarshal(raw, &a.values); err != nil {
		return nil, fmt.Errorf("arguments: expected an object with named arguments, got %s", brief(raw))
	}
	return a, nil
}

// problem notes what is wrong with an argument and how to put it right.
func (a *arguments) problem(name, what, cure string) {
	a.problems = append(a.problems, fmt.Sprintf("%s: %s; %s", name, what, cure))
}

// value returns an argument that was given and is not null.
func (a *arguments) value(name string) (json.RawMessage, bool) {
	a.asked = append(a.asked, name)
	raw, ok := a.values[name]
	if !ok || string(raw) == "null" {
		return nil, false
	}
	return raw, true
}

// text reads a string of at most maxChars characters; "" if it was not given.
func (a *arguments) text(name string, maxChars int) string {
	raw, ok := a.value(name)
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		a.problem(name, "expected a string, got "+brief(raw), `write it in quotes: "..."`)
		return ""
	}
	if !a.fits(name, s, maxChars) {
		return ""
	}
	return s
}

func (a *arguments) fits(name, s string, maxChars int) bool {
	if n := utf8.RuneCountInString(s); n > maxChars {
		a.problem(name, fmt.Sprintf("%d characters are too many", n), fmt.Sprintf("give at most %d", maxChars))
		return false
	}
	return true
}

// integer reads a whole number from least to most, fallback if it was not given.
func (a *arguments) integer(name string, least, most, fallback int) int {
	raw, ok := a.value(name)
	if !ok {
		return fallback
	}
	cure := fmt.Sprintf("give a whole number from %d to %d", least, most)
	x, err := strconv.ParseFloat(literal(raw), 64)
	switch {
	case err != nil || x != math.Trunc(x):
		a.problem(name, "expected a whole number, got "+brief(raw), cure)
	case x < float64(least) || x > float64(most):
		a.problem(name, brief(raw)+" is out of range", cure)
	default:
		return int(x)
	}
	return fallback
}

// share reads a number from 0 to 1.
func (a *arguments) share(name string, fallback float64) float64 {
	raw, ok := a.value(name)
	if !ok {
		return fallback
	}
	x, err := strconv.ParseFloat(literal(raw), 64)
	if err != nil || math.IsNaN(x) || x < 0 || x > 1 {
		a.problem(name, "expected a number from 0 to 1, got "+brief(raw), "write it like 0.5")
		return fallback
	}
	return x
}

// literal is a number or true or false, which some clients put into quotes.
func literal(raw json.RawMessage) string {
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil {
		return strings.TrimSpace(quoted)
	}
	return string(raw)
}

// flag reads true or false, false if it was not given.
func (a *arguments) flag(name string) bool {
	raw, ok := a.value(name)
	if !ok {
		return false
	}
	switch strings.ToLower(literal(raw)) {
	case "true":
		return true
	case "false":
	default:
		a.problem(name, "expected true or false, got "+brief(raw), "give true or leave it out")
	}
	return false
}

// list reads up to maxItems strings, none of them blank or longer than maxChars.
func (a *arguments) list(name string, maxItems, maxChars int) []string {
	raw, ok := a.value(name)
	if !ok {
		return nil
	}
	items, ok := stringsOf(raw)
	if !ok {
		a.problem(name, "expected a list of strings, got "+brief(raw), `write it like ["a", "b"]`)
		return nil
	}
	if len(items) > maxItems {
		a.problem(name, fmt.Sprintf("%d items are too many", len(items)), fmt.Sprintf("give at most %d", maxItems))
		return nil
	}
	for _, item := range items {
		if strings.TrimSpace(item) == "" {
			a.problem(name, "an item is blank", "leave it out")
			return nil
		}
		if !a.fits(name, item, maxChars) {
			return nil
		}
	}
	return items
}

// words is list for short words without commas in them.
func (a *arguments) words(name string) []string {
	items := a.list(name, 20, 100)
	for _, item := range items {
		if strings.Contains(item, ",") {
			split := strings.FieldsFunc(item, func(r rune) bool { return r == ',' || r == ' ' })
			example, _ := json.Marshal(split)
			a.problem(name, fmt.Sprintf("%q: a comma does not separate items", item), "write "+string(example))
			return nil
		}
	}
	return items
}

// oneOf reads one of the allowed words, "" if it was not given.
func (a *arguments) oneOf(name string, allowed []string) string {
	s := a.text(name, 100)
	if s == "" {
		return ""
	}
	return a.allowed(name, s, allowed)
}

// someOf reads a list of allowed words.
func (a *arguments) someOf(name string, allowed []string) []string {
	items := a.words(name)
	for i, item := range items {
		items[i] = a.allowed(name, item, allowed)
	}
	return items
}

func (a *arguments) allowed(name, s string, allowed []string) string {
	word := strings.ToLower(strings.TrimSpace(s))
	if slices.Contains(allowed, word) {
		return word
	}
	cure := "give one of: " + strings.Join(allowed, ", ")
	if near := hint.Nearest(word, allowed); near != "" {
		cure = fmt.Sprintf("did you mean %q? %s", near, cure)
	}
	a.problem(name, fmt.Sprintf("unknown value %q", s), cure)
	return ""
}

// err tells everything that is wrong, nil if nothing is. It comes after the last
// argument was read.
func (a *arguments) err() error {
	var problems []string
	var unknown []string
	for name := range a.values {
		if !slices.Contains(a.asked, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		cure := "leave it out"
		if near := hint.Nearest(name, a.asked); near != "" {
			cure = fmt.Sprintf("did you mean %q?", near)
		}
		problems = append(problems, fmt.Sprintf("%s: unknown argument; %s", shorten(name), cure))
	}
	if len(unknown) > 0 {
		problems = append(problems, "known arguments: "+strings.Join(a.asked, ", "))
	}
	problems = append(problems, a.problems...)
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(problems, "\n"))
}

// stringsOf reads a list of strings, one string as a list of one, and a list that was put
// in quotes.
func stringsOf(raw json.RawMessage) ([]string, bool) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		if inner := strings.TrimSpace(one); strings.HasPrefix(inner, "[") {
			raw = json.RawMessage(inner)
		} else {
			return []string{one}, true
		}
	}
	// A null in the list would be an empty string in a []string.
	var items []*string
	if json.Unmarshal(raw, &items) != nil {
		return nil, false
	}
	list := make([]string, len(items))
	for i, item := range items {
		if item == nil {
			return nil, false
		}
		list[i] = *item
	}
	return list, true
}

// brief shows a value within an error message.
func brief(raw json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return "something that is not JSON"
	}
	return shorten(compact.String())
}

func shorten(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "..."
}
