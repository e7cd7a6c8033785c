// Package databasetest starts databases for tests. Begin with Start.
package databasetest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Variable is the environment variable with the URL of a full server in which tests may create databases.
const Variable = "CORTEX_TEST_DATABASE"

// A Server is a database server for tests.
type Server struct {
	url string
	// Full says that it is a full PostgreSQL server, which serves many sessions at once.
	Full bool
}

// Every wait is bounded: a server that hangs is killed, and then the statements of its tests fail.
const (
	// startPatience bounds the start of a server, life its whole run, and endPatience its end.
	startPatience = 3 * time.Minute
	life          = 10 * time.Minute
	endPatience   = 20 * time.Second
	// patience bounds the statements of this package.
	patience = 2 * time.Minute
)

// Start returns the server that Variable names, or starts one that ends with the test. It skips the test if neither is
// possible.
func Start(t testing.TB) *Server {
	t.Helper()
	if url := os.Getenv(Variable); url != "" {
		return &Server{url, true}
	}
	if testing.Short() {
		t.Skip("starting a database takes long")
	}
	_, here, _, _ := runtime.Caller(0)
	script := filepath.Join(filepath.Dir(here), "../../../scripts/postgres")
	asking, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if exec.CommandContext(asking, "node", "-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)").Run() != nil {
		t.Skipf("needs Node 20 or later, or a server that %s names", Variable)
	}
	// npm writes this file when all packages are installed.
	if _, err := os.Stat(filepath.Join(filepath.Dir(script), "pglite/node_modules/.package-lock.json")); err != nil {
		t.Skipf("needs the packages that scripts/postgres --install fetches, or a server that %s names", Variable)
	}
	cmd := exec.Command(script)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(startPatience, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		kill.Reset(endPatience)
		stdin.Close()
		_ = cmd.Wait()
		kill.Stop()
	})
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("scripts/postgres wrote no URL: %v", err)
	}
	kill.Reset(life)
	return &Server{url: strings.TrimSpace(url)}
}

// New returns the URL of an empty database. If the server has a single database, New empties it, so tests must not run
// in parallel.
func (s *Server) New(t testing.TB) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	name := fmt.Sprintf("cortex_test_%d_%d", os.Getpid(), time.Now().UnixNano())
	conn := s.connect(t, ctx)
	defer conn.Close(ctx)
	if !s.Full {
		execute(t, ctx, conn, `DROP SCHEMA IF EXISTS cortex CASCADE`)
		return s.url
	}
	execute(t, ctx, conn, `CREATE DATABASE `+name+` TEMPLATE template0 ENCODING 'UTF8'`)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		conn := s.connect(t, ctx)
		defer conn.Close(ctx)
		execute(t, ctx, conn, `DROP DATABASE `+name+` WITH (FORCE)`)
	})
	at := strings.LastIndexByte(s.url, '/')
	_, query, _ := strings.Cut(s.url[at:], "?")
	url := s.url[:at+1] + name
	if query != "" {
		url += "?" + query
	}
	return url
}

func (s *Server) connect(t testing.TB, ctx context.Context) *pgx.Conn {
	t.Helper()
	cfg, err := pgx.ParseConfig(s.url)
	if err != nil {
		t.Fatal(err)
	}
	cfg.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func execute(t testing.TB, ctx context.Context, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(ctx, sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
