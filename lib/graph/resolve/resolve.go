// Package resolve resolves the names in the files of one family of languages. Resolve takes a tree of facts and the rules of
// its languages; a Linker of the result returns the targets of each reference of a file.
//
// Begin with resolve.go, which runs the steps: prepare.go and imports.go index declarations and imports, evaluate.go finds
// the values of typings, imply.go adds edges that follow from declarations. names.go resolves expressions, linker.go
// references.
package resolve

import (
	"context"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
)

// Resolve resolves imports, typings and inheritance in the tree. rules are indexed by File.Family. Call Imply for the edges
// that follow from declarations.
func Resolve(ctx context.Context, t *facts.Tree, rules []language.Rules, jobs int) (*Resolution, error) {
	r := &Resolution{Tree: t, rules: rules, Jobs: max(jobs, 1), Implied: map[facts.Decl]*impliedLines{}}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if err := r.resolveImports(ctx); err != nil {
		return nil, err
	}
	r.indexTypings()
	// Evaluate names outside of symbols first: a class may inherit from a name that stands for another class.
	if err := r.evaluate(ctx, 2, true); err != nil {
		return nil, err
	}
	if err := r.inherit(ctx); err != nil {
		return nil, err
	}
	for i := range r.typed {
		r.typed[i].settled = false
	}
	if err := r.evaluate(ctx, maxRounds, false); err != nil {
		return nil, err
	}
	return r, nil
}
