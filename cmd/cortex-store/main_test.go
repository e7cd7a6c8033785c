package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"cortex/lib/derived"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cortex-store": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("SOURCE_DATE_EPOCH", "1700000000")
			env.Setenv(derived.Variable, filepath.Join(env.WorkDir, "cache"))
			return nil
		},
	})
}
