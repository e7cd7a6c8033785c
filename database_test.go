package cortex_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"cortex/lib/database/databasetest"
)

// TestDatabaseScripts runs the cases in testdata/database, which write a database and ask it.
func TestDatabaseScripts(t *testing.T) {
	url := databasetest.Start(t).New(t)
	scripts, err := filepath.Abs("scripts")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir:                 "testdata/database",
			UpdateScripts:       os.Getenv("UPDATE_GOLDEN") != "",
			RequireExplicitExec: true,
			Setup: func(env *testscript.Env) error {
				env.Setenv("CORTEX_DATABASE", url)
				env.Setenv("CORTEX_BIN", bin)
				env.Setenv("SCRIPTS", scripts)
				return scriptEnvironment(env)
			},
			Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": wantStatus, "sh": shell, "session": session},
		})
	})
}
