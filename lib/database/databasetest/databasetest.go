// Package databasetest starts databases for tests.
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

// Variable is the environment variable with the URL of a full server in which tests may make databases.
const Variable = "CORTEX_TEST_DATABASE"

// A Server is where tests have databases.
type Server struct {
	url string
	// Full tells that it is a full server, which serves many sessions at once.
	Full bool
}

// startPatience is how long a server may take to start; one that hangs is ended.
const startPatience = 3 * time.Minute

// Start returns the server that Variable names, or one that it starts and that ends with the test. It skips the test where there is none.
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
	if exec.Command("node", "-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)").Run() != nil {
		t.Skipf("needs Node 20 or later, or a server that %s names", Variable)
	}
	// npm writes this file when all packages are there.
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
	t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Wait()
	})
	hung := time.AfterFunc(startPatience, func() { _ = cmd.Process.Kill() })
	url, err := bufio.NewReader(stdout).ReadString('\n')
	hung.Stop()
	if err != nil {
		t.Fatalf("scripts/postgres wrote no URL: %v", err)
	}
	return &Server{url: strings.TrimSpace(url)}
}

// New returns the URL of an empty database. Where the server has but one, it is emptied, so that tests take turns.
func (s *Server) New(t testing.TB) string {
	t.Helper()
	ctx := context.Background()
	name := fmt.Sprintf("cortex_test_%d_%d", os.Getpid(), time.Now().UnixNano())
	conn := s.connect(t)
	defer conn.Close(ctx)
	if !s.Full {
		execute(t, conn, `DROP SCHEMA IF EXISTS cortex CASCADE`)
		return s.url
	}
	execute(t, conn, `CREATE DATABASE `+name+` TEMPLATE template0 ENCODING 'UTF8'`)
	t.Cleanup(func() {
		conn := s.connect(t)
		defer conn.Close(ctx)
		execute(t, conn, `DROP DATABASE `+name+` WITH (FORCE)`)
	})
	at := strings.LastIndexByte(s.url, '/')
	_, query, _ := strings.Cut(s.url[at:], "?")
	url := s.url[:at+1] + name
	if query != "" {
		url += "?" + query
	}
	return url
}

func (s *Server) connect(t testing.TB) *pgx.Conn {
	t.Helper()
	cfg, err := pgx.ParseConfig(s.url)
	if err != nil {
		t.Fatal(err)
	}
	cfg.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func execute(t testing.TB, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(context.Background(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
