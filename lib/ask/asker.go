package ask

import (
	"cmp"
	"path/filepath"

	"cortex/lib/request"
	"cortex/lib/search"
	"cortex/lib/status"
	"cortex/lib/store"
)

// An Asker is the part of a request that all kinds share: the index, the words and the output.
type Asker struct {
	// Root is the indexed folder. Store is the folder of its store; "" means .cortex in Root.
	Root, Store string
	// Database is the URL of the database that has the index, "" for a store. Trees are the names of the trees to ask;
	// none means all.
	Database string
	Trees    []string
	// Words are the arguments as typed: a query, a question, a place, or an operation of the graph with its target (two
	// targets for path).
	Words []string
	// Terminal says that the output is a terminal. Without a Format, a terminal gets the form for people, and other
	// outputs get JSON.
	Terminal bool
	// Columns and Rows are the size of the terminal, 0 if unknown.
	Columns, Rows int
	// Making says how to build the index if it is missing.
	Making search.Making
	// Settings returns the search settings for a root; nil means the defaults.
	Settings func(root string) (search.Settings, error)
	// Sources lists the files of a root, so that a request without results can warn of files newer than the index; nil
	// means no such check.
	Sources status.Lister
	Getenv  func(string) string
	// Warn receives messages that do not prevent the answer.
	Warn func(format string, args ...any)
}

// dir returns the folder of the store.
func (a *Asker) dir() string { return cmp.Or(a.Store, filepath.Join(a.Root, store.Dir)) }

func (a *Asker) settings() (search.Settings, error) {
	if a.Settings == nil {
		return search.Settings{}, nil
	}
	return a.Settings(a.Root)
}

// form reports whether the answer is JSON, and whether it is coloured. With --color always or --whole the answer is not
// JSON unless asked for.
func (a *Asker) form(answer *request.Answer, whole bool) (json, color bool) {
	color = a.Terminal && a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
	if answer.Color != request.ColorAuto {
		color = answer.Color == request.ColorAlways
	}
	return answer.Format == request.FormatJSON || answer.Format == "" && (answer.JSON || !a.Terminal && answer.Color != request.ColorAlways && !whole), color
}
