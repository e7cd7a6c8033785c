package rank

import (
	"testing"

	"cortex/lib/search/wording"
)

func TestTranslationsAreAsides(t *testing.T) {
	asksForThem := wording.Intent{Translations: true}
	for file, want := range map[string]bool{
		"po/de.po": true, "po/git.pot": true, "a/locale/de/LC_MESSAGES/django.po": true, "config/locales/de.yml": true,
		"config/locales/devise.pt-BR.yml": true, "i18n/messages_fr.properties": true, "resources/lang/fr/auth.php": true,
		"config/locales/en.yml": false, "config/locales/en-GB.yml": false, "i18n/messages.properties": false,
		"lib/i18n/de.go": false, "settings/de.yml": false, "lang/parser.json": false, "resources/lang/en/auth.php": false,
	} {
		if isAside(file, wording.Intent{}) != want || isAside(file, asksForThem) {
			t.Errorf("%s: want %v, and no aside if it is asked for", file, want)
		}
	}
}
