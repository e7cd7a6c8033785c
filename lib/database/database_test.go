package database

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"cortex/lib/hint"
)

func TestNoErrorShowsThePassword(t *testing.T) {
	const secret = "s3cr3t+/%w@rd"
	t.Setenv("PGPASSWORD", "envs3cr3t")
	urls := []string{
		"postgres://u:s3cr3t%2B%2F%25w%40rd@127.0.0.1:1/x",
		"postgres://u@127.0.0.1:1/x?password=s3cr3t%2B%2F%25w%40rd",
		"postgres://u@127.0.0.1:1/x?sslpassword=s3cr3t%2B%2F%25w%40rd&sslmode=nonsense",
		"host=127.0.0.1 port=1 user=u password='" + secret + "'",
		"host=127.0.0.1 port=none user=u password='" + secret + "'",
		"postgres://u:" + secret + "@127.0.0.1:port/x",
		"postgres://u:s3cr3t%zz@127.0.0.1:1/x",
		"postgres://u:s3cr3t @127.0.0.1:1/x",
	}
	for _, url := range urls {
		db, err := Open(t.Context(), url, Options{})
		if err == nil {
			db.Close()
			t.Errorf("%s opens", url)
			continue
		}
		for _, text := range []string{err.Error(), hint.Of(err), fmt.Sprintf("%v", err)} {
			if strings.Contains(text, "s3cr3t") {
				t.Errorf("%s: %s", url, text)
			}
		}
		if hint.Of(err) == "" {
			t.Errorf("%s: no hint goes with %q", url, err)
		}
	}
	// What a server says may repeat what it was told.
	db := &DB{name: "x", secrets: secretsOf(urls[0])}
	for _, err := range []error{
		&pgconn.PgError{Code: "28P01", Message: "password " + secret + " is wrong"}, fmt.Errorf("connect with %s: %w", secret, io.ErrUnexpectedEOF), errors.New("odd: s3cr3t%2B%2F%25w%40rd"),
	} {
		if text := db.Explain(err).Error(); strings.Contains(text, "s3cr3t") {
			t.Error(text)
		}
	}
}

// TestAServerNotFound: the error names the host that the resolver does not know, whose error wraps nothing.
func TestAServerNotFound(t *testing.T) {
	unknown := &net.DNSError{Err: "no such host", Name: "db.invalid", IsNotFound: true}
	if text := causeOf(fmt.Errorf("dial: %w", unknown)); text != "lookup db.invalid: no such host" {
		t.Error(text)
	}
}

func TestWhatAServerLacks(t *testing.T) {
	db := &DB{name: "x"}
	tests := []struct {
		version                        int
		encoding, installed, available string
		make                           bool
		text, advice                   string
	}{
		{120003, "UTF8", "0.8.0", "0.8.0", true, "PostgreSQL 12 is too old", "13 or later"},
		{150003, "SQL_ASCII", "0.8.0", "0.8.0", true, "its encoding is SQL_ASCII", "CREATE DATABASE cortex TEMPLATE template0 ENCODING 'UTF8'"},
		{150003, "UTF8", "", "", true, `no extension "vector"`, "CREATE EXTENSION vector"},
		{150003, "UTF8", "0.6.2", "0.8.1", true, `"vector" 0.6.2 is too old`, "ALTER EXTENSION vector UPDATE"},
		{150003, "UTF8", "0.6.2", "0.6.2", false, `"vector" 0.6.2 is too old`, "install pgvector 0.8 or later on the server, then: ALTER EXTENSION vector UPDATE"},
		{150003, "UTF8", "", "0.5.0", true, `"vector" 0.5.0 is too old`, "install pgvector 0.8"},
		{150003, "UTF8", "", "0.8.0", false, `no index in database "x"`, "cortex-store --database URL"},
		{150003, "UTF8", "", "0.8.0", true, "", ""},
		{180001, "UTF8", "1.0", "1.0", false, "", ""},
	}
	for _, test := range tests {
		err := db.require(test.version, test.encoding, test.installed, test.available, test.make)
		switch {
		case test.text == "" && err != nil:
			t.Errorf("%+v: %v", test, err)
		case test.text != "" && (err == nil || !strings.Contains(err.Error(), test.text) || !strings.Contains(hint.Of(err), test.advice)):
			t.Errorf("%+v: %v; hint: %s", test, err, hint.Of(err))
		}
	}
}

func TestServerErrorsSayWhatHelps(t *testing.T) {
	db := &DB{name: "cor\"tex"}
	pooler := &pgconn.PgError{Code: "08P01", Message: "unsupported startup parameter: statement_timeout"}
	if text := hint.Of(db.Explain(pooler)); !strings.Contains(text, "ignore_startup_parameters = jit, statement_timeout, ") {
		t.Errorf("a pooler that knows no time-outs: hint %q", text)
	}
	for code, advice := range map[string]string{
		"3D000": `CREATE DATABASE "cor""tex"`, "42501": "GRANT cortex_read", "42P01": "cortex-store --database URL", "57014": "statement_timeout=", "53300": "pool_max_conns", "28P01": "PGPASSWORD",
	} {
		if text := hint.Of(db.Explain(fmt.Errorf("ask: %w", &pgconn.PgError{Code: code, Message: "m"}))); !strings.Contains(text, advice) {
			t.Errorf("%s: hint %q, expected %q in it", code, text, advice)
		}
	}
}

func TestWhatIsTriedAgain(t *testing.T) {
	for _, err := range []error{
		&pgconn.PgError{Code: "40001"}, &pgconn.PgError{Code: "40P01"}, &pgconn.PgError{Code: "57P01"}, &pgconn.PgError{Code: "08006"}, io.ErrUnexpectedEOF, fmt.Errorf("copy: %w", io.EOF),
	} {
		if !isTransient(fmt.Errorf("write: %w", err)) {
			t.Errorf("%v is not tried again", err)
		}
	}
	for _, err := range []error{&pgconn.PgError{Code: "23505"}, &pgconn.PgError{Code: "57014"}, &pgconn.PgError{Code: "42P01"}, &pgconn.PgError{Code: "08P01"}, errors.New("other")} {
		if isTransient(err) {
			t.Errorf("%v is tried again", err)
		}
	}
}
