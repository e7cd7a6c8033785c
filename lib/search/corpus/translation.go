package corpus

import (
	"path"
	"regexp"
	"strings"

	"golang.org/x/text/language"
)

// IsTranslation reports whether the file has texts of the program in another language than English.
func IsTranslation(file string) bool {
	switch path.Ext(file) {
	case ".po", ".pot", ".xlf", ".xliff":
		return true
	case ".yml", ".yaml", ".json", ".properties", ".arb", ".php", ".resx", ".strings":
		if m := inFolder.FindStringSubmatch(file); m != nil && !strings.EqualFold(m[1], sourceLanguage) {
			return true
		}
	case ".xml":
	default:
		// Each question asks about many files, and matching the pattern takes microseconds.
		if !strings.Contains(file, appleFolder) {
			return false
		}
	}
	m := byConvention.FindStringSubmatch(file)
	if m == nil {
		return false
	}
	code := strings.Join(m[1:], "") // one of the alternatives has matched
	_, err := language.ParseBase(code)
	return err == nil && code != sourceLanguage
}

const (
	// sourceLanguage is the language from which programs are usually translated.
	sourceLanguage = "en"
	// appleFolder is in the path of each translation on Apple's systems.
	appleFolder = ".lproj/"
)

var (
	// inFolder matches the path of a file in a folder of translations, with the language that the file or its folder is
	// named for.
	inFolder = regexp.MustCompile(`(?i)(?:^|/)(?:_?locales?|i18n|l10n|translations?|lang)/(?:[^/]*?[._-])??([a-z]{2,3})(?:[_-][a-z0-9]{2,4})?(?:/[^/]*)?(?:\.[a-z]+)$`)
	// byConvention matches the paths by which Java and Flutter, .NET, Apple's systems and Android tell translations,
	// wherever they are, with the language: messages_de.properties, Texts.pt-BR.resx, fr.lproj/Main.strings,
	// values-es-rMX/strings.xml.
	byConvention = regexp.MustCompile(`(?:_([a-z]{2})(?:_[A-Z][A-Za-z]+)*\.(?:properties|arb)|\.([a-z]{2})(?:-[A-Z][A-Za-z]+)*\.resx|(?:^|/)([a-z]{2,3})(?:[-_][A-Z][A-Za-z]+)*\.lproj/[^/]+|/values-([a-z]{2})(?:-r[A-Z]{2})?/[^/]+\.xml)$`)
)
