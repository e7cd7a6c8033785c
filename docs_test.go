package cortex_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Links between the documents lead to a file, and to a heading that the file has.
func TestDocsLinks(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "README.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md")
	heading, link := regexp.MustCompile(`(?m)^#+ (.*)$`), regexp.MustCompile(`\]\(([^)#\s:]*)(?:#([^)]*))?\)`)
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	anchors := func(text string) map[string]bool {
		all := map[string]bool{"": true}
		for _, h := range heading.FindAllStringSubmatch(text, -1) {
			all[strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
		}
		return all
	}
	links := 0
	for _, file := range files {
		for _, to := range link.FindAllStringSubmatch(read(file), -1) {
			target := file
			if to[1] != "" {
				target = filepath.Join(filepath.Dir(file), to[1])
			}
			if !anchors(read(target))[to[2]] {
				t.Errorf("%s: %s has no heading #%s", file, target, to[2])
			}
			links++
		}
	}
	if links < 50 {
		t.Errorf("%d links were found in %d documents", links, len(files))
	}
}
