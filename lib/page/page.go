// Package page shows what is indexed to people, as pages in a browser: search, files, relations and the state of the index.
//
// A request is a URL that holds all of its state; the answer is a page that works without its script. lib/mcp lends the indexes
// (Indexes); index.go asks them, and handlers.go says which page answers which URL. Begin with search.go.
//
// Everything that comes from a repository is text in these pages: html/template escapes it, highlight, markdown and drawing escape what they write themselves,
// and the Content-Security-Policy allows no script, style or image but those in static/.
package page

import (
	"context"
	"html/template"
	"iter"
	"runtime"

	"cortex/lib/graph/table"
	"cortex/lib/page/highlight"
	"cortex/lib/search"
	"cortex/lib/status"
	"cortex/lib/store"
	"cortex/lib/terminal"
)

// Indexes are the indexes that are served.
type Indexes interface {
	// Repositories are the names of those that are served; none where there is one alone, whose name is "".
	Repositories() []string
	// Ask lends the index of a repository for a question, whose error it returns. It may ask again on a newer index. What the question found may be in
	// the memory of the index, which stays until giveBack is called; that is nil if there is an error.
	Ask(ctx context.Context, repository string, question func(context.Context, *OpenIndex) error) (giveBack func(), err error)
}

// An OpenIndex is the index of one generation of a repository.
type OpenIndex struct {
	Repository string
	// Root is the folder that was indexed, Store that of its store.
	Root, Store string
	// Sources says how the files of a root are listed; nil if nobody is to look.
	Sources status.Lister
	Index   *search.Index
	// Database is where the index is, nil for a store.
	Database Database
	// Search answers questions, Query asks the graph.
	Search func(context.Context, search.Request) (*search.Response, error)
	Query  func(context.Context, table.Request) (*table.Answer, error)
}

// A Database has what a store has besides the index.
type Database interface {
	// File gives the record of a file by its tree path, then those of its chunks; nothing if it is not there.
	File(ctx context.Context, path string) iter.Seq2[store.Entry, error]
	Status() (*store.Status, error)
}

// Options are what pages need. All fields are required.
type Options struct {
	Indexes Indexes
	// Report takes errors that are ours.
	Report func(error)
}

// A Server makes pages.
type Server struct {
	opts      Options
	templates *template.Template
	colours   highlight.Colours
	// slots has a token for each page that is being made. Others wait, and most of them for nothing: as a person types on, they are given up.
	slots chan struct{}
}

// New returns a server of pages of what the library has.
func New(opts Options) *Server {
	functions := template.FuncMap{"static": versioned, "number": terminal.Number}
	return &Server{opts: opts, templates: template.Must(template.New("").Funcs(functions).ParseFS(content, "templates/*.html")), slots: make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
}

// A view is a page: what the template shows, in the frame that all have in common.
type view struct {
	Template string
	Title    string
	// Status is the HTTP status, 0 for 200.
	Status int
	// State is what is searched, for the form at the head of each page.
	State state
	Kinds []choice
	// Here is the page of the menu, "" for none of them.
	Here string
	Body any
}

// A note is something to know of what a page shows, with links that lead on.
type note struct {
	Text  string
	Links []choice
}
