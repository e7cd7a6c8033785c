package corpus

import (
	"path"
	"regexp"
	"strings"
)

// IsTranslation reports whether the file has texts of the program in another language than English.
func IsTranslation(file string) bool {
	switch path.Ext(file) {
	case ".po", ".pot", ".xlf", ".xliff":
		return true
	case ".yml", ".yaml", ".json", ".properties", ".arb", ".php", ".resx", ".strings":
		m := translated.FindStringSubmatch(file)
		return m != nil && !strings.EqualFold(m[1], "en")
	}
	return false
}

// translated matches the path of a file in a folder of translations, with the language that the file or its folder is
// named for.
var translated = regexp.MustCompile(`(?i)(?:^|/)(?:locales?|i18n|l10n|translations?|lang)/(?:[^/]*?[._-])??([a-z]{2,3})(?:[_-][a-z0-9]{2,4})?(?:/[^/]*)?(?:\.[a-z]+)$`)
