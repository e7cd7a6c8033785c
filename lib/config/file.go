package config

import (
	"errors"
	"fmt"
	"math"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"cortex/lib/hint"
	"cortex/lib/shorten"
)

// maxFile bounds a configuration file, in bytes. It is a hundred times the size of a file with all settings.
const maxFile = 256 << 10

// mapping stands for a value of a type that no key accepts.
type mapping struct{}

// parseFile returns the entries of a file. Errors call the file path.
func parseFile(data []byte, path string) ([]entry, error) {
	entries, err := decode(data)
	if err != nil {
		var at *lineError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s:%d: %w", path, at.line, at.err)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return entries, nil
}

type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

func errorAt(line int, err error) error { return &lineError{line, err} }

// decode reads a YAML document of sections with keys. Settings need no anchors, aliases, tags or deep nesting, so
// decode rejects them before the parser sees them: a hostile file cannot cost time or memory that way.
func decode(data []byte) (entries []entry, err error) {
	// A hostile file may make the third-party parser panic.
	defer func() {
		if fault := recover(); fault != nil {
			entries, err = nil, fmt.Errorf("not YAML that can be read: %v", fault)
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if err := checkTokens(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		var fault yaml.Error
		if errors.As(err, &fault) && fault.GetToken() != nil {
			return nil, errorAt(fault.GetToken().Position.Line, errors.New(fault.GetMessage()))
		}
		return nil, err
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, nil
	}
	return sections(file.Docs[0].Body)
}

// maxNesting bounds the depth of brackets, and of dashes on one line. Settings need a depth of one.
const maxNesting = 4

func checkTokens(tokens token.Tokens) error {
	depth, dashes, last := 0, 0, 0
	begun, ended := false, false
	for _, t := range tokens {
		at := t.Position.Line
		// At an empty document before others, the parser stops without an error.
		if t.Type == token.DocumentHeaderType && begun || ended && t.Type != token.CommentType {
			return errorAt(at, errors.New("a second document in one file"))
		}
		begun = begun || t.Type != token.CommentType
		ended = ended || t.Type == token.DocumentEndType
		if at != last {
			dashes, last = 0, at
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType:
			return errorAt(at, hint.Wrap(errors.New("anchors, aliases and tags are not supported"), `put text that begins with *, & or ! in quotes: "**/*.go"`))
		case token.MappingKeyType, token.DirectiveType:
			return errorAt(at, fmt.Errorf("unexpected %q", shorten.End(t.Value, maxShown)))
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType:
			dashes++
		}
		if depth > maxNesting || dashes > maxNesting {
			return errorAt(at, errors.New("nested too deeply"))
		}
	}
	return nil
}

func line(n ast.Node) int { return n.GetToken().Position.Line }

// pairs returns the key-value pairs of a mapping.
func pairs(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

func sections(body ast.Node) ([]entry, error) {
	if _, empty := body.(*ast.NullNode); empty {
		return nil, nil
	}
	top, ok := pairs(body)
	if !ok {
		return nil, errorAt(line(body), errors.New(`expected sections such as "paths:" with keys below them`))
	}
	var entries []entry
	seen := map[string]bool{}
	add := func(e entry) error {
		if seen[e.name] {
			return errorAt(e.line, fmt.Errorf("%s is set twice", shorten.End(e.name, maxShown)))
		}
		seen[e.name] = true
		entries = append(entries, e)
		return nil
	}
	for _, pair := range top {
		name := pair.Key.GetToken().Value
		inner, ok := pairs(pair.Value)
		if !ok {
			value, err := scalarOrList(pair.Value)
			if err := add(entry{name, line(pair.Key), value, err}); err != nil {
				return nil, err
			}
			continue
		}
		if err := add(entry{name: name, line: line(pair.Key)}); err != nil {
			return nil, err
		}
		for _, setting := range inner {
			value, err := scalarOrList(setting.Value)
			if err := add(entry{name + "." + setting.Key.GetToken().Value, line(setting.Key), value, err}); err != nil {
				return nil, err
			}
		}
	}
	return entries, nil
}

func scalarOrList(n ast.Node) (any, error) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		return scalar(n), nil
	}
	items := make([]string, 0, len(seq.Values))
	for _, item := range seq.Values {
		s, ok := scalar(item).(string)
		if !ok {
			return mapping{}, fmt.Errorf("expected text in the list, but line %d is something else; put numbers and words such as true in quotes", line(item))
		}
		items = append(items, s)
	}
	return items, nil
}

func scalar(n ast.Node) any {
	switch n := n.(type) {
	case *ast.NullNode:
		return nil
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.BoolNode:
		return n.Value
	case *ast.FloatNode:
		return n.Value
	case *ast.InfinityNode:
		return n.Value
	case *ast.NanNode:
		return math.NaN()
	case *ast.IntegerNode:
		return integerValue(n.Value)
	}
	return mapping{}
}

// integerValue converts an integer to int. Numbers outside of int become its nearest limit, which no key accepts.
func integerValue(value any) any {
	switch v := value.(type) {
	case int64:
		if int64(int(v)) == v {
			return int(v)
		}
		if v < 0 {
			return math.MinInt
		}
	case uint64:
		if v <= math.MaxInt {
			return int(v)
		}
	}
	return math.MaxInt
}
