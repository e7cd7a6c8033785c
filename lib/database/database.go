// Package database connects to an index in PostgreSQL: it opens connection pools, checks and migrates the schema,
// retries transactions, and explains errors of the database, without passwords.
//
// Package schema has the tables, package write writes them, package read reads them for search, and package tree reads
// whole trees. Begin with Open in open.go; migrate.go updates the schema, retry.go runs transactions, fault.go explains
// errors.
package database

import (
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A DB is an open database. All methods except Close are safe for concurrent use.
type DB struct {
	pool    *pgxpool.Pool
	secrets secrets
	name    string
	address string
}

// Close closes all connections.
func (db *DB) Close() { db.pool.Close() }

// Name returns the name of the database.
func (db *DB) Name() string { return db.name }

// Address identifies the database: its host, port and name.
func (db *DB) Address() string { return db.address }

// Pool returns the connection pool.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// described returns the name of the database as errors show it.
func (db *DB) described() string { return fmt.Sprintf("%q", db.name) }
