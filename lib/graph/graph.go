// Package graph says how the symbols of a tree hang together: who calls, inherits, imports or names whom.
//
// cortex-parse writes into each file record what the file names (record.Reference) and which types it declares for that
// (record.Typing); nothing is resolved there. Build resolves these facts (Facts) into edges and puts them into tables (Graph), which questions
// are asked of (Graph.Query) and which are kept to be mapped (Graph.WriteBinary, FromBinary; package stored). Given the tables of the facts before,
// it resolves again what a change concerns. What a language has of its own is a row of the table of Rules.
//
// Statements says the same one by one, for those who check it, as JSON too:
//
//	{"node":"lib/a.go","kind":"file","name":"a.go","language":"go","package":"a"}
//	{"mapping":"example.com/m","path":"."}
//	{"edge":"imports","from":"lib/a.go","module":"fmt","lines":[3],"by":"external","confidence":0.9,"external":"fmt"}
//	{"node":"lib/a.go#Server.Handle","kind":"method","name":"Handle","start_line":8,"end_line":20,"signature":"func (s *Server) Handle()","exported":true}
//	{"typing":"lib/a.go#Server","name":"store","value":"(Store)","line":5}
//	{"edge":"calls","from":"lib/a.go#Server.Handle","name":"Get","receiver":"(Server).store","lines":[12,14],"by":"receiver","confidence":0.95,"to":["lib/b.go#Store.Get"]}
//	{"omission":"lib/a.go#Shape","relation":"implements","incoming":true,"held":250,"found":1500}
//
// An edge without "by" is a reference that leads nowhere; with "unlisted" it is a call on a receiver of unknown type, which a member of the name may have. An omission says that a node has more edges of a relation than are kept.
package graph

import (
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/table"
	"cortex/lib/record"
)

// A Node is a file or a symbol of it. All declarations of one qualified name in one file are one node.
type Node struct {
	// ID is the tree path of the file, for a symbol followed by "#" and its qualified name.
	ID   string
	Kind record.Kind
	// Name is the last part of the qualified name, or of the path.
	Name string
	// Tree, Language and Package are those of a file alone.
	Tree, Language, Package string
	// StartLine and EndLine are those of the longest declaration, the first of several; 0 for a file. Its documentation comment begins in DocLine; 0 if it has
	// none above it.
	DocLine, StartLine, EndLine int
	// Further are the other declarations, such as overloads: where each begins and ends, and where its documentation comment begins.
	Further [][3]int
	// Signature has at most 200 characters.
	Signature string
	Exported  bool
	// Test is set for test code; of a file it holds for all its nodes.
	Test bool
}

// A Typing is a record.Typing of the symbol, or the file, whose identifier is Of.
type Typing struct {
	Of        string
	Name      string
	Value     record.Expression
	Signature string
	Line      int
}

// An Edge is a record.Reference with what it leads to.
type Edge struct {
	// Relation is how the target is used. It differs from that of the reference where only the target tells: a call of a
	// class makes an instance.
	Relation record.Relation
	// Written is the relation of the reference if it is another.
	Written record.Relation
	// From is the identifier of the node that refers.
	From string
	// Name to Lines are those of the reference. An edge that no reference says, but what is declared together, has none of them.
	Name     string
	Receiver record.Expression
	Module   string
	Alias    string
	Lines    []int
	// By tells how the target was found, "" if it was not. Confidence is about the share of such edges that are right.
	By         edge.By
	Confidence float64
	// To are identifiers of nodes. One that ends in "/" is a folder and means the package in it, "./" that in the root of the tree.
	// There are several where By is ByCandidates, or where a thing is declared in several files. Of an import the module comes first, then what is
	// taken from it.
	To []string
	// External names what lies outside of the tree, module first, as in "net/http.Client.Do".
	External string
	// Unlisted are the languages in which a member of the name, and which, may be meant by a call without target; see resolve.Answer.
	Unlisted []string
}

// SplitID returns the tree path and the qualified name in the identifier of a node, given that of its file or "" if that is not known.
// Without it a path with a "#" can't be told from a name, and the first "#" counts.
func SplitID(id, file string) (path, qualified string) {
	if file != "" && strings.HasPrefix(id, file) && (len(id) == len(file) || id[len(file)] == '#') {
		return file, strings.TrimPrefix(id[len(file):], "#")
	}
	path, qualified, _ = strings.Cut(id, "#")
	return path, qualified
}

// NodeID is the identifier of a symbol of the file, or of the file itself if qualified is "".
func NodeID(treePath, qualified string) string {
	if qualified == "" {
		return treePath
	}
	return treePath + "#" + qualified
}

// TargetOf is a target that names a symbol and nothing else.
func TargetOf(s *table.Symbol) string {
	switch {
	case s.FilePath == "" || s.FilePath == s.Symbol:
		return s.Symbol
	case s.Kind == table.FileKind:
		return s.FilePath
	}
	return NodeID(s.FilePath, s.Symbol)
}
