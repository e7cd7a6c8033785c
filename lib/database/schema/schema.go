// Package schema has the tables of an index in PostgreSQL: numbered SQL files that create them, and the formats of
// their columns.
//
// The files run in the order of their numbers, each once, in one transaction; the table cortex.migrations records which
// have run. A released file never changes; later files change what it created. Begin with 0001_trees.sql. posting.go
// has the format of postings, lexeme.go that of lexemes.
package schema

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed *.sql
var files embed.FS

// A Migration is one numbered SQL file.
type Migration struct {
	Number int
	Name   string
	SQL    string
}

// Migrations returns the files in the order of their numbers.
func Migrations() ([]Migration, error) {
	entries, err := files.ReadDir(".") // sorted by name
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	var list []Migration
	for i, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, fmt.Errorf("read migration %s: %w", e.Name(), err)
		}
		number, _, _ := strings.Cut(e.Name(), "_")
		n, err := strconv.Atoi(number)
		if err != nil || n != i+1 {
			return nil, fmt.Errorf("migration %s: expected number %d", e.Name(), i+1)
		}
		list = append(list, Migration{Number: n, Name: strings.TrimSuffix(e.Name(), ".sql"), SQL: string(text)})
	}
	return list, nil
}

// Base has the statements to run before the first migration.
const Base = `CREATE SCHEMA IF NOT EXISTS cortex;
CREATE TABLE IF NOT EXISTS cortex.migrations (
    number     integer PRIMARY KEY,
    name       text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
`

// DiskBytes is the query for the size in bytes of all tables with their indexes, for all trees together.
const DiskBytes = `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE n.nspname = 'cortex' AND c.relkind = 'r'`
