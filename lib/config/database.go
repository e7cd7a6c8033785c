package config

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
)

// DatabaseVariable is the environment variable with the URL of the database. A flag wins over it.
const DatabaseVariable = "CORTEX_DATABASE"

// A Database selects an index in PostgreSQL. The zero value uses the environment.
type Database struct {
	url   string
	trees []string
}

// Flags adds --database and --tree to fs.
func (d *Database) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&d.url, "database", "", "search the index in PostgreSQL at `URL` (default: $"+DatabaseVariable+"; docs/postgres.md)")
	fs.StringArrayVar(&d.trees, "tree", nil, "search the tree `NAME` of the database; may be repeated (default: all trees)")
}

// Find returns the URL of the database, "" if a folder is meant, and the names of the trees; none means all.
// folderNamed says that the user has named a folder by one of the flags listed in folders. Then Find ignores the
// database of the environment.
func (d *Database) Find(getenv func(string) string, folderNamed bool, folders string) (url string, trees []string, err error) {
	if url = d.url; url == "" && !folderNamed {
		url = getenv(DatabaseVariable)
	}
	switch {
	case url != "" && folderNamed:
		return "", nil, hint.Wrap(fmt.Errorf("--database along with %s", folders), "give one of them")
	case url == "" && len(d.trees) > 0:
		return "", nil, hint.Wrap(errors.New("--tree selects trees of a database, and none is named"), "add --database URL, or set "+DatabaseVariable+"; in a store, use --path 'NAME:**'")
	}
	return url, d.trees, nil
}
