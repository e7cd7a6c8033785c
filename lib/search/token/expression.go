package token

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of expressions: the length in bytes, and the number of instructions, which times the length of a word bounds
// the time of a match.
const (
	maxExpression = 1000
	maxProgram    = 1000
)

// An Expression is a regular expression (RE2 syntax) over folded words. It matches anywhere in a word unless it has ^
// or $, and ignores case.
type Expression struct {
	re *regexp.Regexp
	// prefix is the beginning of every match, if the expression is anchored. literal is contained in every match.
	prefix, literal string
	steps           int
}

// An ExpressionError is a fault in an expression, at a byte offset.
type ExpressionError struct {
	Offset  int
	Problem string
}

func (e *ExpressionError) Error() string { return e.Problem }

// NewExpression compiles a regular expression. The error is an *ExpressionError.
func NewExpression(source string) (*Expression, error) {
	if len(source) > maxExpression {
		return nil, &ExpressionError{maxExpression, fmt.Sprintf("expression of %d bytes, at most %d are allowed", len(source), maxExpression)}
	}
	tree, err := syntax.Parse(source, syntax.Perl|syntax.FoldCase)
	if err != nil {
		var fault *syntax.Error
		if !errors.As(err, &fault) {
			return nil, &ExpressionError{0, err.Error()}
		}
		problem := fault.Code.String()
		if fault.Expr != "" && fault.Expr != source {
			problem += fmt.Sprintf(" %q", fault.Expr)
		}
		return nil, &ExpressionError{max(strings.Index(source, fault.Expr), 0), problem}
	}
	if err := check(tree, source); err != nil {
		return nil, err
	}
	simple := tree.Simplify()
	program, err := syntax.Compile(simple)
	if err != nil {
		return nil, &ExpressionError{0, err.Error()}
	}
	if len(program.Inst) > maxProgram {
		return nil, &ExpressionError{0, fmt.Sprintf("expression of %d steps, at most %d are allowed", len(program.Inst), maxProgram)}
	}
	re, err := regexp.Compile("(?i:" + source + ")")
	if err != nil {
		return nil, &ExpressionError{0, err.Error()}
	}
	x := &Expression{re: re, steps: len(program.Inst)}
	x.prefix, x.literal = literals(simple)
	return x, nil
}

// check returns an error for an expression that no word can match.
func check(tree *syntax.Regexp, source string) *ExpressionError {
	if tree.Op == syntax.OpLiteral {
		for _, r := range tree.Rune {
			at := max(strings.IndexRune(source, r), 0)
			switch {
			case tree.Flags&syntax.FoldCase == 0 && unicode.ToLower(r) != r:
				return &ExpressionError{at, fmt.Sprintf("%q in its own case: case never matters", r)}
			case unicode.IsSpace(r):
				return &ExpressionError{at, "a space: an expression is compared with one word at a time"}
			}
		}
	}
	for _, sub := range tree.Sub {
		if err := check(sub, source); err != nil {
			return err
		}
	}
	return nil
}

// literals returns the prefix of every match, and the longest literal that every match contains; "" if they are not
// known.
func literals(tree *syntax.Regexp) (prefix, longest string) {
	parts := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		parts = tree.Sub
	}
	anchored := false
	for i, part := range parts {
		for part.Op == syntax.OpCapture || part.Op == syntax.OpPlus {
			part = part.Sub[0]
		}
		switch part.Op {
		case syntax.OpBeginText:
			anchored = anchored || i == 0
		case syntax.OpLiteral:
			text := foldLiteral(part.Rune)
			if anchored && i == 1 {
				prefix = text
			}
			if len(text) > len(longest) {
				longest = text
			}
		}
	}
	return prefix, longest
}

// foldLiteral returns the folded text, or "" if it is not ASCII: folding may then depend on neighbouring characters.
func foldLiteral(runes []rune) string {
	for _, r := range runes {
		if r >= utf8.RuneSelf {
			return ""
		}
	}
	return Fold(string(runes))
}

// Prefix returns the beginning of every match, "" if it is not known.
func (x *Expression) Prefix() string { return x.prefix }

// MayMatch reports whether a folded term has the literal that every match contains. It takes much less time than Match.
func (x *Expression) MayMatch(term string) bool { return strings.Contains(term, x.literal) }

// Match reports whether a folded term matches.
func (x *Expression) Match(term string) bool { return x.MayMatch(term) && x.re.MatchString(term) }

// Share returns the share of a term, from 0 to 1, that the first match covers.
func (x *Expression) Share(term string) float32 {
	at := x.re.FindStringIndex(term)
	if at == nil || term == "" {
		return 0
	}
	return float32(at[1]-at[0]) / float32(len(term))
}

// Steps returns the number of steps that a match may take for each byte of a term.
func (x *Expression) Steps() int { return x.steps }
