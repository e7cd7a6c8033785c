package config

import "github.com/spf13/pflag"

// DatabaseVariable is the environment variable with the URL of the database. A flag wins over it.
const DatabaseVariable = "CORTEX_DATABASE"

// A Database says which index in PostgreSQL is meant. The zero value is that of the environment.
type Database struct {
	url   string
	trees []string
}

// Flags adds --database and --tree to fs.
func (d *Database) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&d.url, "database", "", "search the index in PostgreSQL at `URL` (default: $"+DatabaseVariable+"; docs/postgres.md)")
	fs.StringArrayVar(&d.trees, "tree", nil, "search the tree `NAME` of the database; repeat it for several (default: all)")
}

// Find returns the URL of the database, "" if a folder is meant, and the names of the trees, none for all. Who names a folder or a root means no database of the environment.
func (d *Database) Find(getenv func(string) string, folderNamed bool) (url string, trees []string) {
	if url = d.url; url == "" && !folderNamed {
		url = getenv(DatabaseVariable)
	}
	return url, d.trees
}

// NamesTrees reports whether the user has named trees, which only a database has.
func (d *Database) NamesTrees() bool { return len(d.trees) > 0 }
