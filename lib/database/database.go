// Package database connects to an index in PostgreSQL: it opens pools of connections, checks and migrates the schema, retries what can be retried, and explains
// what is wrong with a database, without passwords.
//
// Package schema has the tables, package write writes them, and package read reads them for search. Begin with Open in open.go; migrate.go brings the schema up to
// date, retry.go runs transactions, fault.go explains errors.
package database

import (
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A DB is an open database. Its methods may be called at once, except Close.
type DB struct {
	pool    *pgxpool.Pool
	secrets secrets
	name    string
	address string
}

// Close closes all connections.
func (db *DB) Close() { db.pool.Close() }

// Name is the name of the database.
func (db *DB) Name() string { return db.name }

// Address tells the database apart from others: its server and its name.
func (db *DB) Address() string { return db.address }

// Pool is the connections.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// described names the database in errors.
func (db *DB) described() string { return fmt.Sprintf("%q", db.name) }
