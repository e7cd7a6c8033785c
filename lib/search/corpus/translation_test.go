package corpus

import "testing"

func TestIsTranslation(t *testing.T) {
	for file, want := range map[string]bool{
		"po/de.po":                                   true,
		"locales/de.json":                            true,
		"config/locales/users.pt-BR.yml":             true,
		"lang/fr/auth.php":                           true,
		"locales/en.json":                            false,
		"src/de.json":                                false,
		"resources/messages_de.properties":           true,
		"messages_zh_CN.properties":                  true,
		"resources/messages_sr_Latn_RS.properties":   true,
		"resources/messages.properties":              false,
		"resources/messages_en_GB.properties":        false,
		"resources/log4j_qa.properties":              false,
		"resources/messages_de.txt":                  false,
		"lib/l10n/app_es.arb":                        true,
		"lib/texts/app_en.arb":                       false,
		"Properties/Resources.pt-BR.resx":            true,
		"Properties/Resources.resx":                  false,
		"App/fr.lproj/Main.strings":                  true,
		"App/zh-Hans.lproj/Main.storyboard":          true,
		"App/en.lproj/Main.strings":                  false,
		"App/Base.lproj/Main.strings":                false,
		"app/src/main/res/values-es-rMX/strings.xml": true,
		"app/src/main/res/values-it/strings.xml":     true,
		"app/src/main/res/values/strings.xml":        false,
		"app/src/main/res/values-v21/styles.xml":     false,
		"app/src/main/res/values-sw600dp/dimens.xml": false,
	} {
		if got := IsTranslation(file); got != want {
			t.Errorf("%s: %t", file, got)
		}
	}
}

func TestUntranslated(t *testing.T) {
	for file, want := range map[string]string{
		"resources/messages_sr_Latn_RS.properties": "resources/messages.properties",
		"resources/messages.properties":            "resources/messages.properties",
		"resources/messages_en_GB.properties":      "resources/messages.properties",
		"resources/log4j_qa.properties":            "resources/log4j_qa.properties",
		"locales/de.json":                          "locales/.json",
		"locales/en.json":                          "locales/.json",
		"config/locales/users.pt-BR.yml":           "config/locales/users.yml",
		"lang/fr/auth.php":                         "lang//auth.php",
		"Properties/Resources.pt-BR.resx":          "Properties/Resources.resx",
		"app/res/values-es-rMX/strings.xml":        "app/res/values/strings.xml",
		"App/zh-Hans.lproj/Main.storyboard":        "App/.lproj/Main.storyboard",
		"src/de.json":                              "src/de.json",
		"src/de/main.go":                           "src/de/main.go",
	} {
		if got := Untranslated(file); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}
