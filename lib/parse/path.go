package parse

import (
	"regexp"
	"strings"
)

// numberedTest matches the names of tests in folders that are named t, such as 01-load.t and t0001-init.sh.
var numberedTest = regexp.MustCompile(`^t?[0-9]{2}|\.t$`)

// isTestPath reports whether a path is that of test code, by the conventions of common test runners.
func isTestPath(path string) bool {
	dirs, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dirs, base = path[:i], path[i+1:]
	}
	for dir := range strings.SplitSeq(dirs, "/") {
		switch strings.ToLower(dir) {
		case "test", "tests", "__tests__", "spec", "specs", "testdata", "__mocks__", "__snapshots__", "e2e":
			return true
		}
	}
	if dirs == "t" || strings.HasPrefix(dirs, "t/") || strings.HasSuffix("/"+dirs, "/t") && numberedTest.MatchString(base) {
		return true // of Perl and git; folders of an alphabet have a t, too
	}
	stem, _, _ := strings.Cut(base, ".")
	return strings.HasPrefix(base, "test_") || base == "conftest.py" ||
		stem == "tests" || // of Django and of modules of Rust; test.c may be a command of that name
		strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_tests") || strings.HasSuffix(stem, "_spec") ||
		strings.HasSuffix(base, ".snap") || strings.HasSuffix(base, ".snap.new") || // expected output of tests
		strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || strings.Contains(base, ".cy.") ||
		camelTest(stem)
}

// camelTest reports whether stem ends like HandlerTest or HandlerTests.
func camelTest(stem string) bool {
	rest, ok := strings.CutSuffix(strings.TrimSuffix(stem, "s"), "Test")
	return ok && rest != "" && rest[len(rest)-1] >= 'a' && rest[len(rest)-1] <= 'z'
}
