package extract

import "testing"

func TestModulePath(t *testing.T) {
	tests := map[string]string{
		"a.py": "a", "a/b/c.py": "a.b.c", "a/b/__init__.py": "a.b", "src/a/b.py": "a.b", "__init__.py": "", "a/x.d.pyi": "a.x",
	}
	for path, want := range tests {
		if got := modulePath(path); got != want {
			t.Errorf("modulePath(%q) = %q, want %q", path, got, want)
		}
	}
}
