package parse

import (
	"strings"
	"testing"

	"cortex/lib/language"
	"cortex/lib/record"
)

// TestScannersThatBreakDown gives scanners what makes them write more state than there is room
// for, or read their state wrongly. Unguarded, these abort the process.
func TestScannersThatBreakDown(t *testing.T) {
	for name, text := range map[string]string{
		"yaml":    nested(600, "a:\n"),
		"python":  nested(600, "if a:\n"),
		"haskell": nested(600, "f = do\n"),
		"ruby":    "f(<<" + strings.Repeat("A", 300) + ", <<B" + strings.Repeat("C", 300) + ")\n",
		"php":     "<?php\n" + strings.Repeat("f(<<<"+strings.Repeat("A", 600)+"\n", 3),
		"html":    strings.Repeat("<"+strings.Repeat("a", 250)+">", 40),
		"xml":     strings.Repeat("<"+strings.Repeat("a", 250)+">", 40),
		"scala":   nested(600, "object a:\n"),
		"ocaml":   "let a = {" + strings.Repeat("a", 5000) + "|",
		"sql":     "SELECT $" + strings.Repeat("a", 5000) + "$ b",
		"cpp":     `auto a = R"` + strings.Repeat("a", 5000) + `(`,
		"hcl":     strings.Repeat("a = <<"+strings.Repeat("A", 200)+"\n${\n", 50),
		"bash":    "f " + strings.Repeat("<<'"+strings.Repeat("A", 50)+"' ", 100),
	} {
		t.Run(name, func(t *testing.T) {
			f := parseFile("x", language.Language{Name: name}, []byte(text))
			checkFile(t, f)
			if f.Status == record.StatusError && !strings.Contains(f.Reason, "limit") && f.Reason != "the grammar failed" {
				t.Error(f.Reason)
			}
		})
	}
}

// nested is a line n times, each indented by one more space.
func nested(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + line)
	}
	return b.String()
}
