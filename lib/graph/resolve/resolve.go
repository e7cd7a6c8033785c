// Package resolve finds out what the names in the facts of one family of files mean. A tree of facts and the rules of its languages go in; a Linker comes out, which
// returns the edges of each file.
//
// Begin with resolve.go, which runs the steps: prepare.go and imports.go index what is declared and imported, evaluate.go follows the values of typings, imply.go
// adds edges that follow from declarations. names.go says what an expression means, linker.go what a reference leads to.
package resolve

import (
	"context"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
)

// Resolve finds out what the facts of the tree mean by the rules of its families, but for the edges that the rules find.
func Resolve(ctx context.Context, t *facts.Tree, rules []language.Rules, jobs int) (*Resolution, error) {
	r := &Resolution{Tree: t, rules: rules, Jobs: max(jobs, 1), Implied: map[facts.Decl]*impliedLines{}}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if err := r.resolveImports(ctx); err != nil {
		return nil, err
	}
	r.indexTypings()
	// Names of files that stand for others come first, since a class may inherit from one.
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
