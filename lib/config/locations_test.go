package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
)

func locationsOf(t *testing.T, args ...string) ([]NamedLocation, error) {
	t.Helper()
	var p Locations
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	p.Flags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return p.All()
}

func TestLocations(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{"src/web/.git", "src/api/.cortex", "src/notes", "old/web/.git", "empty"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(base, "src/web"), filepath.Join(base, "src/link")); err != nil {
		t.Fatal(err)
	}
	in := func(path string) string { return filepath.Join(base, path) }
	for _, c := range []struct {
		args []string
		want string // NAME=ROOT, or the beginning of an error
	}{
		{nil, "="},
		{[]string{"--root", in("src/web")}, "=src/web"},
		{[]string{"--roots", in("src")}, "api=src/api web=src/web"},
		{[]string{"--root", in("src/web"), "--root", in("src/web/")}, "web=src/web"},
		{[]string{"--root", in("src/link"), "--roots", in("src")}, "link=src/link api=src/api"},
		{[]string{"--root", in("src/web"), "--root", in("old/web"), "--root", in("src/notes")}, "src/web=src/web old/web=old/web notes=src/notes"},
		{[]string{"--roots", in("src/web")}, "web=src/web"},
		{[]string{"--roots", in("src"), "--store", "x"}, "--store names the store of one repository"},
		{[]string{"--roots", in("empty")}, "--roots " + in("empty") + ": no repository is in it"},
		{[]string{"--roots", in("none")}, "--roots: "},
	} {
		locations, err := locationsOf(t, c.args...)
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%q: %v", c.args, err)
			}
			if strings.HasPrefix(c.want, "--roots") && hint.Of(err) == "" {
				t.Errorf("%q: no hint", c.args)
			}
			continue
		}
		var got []string
		for _, p := range locations {
			got = append(got, p.Name+"="+strings.TrimPrefix(strings.TrimPrefix(p.root, base), "/"))
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", c.args, got, want)
		}
	}
}
