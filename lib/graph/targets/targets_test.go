package targets

import (
	"slices"
	"testing"
)

func TestTargets(t *testing.T) {
	paths := []string{
		"App/Sources/Models/Order.swift", "App/Sources/Views/OrderView.swift", "App/Tests/AppTests/a.swift", "App/Tests/App/b.swift",
		"Kit/Sources/Shared/Link.swift", "Kit/Sources/Reader/Reader.swift", "Kit/Sources/Store/Store.swift",
		"Lib/Sources/One/a.swift", "Lib/Sources/Two/b.swift", "main.swift",
	}
	m := Of(paths, map[string]bool{"App": true, "AcmeShared": true, "AcmeReader": true, "One": true, "Foundation": true})
	for p, want := range map[string]string{
		"App/Sources/Models/Order.swift": "App/Sources", "App/Sources/Views/OrderView.swift": "App/Sources", // no file imports either
		"Kit/Sources/Shared/Link.swift": "Kit/Sources/Shared", "Kit/Sources/Store/Store.swift": "Kit/Sources/Store",
		"Lib/Sources/Two/b.swift": "Lib/Sources/Two", "App/Tests/AppTests/a.swift": "App/Tests/AppTests", "main.swift": ".",
	} {
		if got := m.Module(p); got != want {
			t.Errorf("%s is in %s, want %s", p, got, want)
		}
	}
	for name, want := range map[string][]string{
		"App":       {"App/Sources", "App/Tests/App"}, // by two folders of tests, once
		"AcmeStore": {"Kit/Sources/Store"}, "Store": nil, "Two": {"Lib/Sources/Two"}, "Foundation": nil,
	} {
		if got := slices.Sorted(slices.Values(m.Named(name))); !slices.Equal(got, want) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
