package request

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Flags adds the options that have flags to fs.
func Flags(fs *pflag.FlagSet, options []Option) {
	others := map[string]string{}
	for i := range options {
		o := &options[i]
		words := strings.Fields(o.flag)
		if len(words) == 0 {
			continue
		}
		name, letter := words[0], ""
		for _, word := range words[1:] {
			if len(word) == 1 {
				letter = word
			} else {
				others[word] = name
			}
		}
		v := &flagValue{value: o.value, joined: o.joined}
		if o.typed.keep != nil {
			v.value = o.typed
		}
		v.reset()
		if flag := fs.VarPF(v, name, letter, o.help); v.shape.Type == "boolean" {
			flag.NoOptDefVal = "true"
		}
	}
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if of, ok := others[name]; ok {
			name = of
		}
		return pflag.NormalizedName(name)
	})
}

// A flagValue is the pflag.Value of an option.
type flagValue struct {
	value
	joined bool // see Option
	given  []string
}

// Set implements pflag.Value. Items of a list are separated by commas, and a repeated flag adds items.
func (f *flagValue) Set(text string) error {
	if f.shape.Type != "array" {
		if !f.joined || text == "" {
			return f.keep([]string{text})
		}
		f.given = append(f.given, text)
		return f.keep([]string{strings.Join(f.given, ",")})
	}
	if text != "" {
		f.given = append(f.given, strings.Split(text, ",")...)
	}
	return f.keep(f.given)
}

// String implements pflag.Value. It returns the default, which the help shows.
func (f *flagValue) String() string {
	if f.shape.Default == nil {
		return ""
	}
	return fmt.Sprint(f.shape.Default)
}

// Type implements pflag.Value. It returns the type's name in pflag.
func (f *flagValue) Type() string {
	return map[string]string{"string": "string", "integer": "int", "number": "float64", "boolean": "bool", "array": "stringSlice"}[f.shape.Type]
}

// Choices returns the words that the value, or an item of it, may be.
func (f *flagValue) Choices() []string {
	if f.shape.Items != nil {
		return f.shape.Items.Enum
	}
	return f.shape.Enum
}
