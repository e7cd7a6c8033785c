package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cortex/lib/hint"
)

// An Operation is a kind of question.
type Operation string

// The operations.
const (
	// Callers: what calls the target, or makes an instance of it.
	Callers Operation = "callers"
	// Callees: what the target calls or makes instances of.
	Callees Operation = "callees"
	// Implementations: types that implement, extend or embed the target, and types that the target implements, extends or
	// embeds; of a method, the methods.
	Implementations Operation = "implementations"
	// Dependencies: what the target needs; of a file or folder, the files, packages and external modules.
	Dependencies Operation = "dependencies"
	// Dependents: what needs the target.
	Dependents Operation = "dependents"
	// TypeUsages: where the target is used as a type.
	TypeUsages Operation = "type_usages"
	// References: all that names the target.
	References Operation = "references"
	// Impact: all that a change of the target could affect, and separately the tests that reach it.
	Impact Operation = "impact"
	// Path: the shortest chain from the target to another.
	Path Operation = "path"
)

// An OperationInfo describes an operation for users.
type OperationInfo struct {
	Operation Operation
	Summary   string
	// Noun is the word for the results, in the plural.
	Noun string
}

// Operations lists every operation.
var Operations = []OperationInfo{
	{Callers, "what calls it, or makes an instance of it", "callers"},
	{Callees, "what it calls", "callees"},
	{Implementations, "types that implement or extend it and those that it does; of a method, the methods", "implementations"},
	{Dependencies, "what it needs; of a file or folder: files, packages and external modules", "dependencies"},
	{Dependents, "what needs it", "dependents"},
	{TypeUsages, "where it is used as a type", "usages"},
	{References, "all that names it", "references"},
	{Impact, "what a change of it could reach, and the tests that reach it", "results"},
	{Path, "the shortest chain from one to another", "steps"},
}

// Info finds an operation by its name, in any case. The error of an unknown name has a hint with the nearest name.
func Info(name string) (OperationInfo, error) {
	var names []string
	plain := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), "-", "_"))
	for _, info := range Operations {
		if string(info.Operation) == plain {
			return info, nil
		}
		names = append(names, string(info.Operation))
	}
	return OperationInfo{}, hint.Wrap(fmt.Errorf("unknown operation %q", name), hint.OrNearest(name, names, "operations are "+strings.Join(names, ", ")))
}

// A Request is one question.
type Request struct {
	Operation Operation
	// Target is a name, place (path:line), name in a file, file, folder or identifier. To is the other end of a Path.
	Target, To string
	// Depth is the most edges of a chain, 0 for the default.
	Depth int
	// Limit is the most results, and in addition the most tests, 0 for the default.
	Limit int
	// Context is the number of lines to show before and after each line of an edge.
	Context int
	// Quote asks Callers, TypeUsages and References for the text of each hit's first line. It is ignored if Context is set.
	Quote bool
	// Lines reads the lines from first to last of the file with the tree path. If it is nil, answers have no texts.
	Lines func(path string, first, last int) ([]string, error)
	// Match admits files of results by their tree path; nil admits all.
	Match func(path string) bool
	// Tests is TestsNo to exclude results in test code, TestsOnly to have no others, "" for all.
	Tests string
	// MinConfidence is the least confidence of edges that are followed and shown, from 0 to 1.
	MinConfidence float64
}

// The values of Request.Tests.
const (
	TestsNo   = "no"
	TestsOnly = "only"
)

func (r *Request) check() error {
	switch {
	case r.Tests != "" && r.Tests != TestsNo && r.Tests != TestsOnly:
		return hint.Wrap(fmt.Errorf("tests %q", r.Tests), "give no or only")
	case !slices.ContainsFunc(Operations, func(i OperationInfo) bool { return i.Operation == r.Operation }):
		_, err := Info(string(r.Operation))
		return err
	case strings.TrimSpace(r.Target) == "":
		return hint.Wrap(fmt.Errorf("%s of nothing", r.Operation), "name a symbol, a file, a folder or a place such as lib/server.go:42")
	case r.Operation == Path && strings.TrimSpace(r.To) == "":
		return hint.Wrap(fmt.Errorf("a path to nothing"), "name two: where the path begins and where it ends")
	case r.Operation != Path && r.To != "":
		return hint.Wrap(fmt.Errorf("%s of two", r.Operation), "only path has a second target")
	case r.Depth < 0 || r.Depth > MaxDepth:
		return hint.Wrap(fmt.Errorf("depth %d", r.Depth), fmt.Sprintf("give a number from 1 to %d", MaxDepth))
	case r.Limit < 0 || r.Limit > MaxLimit:
		return hint.Wrap(fmt.Errorf("limit %d", r.Limit), fmt.Sprintf("give a number from 1 to %d", MaxLimit))
	case r.Context < 0 || r.Context > MaxContext:
		return hint.Wrap(fmt.Errorf("context %d", r.Context), fmt.Sprintf("give a number of lines from 0 to %d", MaxContext))
	case math.IsNaN(r.MinConfidence) || r.MinConfidence < 0 || r.MinConfidence > 1:
		return hint.Wrap(fmt.Errorf("confidence %g", r.MinConfidence), "give a number from 0 to 1")
	}
	return nil
}

// Bounds and defaults of a Request.
const (
	MaxDepth             = 6
	DefaultDepth         = 1
	DefaultImpactDepth   = 3
	MaxLimit             = 1000
	DefaultLimit         = 50
	DefaultMinConfidence = 0.5
	MaxContext           = 5
)

// Sure is the least confidence at which an edge is shown without the rule by which its target was found.
const Sure = 0.9
