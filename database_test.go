package cortex_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"cortex/lib/database/databasetest"
)

// TestDatabaseScripts runs the cases in testdata/database, which write a database and ask it.
func TestDatabaseScripts(t *testing.T) {
	url := databasetest.Start(t).New(t)
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir:                 "testdata/database",
			UpdateScripts:       os.Getenv("UPDATE_GOLDEN") != "",
			RequireExplicitExec: true,
			Setup: func(env *testscript.Env) error {
				env.Setenv("CORTEX_DATABASE", url)
				return scriptEnvironment(env)
			},
			Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": wantStatus, "sh": shell, "session": session},
		})
	})
}
