// Package page shows indexed repositories to people, as pages in a browser: search, files, relations and the state of
// the index.
//
// A URL holds the complete state of a page, and pages work without their script. lib/mcp provides the indexes
// (interface Indexes); index.go asks them, and handlers.go maps URLs to pages. Begin with search.go.
//
// Pages show everything from a repository as text: html/template escapes it, highlight, markdown and drawing escape
// their own output, and the Content-Security-Policy allows only the scripts, styles and images in static/.
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

// Indexes gives access to the served indexes.
type Indexes interface {
	// Repositories returns the names of the repositories. It returns none if there is only one, whose name is "".
	Repositories() []string
	// Ask runs question on the index of a repository and returns its error. It may run question again on a newer index.
	// The results of question may refer to the memory of the index, which stays valid until giveBack is called.
	// giveBack is nil if there is an error.
	Ask(ctx context.Context, repository string, question func(context.Context, *OpenIndex) error) (giveBack func(), err error)
}

// An OpenIndex is the index of one generation of a repository.
type OpenIndex struct {
	Repository string
	// Root is the indexed folder, Store the folder of its store.
	Root, Store string
	// Sources lists the files of a root; nil means not to check for changed files.
	Sources status.Lister
	Index   *search.Index
	// Database is set if the index is in a database; nil for a store.
	Database Database
	// Search answers questions. Query asks the graph.
	Search func(context.Context, search.Request) (*search.Response, error)
	Query  func(context.Context, table.Request) (*table.Answer, error)
}

// A Database provides the data that is not in the index.
type Database interface {
	// File yields the record of a file, given its tree path, and then the records of its chunks. It yields nothing if
	// the file is not indexed.
	File(ctx context.Context, path string) iter.Seq2[store.Entry, error]
	Status() (*store.Status, error)
}

// Options are the options of New. All fields are required.
type Options struct {
	Indexes Indexes
	// Report receives internal errors.
	Report func(error)
}

// A Server makes pages.
type Server struct {
	opts      Options
	templates *template.Template
	colours   highlight.Colours
	// slots has a token for each page in progress. Other requests wait; most of them are cancelled while they wait,
	// since the person types on.
	slots chan struct{}
}

// New returns a server of pages.
func New(opts Options) *Server {
	functions := template.FuncMap{"static": versioned, "number": terminal.Number}
	return &Server{opts: opts, templates: template.Must(template.New("").Funcs(functions).ParseFS(content, "templates/*.html")), slots: make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
}

// A view is a page: the content for a template, and the data of the frame around it.
type view struct {
	Template string
	Title    string
	// Status is the HTTP status, 0 for 200.
	Status int
	// State is the current search, for the form at the head of each page.
	State state
	Kinds []choice
	// Here is the menu entry of this page, "" for none.
	Here string
	Body any
}

// A note is a remark on a page's content, with links.
type note struct {
	Text  string
	Links []choice
}
