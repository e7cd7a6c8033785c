package parse

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"unsafe"

	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

//go:embed queries/*.scm
var queries embed.FS

// A visibility is how a language marks what other files may use.
type visibility int

const (
	// captured: the pattern's @exported, or for members of an exported type the
	// absence of @private.
	captured visibility = iota
	// upperCase: the name's first letter.
	upperCase
	// noUnderscore: the name does not begin with "_", or is like "__init__".
	noUnderscore
)

// A grammar is one row of the table of languages that have one.
type grammar struct {
	// name is that of the language table.
	name     string
	language func() unsafe.Pointer
	// queries are files in queries/, joined in this order.
	queries    []string
	visibility visibility
	// modulePath says that a file's package is its path with dots.
	modulePath bool

	compile func() (*program, error)
}

// grammars is the table, by name. A query is compiled when the first file needs it.
var grammars = sync.OnceValue(func() map[string]*grammar {
	rows := []*grammar{
		{name: "go", language: golang.Language, queries: []string{"go.scm"}, visibility: upperCase},
		{name: "javascript", language: javascript.Language, queries: []string{"ecmascript.scm", "javascript.scm"}, visibility: captured},
		{name: "python", language: python.Language, queries: []string{"python.scm"}, visibility: noUnderscore, modulePath: true},
		{name: "tsx", language: typescript.LanguageTSX, queries: []string{"ecmascript.scm", "typescript.scm"}, visibility: captured},
		{name: "typescript", language: typescript.LanguageTypescript, queries: []string{"ecmascript.scm", "typescript.scm"}, visibility: captured},
	}
	table := make(map[string]*grammar, len(rows))
	for _, g := range rows {
		g.compile = sync.OnceValues(g.program)
		table[g.name] = g
	}
	return table
})

// A role is what the engine does with a capture.
type role int

const (
	roleNone role = iota
	roleAttribute
	roleBody
	roleClass
	roleComment
	roleDefinition
	roleDoc
	roleExported
	roleExportedName
	roleFunction
	roleImport
	roleLocal
	roleName
	roleOpen
	rolePackage
	rolePrefix
	rolePrivate
	roleReceiver
	roleSpan
	roleTest
	roleValue
)

// roles are the names of captures; "definition.KIND" comes on top. Names that begin
// with "_" are for predicates alone.
var roles = map[string]role{
	"attribute":     roleAttribute,
	"body":          roleBody,
	"class":         roleClass,
	"comment":       roleComment,
	"doc":           roleDoc,
	"exported":      roleExported,
	"exported.name": roleExportedName,
	"function":      roleFunction,
	"import":        roleImport,
	"local":         roleLocal,
	"name":          roleName,
	"open":          roleOpen,
	"package":       rolePackage,
	"prefix":        rolePrefix,
	"private":       rolePrivate,
	"receiver":      roleReceiver,
	"span":          roleSpan,
	"test":          roleTest,
	"value":         roleValue,
}

// A program is a grammar's compiled query with the meaning of its captures.
type program struct {
	*query
	grammar *grammar
	roles   []role
	kinds   []kind // of definition captures
}

func (g *grammar) program() (*program, error) {
	var source strings.Builder
	for _, name := range g.queries {
		data, err := queries.ReadFile("queries/" + name)
		if err != nil {
			return nil, err
		}
		source.Write(data)
	}
	q, err := compileQuery(g.language(), source.String())
	if err != nil {
		return nil, fmt.Errorf("query of %s: %w", g.name, err)
	}
	p := &program{query: q, grammar: g, roles: make([]role, len(q.captures)), kinds: make([]kind, len(q.captures))}
	for i, name := range q.captures {
		if err := p.assign(i, name); err != nil {
			return nil, fmt.Errorf("query of %s: %w", g.name, err)
		}
	}
	return p, nil
}

// assign gives capture i its role.
func (p *program) assign(i int, name string) error {
	if k, ok := strings.CutPrefix(name, "definition."); ok {
		p.roles[i], p.kinds[i] = roleDefinition, kind(k)
		return checkKind(kind(k))
	}
	if strings.HasPrefix(name, "_") {
		return nil
	}
	r, ok := roles[name]
	if !ok {
		return fmt.Errorf("unknown capture @%s", name)
	}
	p.roles[i] = r
	return nil
}
