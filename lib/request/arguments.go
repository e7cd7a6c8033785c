package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/shorten"
)

// Schema returns the JSON schema of the arguments. Quiet options are left out.
func Schema(options []Option) json.RawMessage {
	var b bytes.Buffer
	var required []string
	for i := range options {
		o := &options[i]
		if o.name == "" || o.quiet {
			continue
		}
		shape := o.shape
		shape.Description = o.about
		fmt.Fprintf(&b, ",%q:%s", o.name, encode(shape))
		if o.required {
			required = append(required, o.name)
		}
	}
	schema := `{"type":"object","properties":{` + strings.TrimPrefix(b.String(), ",") + "}"
	if required != nil {
		schema += `,"required":` + encode(required)
	}
	return json.RawMessage(schema + "}")
}

func encode(v any) string {
	data, _ := json.Marshal(v) // what schemas hold can be encoded
	return string(data)
}

// read stores the arguments of one call. The error lists everything that is wrong with them, so that the caller can
// correct all at once. If each argument is valid by itself, read calls check, which checks them together.
//
// read accepts common deviations from the schema whose meaning is clear: a number in quotes, a string instead of a list
// of one, a list in quotes, null for a missing value, and an enumerated word in another case.
func read(arguments []byte, options []Option, check func() error) error {
	var values map[string]json.RawMessage
	if len(bytes.TrimSpace(arguments)) > 0 && json.Unmarshal(arguments, &values) != nil {
		return fmt.Errorf("arguments: expected an object with named arguments, got %s", shortValue(arguments))
	}
	var problems, known []string // known are the arguments in the schema
	for i := range options {
		o := &options[i]
		if o.name == "" {
			continue
		}
		o.reset()
		if !o.quiet {
			known = append(known, o.name)
		}
		raw, given := values[o.name]
		delete(values, o.name)
		if !given || string(raw) == "null" {
			continue
		}
		texts, err := o.texts(raw)
		if err == nil {
			err = o.keep(texts)
		}
		if err == nil {
			continue
		}
		if errors.As(err, new(wanted)) {
			err = hint.Wrap(fmt.Errorf("%w, got %s", err, shortValue(raw)), hint.Of(err))
		}
		problems = append(problems, argumentError(o.name, err).Error())
	}
	if len(problems) == 0 {
		if err := check(); err != nil {
			problems = append(problems, err.Error())
		}
	}
	if len(values) > 0 {
		var unknown []string
		for _, name := range slices.Sorted(maps.Keys(values)) {
			cure := "leave it out"
			if near := nearest(name, known); near != "" {
				cure = fmt.Sprintf("did you mean %q?", near)
			}
			unknown = append(unknown, fmt.Sprintf("%s: unknown argument; %s", shorten.End(name, maxShown), cure))
		}
		problems = slices.Concat(unknown, []string{"known arguments: " + strings.Join(known, ", ")}, problems)
	}
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, "\n"))
}

// nearest returns the known argument that an unknown one most probably means, "" if none is similar: for file_path it
// returns path, for tokens max_tokens.
func nearest(name string, known []string) string {
	const least = 4 // least number of letters of a common ending
	if near := hint.Nearest(name, known); near != "" {
		return near
	}
	name = strings.ToLower(name)
	at := slices.IndexFunc(known, func(other string) bool {
		return min(len(name), len(other)) >= least && (strings.HasSuffix(name, other) || strings.HasSuffix(other, "_"+name))
	})
	if at < 0 {
		return ""
	}
	return known[at]
}

// argumentError returns an error that names the argument and includes the hint.
func argumentError(name string, err error) error {
	text := name + ": " + err.Error()
	if advice := hint.Of(err); advice != "" {
		text += "; " + advice
	}
	return errors.New(text)
}

// maxShown is the number of characters of a name or a value that an error quotes.
const maxShown = 60

// shortValue shortens a value for an error message.
func shortValue(raw json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return "something that is not JSON"
	}
	return shorten.End(compact.String(), maxShown)
}
