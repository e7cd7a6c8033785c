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
	}
	code, _ := languageIn(file)
	return code != "" && !strings.EqualFold(code, sourceLanguage)
}

// Untranslated returns the path of a file of texts without the language that it names, such as messages.properties for
// messages_de.properties. Translations of one file have it in common. Any other path is returned as it is.
func Untranslated(file string) string {
	_, at := languageIn(file)
	if at < 0 {
		return file
	}
	from, to := at, at
	if from > 0 && strings.IndexByte("_-.", file[from-1]) >= 0 {
		from--
	}
	for to < len(file) && strings.IndexByte("./", file[to]) < 0 {
		to++
	}
	return file[:from] + file[to:]
}

// languageIn returns the code of the language that the path of a file of texts names, and where; "" and -1 if it names
// none.
func languageIn(file string) (code string, at int) {
	switch path.Ext(file) {
	case ".yml", ".yaml", ".json", ".properties", ".arb", ".php", ".resx", ".strings":
		if m := inFolder.FindStringSubmatchIndex(file); m != nil {
			return file[m[2]:m[3]], m[2]
		}
	case ".xml":
	default:
		// Each question asks about many files, and matching the pattern takes microseconds.
		if !strings.Contains(file, appleFolder) {
			return "", -1
		}
	}
	m := byConvention.FindStringSubmatchIndex(file)
	for i := 2; i < len(m); i += 2 { // one of the alternatives has matched
		if m[i] < 0 {
			continue
		}
		if code = file[m[i]:m[i+1]]; isLanguage(code) {
			return code, m[i]
		}
	}
	return "", -1
}

func isLanguage(code string) bool {
	_, err := language.ParseBase(code)
	return err == nil
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
