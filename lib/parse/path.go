package parse

import (
	"regexp"
	"strings"
)

// numberedTest matches the names of tests in folders that are named t, such as 01-load.t and t0001-init.sh.
var numberedTest = regexp.MustCompile(`^t?[0-9]{2}|\.t$`)

// ofPackages has the names of folders whose folders are packages.
var ofPackages = map[string]bool{"packages": true, "apps": true, "modules": true, "libs": true, "crates": true}

// isTestPath reports whether a path is that of test code, by the conventions of common test runners. A folder spec or
// specs holds tests beside the source code, as in Ruby; below the source code, as in src/specs/, and among packages, as in
// packages/specs/, it holds what is about specifications. If the path does not tell, tests in such a folder are still known by
// their names, whereas code that counts as tests would be hidden.
func isTestPath(path string) bool {
	dirs, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dirs, base = path[:i], path[i+1:]
	}
	source, parent := false, ""
	for dir := range strings.SplitSeq(strings.ToLower(dirs), "/") {
		switch dir {
		case "test", "tests", "__tests__", "testdata", "__mocks__", "__snapshots__", "e2e":
			return true
		case "spec", "specs":
			if !source && !ofPackages[parent] {
				return true
			}
		case "src", "lib", "pkg", "include":
			source = true
		}
		parent = dir
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
