// Package graph builds the graph of a tree: which symbols call, inherit, import or name which others.
//
// Each file record has the names that the file uses (record.Reference) and the types of variables, fields and results
// (record.Typing); cortex-parse resolves nothing. Build takes these facts (facts.Facts) and returns tables of nodes and
// edges (table.Graph), which answer questions (Graph.Query) and which package stored keeps in mapped files. Given the
// previous tables, Build resolves again only what a change affects. The rules of a language are a row of
// language.Rules. Open build.go first, then builder.go for its types; link.go has the form in which edges are written.
//
// Statements yields the same graph as single statements, for checks and as JSON:
//
//	{"node":"lib/a.go","kind":"file","name":"a.go","language":"go","package":"a"}
//	{"mapping":"example.com/m","path":"."}
//	{"edge":"imports","from":"lib/a.go","module":"fmt","lines":[3],"by":"external","confidence":0.9,"external":"fmt"}
//	{"node":"lib/a.go#Server.Handle","kind":"method","name":"Handle","start_line":8,"end_line":20,"signature":"func (s *Server) Handle()","exported":true}
//	{"typing":"lib/a.go#Server","name":"store","value":"(Store)","line":5}
//	{"edge":"calls","from":"lib/a.go#Server.Handle","name":"Get","receiver":"(Server).store","lines":[12,14],"by":"receiver","confidence":0.95,"to":["lib/b.go#Store.Get"]}
//	{"omission":"lib/a.go#Shape","relation":"implements","incoming":true,"held":250,"found":1500}
//
// An edge without "by" is a reference without a target; with "unlisted" it is a call on a receiver of unknown type, for
// which the tree has members of that name. An omission says that a node has more edges of a relation than are kept.
package graph

import (
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/table"
	"cortex/lib/record"
)

// A Node is a file or a symbol of it. All declarations of one qualified name in one file are one node.
type Node struct {
	// ID is the tree path of the file; for a symbol, "#" and its qualified name follow.
	ID   string
	Kind record.Kind
	// Name is the last part of the qualified name, or of the path.
	Name string
	// Tree, Language and Package are set for files only.
	Tree, Language, Package string
	// StartLine and EndLine are the lines of the longest declaration, the first of several; 0 for a file. DocLine is the
	// first line of the documentation comment above it, 0 if there is none.
	DocLine, StartLine, EndLine int
	// Further lists other declarations of the name, such as overloads: first line, last line, first line of the comment.
	Further [][3]int
	// Signature has at most 200 characters.
	Signature string
	Exported  bool
	// Test is set for test code. If it is set for a file, all nodes of the file are test code.
	Test bool
}

// A Typing is a record.Typing; Of is the identifier of its symbol or file.
type Typing struct {
	Of        string
	Name      string
	Value     record.Expression
	Signature string
	Line      int
}

// An Edge is a record.Reference with its targets.
type Edge struct {
	// Relation is how the target is used. It differs from the relation of the reference where only the target tells: the
	// call of a class is an instantiation.
	Relation record.Relation
	// Written is the relation of the reference if it differs from Relation.
	Written record.Relation
	// From is the identifier of the node that refers.
	From string
	// Name, Receiver, Module, Alias and Lines are copied from the reference; empty for edges that follow from declarations.
	Name     string
	Receiver record.Expression
	Module   string
	Alias    string
	Lines    []int
	// By is the rule by which the target was found, "" if none was. Confidence estimates the share of such edges that
	// are right.
	By         edge.By
	Confidence float64
	// To lists identifiers of nodes. An identifier that ends in "/" stands for the package in that folder, "./" for the
	// package in the root of the tree. There are several if By is ByCandidates, or if a symbol is declared in several
	// files. An import has the module first, then the symbols imported from it.
	To []string
	// External names a target outside of the tree, module first, as in "net/http.Client.Do".
	External string
	// Unlisted is set for a call without target whose receiver has an unknown type: the languages in which members of the
	// name may be meant; see resolve.Answer.
	Unlisted []string
}

// SplitID splits the identifier of a node into tree path and qualified name. file is the tree path, or "" if it is not
// known; then SplitID splits at the first "#", which is wrong for a path that has one.
func SplitID(id, file string) (path, qualified string) {
	if file != "" && strings.HasPrefix(id, file) && (len(id) == len(file) || id[len(file)] == '#') {
		return file, strings.TrimPrefix(id[len(file):], "#")
	}
	path, qualified, _ = strings.Cut(id, "#")
	return path, qualified
}

// NodeID returns the identifier of a symbol of the file, or of the file itself if qualified is "".
func NodeID(treePath, qualified string) string {
	if qualified == "" {
		return treePath
	}
	return treePath + "#" + qualified
}

// TargetOf returns the text of a target that means the node s and no other.
func TargetOf(s *table.Symbol) string {
	switch {
	case s.FilePath == "" || s.FilePath == s.Symbol:
		return s.Symbol
	case s.Kind == table.FileKind:
		return s.FilePath
	}
	return NodeID(s.FilePath, s.Symbol)
}
