package ask

import (
	"cmp"
	"path/filepath"

	"cortex/lib/request"
	"cortex/lib/search"
	"cortex/lib/status"
	"cortex/lib/store"
)

// An Asker is who asks, and where.
type Asker struct {
	// Root is the folder that was indexed, Store the folder of its store; "" is .cortex in Root.
	Root, Store string
	// Database is the URL of the database in which the index is, "" for the folder, and Trees are the names of the trees there, none for all.
	Database string
	Trees    []string
	// Words are what is asked, in as many arguments as it was typed: a query, a question, a place, or an operation of the graph and its
	// target; of a path, both ends.
	Words []string
	// Terminal tells that a person reads: with no Format, a Terminal gets the one for people, and other outputs JSON.
	Terminal bool
	// Columns and Rows are the size of that terminal, 0 where it is not known.
	Columns, Rows int
	// Making says how the index is made if it is missing.
	Making search.Making
	// Settings are those of the index of a root; nil means the defaults.
	Settings func(root string) (search.Settings, error)
	// Sources says how the files of a root are listed, so that a request that finds nothing can tell of files that are newer than the index; nil if it need not.
	Sources status.Lister
	Getenv  func(string) string
	// Warn is told what did not keep the request from being answered.
	Warn func(format string, args ...any)
}

// dir is the folder of the store.
func (a *Asker) dir() string { return cmp.Or(a.Store, filepath.Join(a.Root, store.Dir)) }

func (a *Asker) settings() (search.Settings, error) {
	if a.Settings == nil {
		return search.Settings{}, nil
	}
	return a.Settings(a.Root)
}

// form says whether the answer is JSON, and whether it is coloured. Who asks for colour or for whole hits wants to read.
func (a *Asker) form(answer *request.Answer, whole bool) (json, color bool) {
	color = a.Terminal && a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
	if answer.Color != request.ColorAuto {
		color = answer.Color == request.ColorAlways
	}
	return answer.Format == request.FormatJSON || answer.Format == "" && (answer.JSON || !a.Terminal && answer.Color != request.ColorAlways && !whole), color
}
