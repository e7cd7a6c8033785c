package database

import (
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
)

// secrets has texts that no error may show.
type secrets struct{ texts []string }

var secretSetting = regexp.MustCompile(`(?i)(?:ssl)?password\s*=\s*('(?:[^'\\]|\\.)*'|[^\s&]*)`)

// secretsOf returns the passwords in a URL, or in a libpq list of settings, and that of PGPASSWORD.
func secretsOf(text string) secrets {
	var s secrets
	if u, err := url.Parse(text); err == nil {
		if password, ok := u.User.Password(); ok {
			s.add(password)
		}
		for name, values := range u.Query() {
			if strings.Contains(strings.ToLower(name), "password") {
				for _, value := range values {
					s.add(value)
				}
			}
		}
	}
	for _, m := range secretSetting.FindAllStringSubmatch(text, -1) {
		s.add(strings.Trim(m[1], "'"))
	}
	s.add(os.Getenv("PGPASSWORD"))
	return s
}

// add adds a text in its plain and in its URL-encoded forms.
func (s *secrets) add(text string) {
	for _, form := range []string{text, url.QueryEscape(text), url.PathEscape(text), url.UserPassword("", text).String()[1:]} {
		if form != "" && !slices.Contains(s.texts, form) {
			s.texts = append(s.texts, form)
		}
	}
	// Longest first, so that no remainder of a longer form stays visible.
	slices.SortFunc(s.texts, func(a, b string) int { return len(b) - len(a) })
}

// hide replaces the secrets in a text.
func (s *secrets) hide(text string) string {
	for _, secret := range s.texts {
		text = strings.ReplaceAll(text, secret, "xxxxx")
	}
	return text
}

// says reports whether the URL contains a setting.
func says(text, setting string) bool { return strings.Contains(text, setting+"=") }

// hidden wraps an error; its text shows no secret.
type hidden struct {
	error
	text string
}

// Error returns the text without secrets.
func (h *hidden) Error() string { return h.text }

// Unwrap returns the error, for errors.As.
func (h *hidden) Unwrap() error { return h.error }
