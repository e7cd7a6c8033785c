package layout

import "testing"

func TestCommandInFolder(t *testing.T) {
	for dir, want := range map[string]string{
		".cortex":          "index",
		"/src/web/.cortex": "cd /src/web && index",
		"/my src/.cortex":  "cd '/my src' && index",
		"/it's/.cortex":    `cd '/it'\''s' && index`,
		"/kept/elsewhere":  "index",
	} {
		if got := inFolder(dir, "index"); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}
