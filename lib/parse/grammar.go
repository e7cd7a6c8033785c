package parse

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"

	dart "github.com/alexaandru/go-sitter-forest/dart"
	dockerfile "github.com/alexaandru/go-sitter-forest/dockerfile"
	elixir "github.com/alexaandru/go-sitter-forest/elixir"
	fortran "github.com/alexaandru/go-sitter-forest/fortran"
	graphql "github.com/alexaandru/go-sitter-forest/graphql"
	just "github.com/alexaandru/go-sitter-forest/just"
	makefile "github.com/alexaandru/go-sitter-forest/make"
	pascal "github.com/alexaandru/go-sitter-forest/pascal"
	proto "github.com/alexaandru/go-sitter-forest/proto"
	r "github.com/alexaandru/go-sitter-forest/r"
	solidity "github.com/alexaandru/go-sitter-forest/solidity"
	sql "github.com/alexaandru/go-sitter-forest/sql"
	swift "github.com/alexaandru/go-sitter-forest/swift"
	hcl "github.com/tree-sitter-grammars/tree-sitter-hcl/bindings/go"
	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	toml "github.com/tree-sitter-grammars/tree-sitter-toml/bindings/go"
	xml "github.com/tree-sitter-grammars/tree-sitter-xml/bindings/go"
	yaml "github.com/tree-sitter-grammars/tree-sitter-yaml/bindings/go"
	zig "github.com/tree-sitter-grammars/tree-sitter-zig/bindings/go"
	bash "github.com/tree-sitter/tree-sitter-bash/bindings/go"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"
	css "github.com/tree-sitter/tree-sitter-css/bindings/go"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	haskell "github.com/tree-sitter/tree-sitter-haskell/bindings/go"
	html "github.com/tree-sitter/tree-sitter-html/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	json "github.com/tree-sitter/tree-sitter-json/bindings/go"
	julia "github.com/tree-sitter/tree-sitter-julia/bindings/go"
	ocaml "github.com/tree-sitter/tree-sitter-ocaml/bindings/go"
	php "github.com/tree-sitter/tree-sitter-php/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"cortex/lib/record"
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
	// marked: the pattern's @exported, of it and of all that it stands in.
	marked
	// unmarked: the absence of @private and, but with @exported, of a @private.from above it.
	unmarked
	// listed: as captured, but in a file that lists no @exported.name, all that is not
	// private and does not begin with "_".
	listed
)

// A grammar is one row of the table of languages that have one.
type grammar struct {
	// name is that of the language table.
	name     string
	language func() unsafe.Pointer
	// queries are files in queries/, joined in this order.
	queries    []string
	visibility visibility
	// masks prepare the text for the grammar; retry those texts alone that it can't read
	// without errors, and count if there are fewer errors then.
	masks, retry []mask
	// macros: words of a preprocessor are dropped before that.
	macros bool
	// full: all declarations with kind, name, signature, documentation, imports and test code are
	// captured, not just what gives the file its structure.
	full bool
	// assigns: a variable is declared by assigning to it, often more than once; the first counts.
	assigns bool
	// atoms: a name may be written as :name.
	atoms bool
	// testTag is the line of a comment above a function that marks it as a test.
	testTag string
	// endings limit the row to paths that end so, in any case; such rows stand first.
	endings []string
	// modulePath says that a file's package is its path with dots.
	modulePath bool
	// composites: T{...} is a value of type T, not a call of T with a block.
	composites bool
	// own: types named List, Task and so on are no better known than others.
	own bool
	// pronouns are names that stand for the object or type around them, beside the usual ones: "this" or "super".
	pronouns map[string]string
	// modules are words that before a "::" name modules, and how they stand in a record.Expression.
	modules map[string]string
	scanner scanner

	compile func() (*program, error)
	masker  func() *masker
	retrier func() *masker
}

// A scanner is what is known of the faults of a grammar's own scanner.
type scanner struct {
	// words: it takes the letters of a word for the word, so that "in1" is the keyword "in".
	words bool
	// recovery are its tokens, by number, that take whatever follows when it looks for them in a text
	// with an error: those of a string.
	recovery []int
}

// grammars is the table, by name. A query is compiled when the first file needs it.
var grammars = sync.OnceValue(func() []*grammar {
	rows := []*grammar{
		{name: "bash", endings: []string{".bats"}, language: bash.Language, queries: []string{"bash.scm"}, visibility: unmarked, assigns: true, masks: batsMasks},
		{name: "bash", language: bash.Language, queries: []string{"bash.scm"}, visibility: unmarked, assigns: true},
		{name: "c", language: c.Language, queries: []string{"c.scm"}, visibility: unmarked, macros: true, full: true, composites: true},
		{name: "cpp", language: cpp.Language, queries: []string{"cpp.scm", "c.scm"}, visibility: unmarked, macros: true, full: true, composites: true},
		{name: "csharp", language: csharp.Language, queries: []string{"csharp.scm"}, visibility: marked, full: true, retry: csharpRetry,
			pronouns: map[string]string{"base": "super"}},
		{name: "css", language: css.Language, queries: []string{"css.scm"}, visibility: unmarked},
		{name: "dart", language: dart.GetLanguage, queries: []string{"dart.scm"}, visibility: noUnderscore, masks: dartMasks},
		{name: "dockerfile", language: dockerfile.GetLanguage, queries: []string{"dockerfile.scm"}, visibility: unmarked, masks: dockerfileMasks, retry: dockerfileRetry},
		{name: "dtd", language: xml.LanguageDTD, queries: []string{"dtd.scm"}, visibility: unmarked},
		{name: "elixir", language: elixir.GetLanguage, queries: []string{"elixir.scm"}, visibility: unmarked, assigns: true, atoms: true},
		{name: "fortran", endings: []string{".f", ".for", ".ftn", ".f77"}, language: fortran.GetLanguage, queries: []string{"fortran.scm"}, visibility: listed, masks: fortranFixedMasks},
		{name: "fortran", endings: []string{".fypp"}, language: fortran.GetLanguage, queries: []string{"fortran.scm"}, visibility: listed, masks: fortranFyppMasks},
		{name: "fortran", language: fortran.GetLanguage, queries: []string{"fortran.scm"}, visibility: listed},
		{name: "go", language: golang.Language, queries: []string{"go.scm"}, visibility: upperCase, full: true, composites: true, own: true},
		{name: "graphql", language: graphql.GetLanguage, queries: []string{"graphql.scm"}, visibility: unmarked},
		{name: "haskell", language: haskell.Language, queries: []string{"haskell.scm"}, visibility: listed, masks: haskellMasks},
		{name: "hcl", language: hcl.Language, queries: []string{"hcl.scm"}, visibility: unmarked},
		{name: "html", language: html.Language, queries: []string{"html.scm"}, visibility: unmarked, masks: htmlMasks},
		{name: "java", language: java.Language, queries: []string{"java.scm"}, visibility: marked, full: true},
		{name: "javascript", language: javascript.Language, queries: []string{"ecmascript.scm", "javascript.scm", "jsx.scm"}, visibility: captured, assigns: true, full: true, retry: javascriptRetry},
		{name: "json", language: json.Language, queries: []string{"json.scm"}, visibility: unmarked, retry: jsonRetry},
		{name: "julia", language: julia.Language, queries: []string{"julia.scm"}, visibility: listed, assigns: true, atoms: true},
		{name: "just", language: just.GetLanguage, queries: []string{"just.scm"}, visibility: unmarked},
		{name: "kotlin", language: kotlin.Language, queries: []string{"kotlin.scm"}, visibility: unmarked, full: true,
			scanner: scanner{words: true, recovery: []int{6, 10}}},
		{name: "lua", language: lua.Language, queries: []string{"lua.scm"}, visibility: captured, assigns: true},
		{name: "makefile", endings: []string{".am"}, language: makefile.GetLanguage, queries: []string{"makefile.scm"}, visibility: unmarked, assigns: true, masks: makefileAmMasks, retry: makeRetry},
		{name: "makefile", endings: []string{".in"}, language: makefile.GetLanguage, queries: []string{"makefile.scm"}, visibility: unmarked, assigns: true, masks: []mask{makeConfigured, makeAssign}, retry: makeRetry},
		{name: "makefile", language: makefile.GetLanguage, queries: []string{"makefile.scm"}, visibility: unmarked, assigns: true, masks: []mask{makeAssign}, retry: makeRetry},
		{name: "ocaml", endings: []string{".mli"}, language: ocaml.LanguageOCamlInterface, queries: []string{"ocaml.scm"}, visibility: unmarked},
		{name: "ocaml", language: ocaml.LanguageOCaml, queries: []string{"ocaml.scm"}, visibility: unmarked},
		{name: "pascal", language: pascal.GetLanguage, queries: []string{"pascal.scm"}, visibility: listed, masks: pascalMasks},
		{name: "php", language: php.LanguagePHP, queries: []string{"php.scm"}, visibility: unmarked, assigns: true, full: true, testTag: "@test",
			pronouns: map[string]string{"parent": "super", "static": "this"}},
		{name: "protobuf", language: proto.GetLanguage, queries: []string{"protobuf.scm"}, visibility: unmarked},
		{name: "python", language: python.Language, queries: []string{"python.scm"}, visibility: noUnderscore, assigns: true, full: true, modulePath: true},
		{name: "r", language: r.GetLanguage, queries: []string{"r.scm"}, visibility: unmarked, assigns: true},
		{name: "ruby", endings: []string{".rake", "rakefile", "rakefile.rb", ".cap", "capfile"}, language: ruby.Language, queries: []string{"ruby.scm", "rake.scm"}, visibility: unmarked, assigns: true, atoms: true, full: true},
		{name: "ruby", language: ruby.Language, queries: []string{"ruby.scm"}, visibility: unmarked, assigns: true, atoms: true, full: true},
		{name: "rust", language: rust.Language, queries: []string{"rust.scm"}, visibility: marked, full: true, composites: true,
			modules: map[string]string{"self": "crate.self", "super": "crate.super"}},
		{name: "scala", language: scala.Language, queries: []string{"scala.scm"}, visibility: unmarked, full: true},
		{name: "solidity", language: solidity.GetLanguage, queries: []string{"solidity.scm"}, visibility: unmarked},
		{name: "sql", language: sql.GetLanguage, queries: []string{"sql.scm"}, visibility: unmarked, masks: sqlMasks},
		{name: "svelte", language: html.Language, queries: []string{"html.scm"}, visibility: unmarked, masks: svelteMasks},
		{name: "swift", language: swift.GetLanguage, queries: []string{"swift.scm"}, visibility: unmarked, full: true, masks: swiftMasks},
		{name: "toml", language: toml.Language, queries: []string{"toml.scm"}, visibility: unmarked},
		{name: "tsx", language: typescript.LanguageTSX, queries: []string{"ecmascript.scm", "typescript.scm", "jsx.scm"}, visibility: captured, assigns: true, full: true, retry: typescriptRetry},
		{name: "typescript", language: typescript.LanguageTypescript, queries: []string{"ecmascript.scm", "typescript.scm"}, visibility: captured, assigns: true, full: true, retry: typescriptRetry},
		{name: "vue", language: html.Language, queries: []string{"html.scm"}, visibility: unmarked, masks: vueMasks},
		{name: "xml", endings: []string{"pom.xml", ".pom"}, language: xml.LanguageXML, queries: []string{"xml.scm", "xml_maven.scm"}, visibility: unmarked},
		{name: "xml", endings: []string{"proj", ".props", ".targets", ".nuspec", "packages.config"}, language: xml.LanguageXML,
			queries: []string{"xml.scm", "xml_msbuild.scm"}, visibility: unmarked},
		{name: "xml", language: xml.LanguageXML, queries: []string{"xml.scm"}, visibility: unmarked},
		{name: "yaml", language: yaml.Language, queries: []string{"yaml.scm"}, visibility: unmarked, retry: yamlRetry},
		{name: "zig", endings: []string{".zon"}, language: zig.Language, queries: []string{"zon.scm"}, visibility: unmarked, masks: zonMasks},
		{name: "zig", language: zig.Language, queries: []string{"zig.scm"}, visibility: marked},
	}
	for _, g := range rows {
		g.compile = sync.OnceValues(g.program)
		g.retrier = sync.OnceValue(func() *masker { return newMasker(g.retry) })
		g.masker = sync.OnceValue(func() *masker { return newMasker(g.masks) })
	}
	return rows
})

// grammarFor is the row for a file of a language, or nil.
func grammarFor(language, path string) *grammar {
	for _, g := range grammars() {
		if g.name == language && g.isFor(path) {
			return g
		}
	}
	return nil
}

func (g *grammar) isFor(path string) bool {
	return g.endings == nil || slices.ContainsFunc(g.endings, func(ending string) bool {
		return len(path) >= len(ending) && strings.EqualFold(path[len(path)-len(ending):], ending)
	})
}

// A role is what the engine does with a capture.
type role int

const (
	roleNone role = iota
	roleAttribute
	roleAttributeExported
	roleAttributeTest
	roleBody
	roleClass
	roleComment
	roleDefinition
	roleDoc
	roleDocAfter
	roleDocBefore
	roleEmbedded
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
	rolePrivateFrom
	rolePrivateName
	rolePublicFrom
	roleReceiver
	roleScope
	roleSpan
	roleTest
	roleValue
	// Those from here on are of references.
	roleBinding
	roleBindingElement
	roleBindingList
	roleBindingMember
	roleBindingProperty
	roleBindingScope
	roleBindingType
	roleBindingValue
	roleImportAlias
	roleImportModule
	roleImportName
	roleMemberMethod
	roleMemberSignature
	roleReference
	roleReferenceText
	roleResult
	roleResultValue
)

// roles are the names of captures; "definition.KIND", "reference.RELATION" and "embedded.LANGUAGE" come on top. Names that begin
// with "_" are for predicates alone.
var roles = map[string]role{
	"attribute":          roleAttribute,
	"attribute.test":     roleAttributeTest,
	"attribute.exported": roleAttributeExported,
	"body":               roleBody,
	"class":              roleClass,
	"comment":            roleComment,
	"doc":                roleDoc,
	"doc.after":          roleDocAfter,
	"doc.before":         roleDocBefore,
	"exported":           roleExported,
	"exported.name":      roleExportedName,
	"function":           roleFunction,
	"import":             roleImport,
	"local":              roleLocal,
	"name":               roleName,
	"open":               roleOpen,
	"package":            rolePackage,
	"prefix":             rolePrefix,
	"private":            rolePrivate,
	"private.from":       rolePrivateFrom,
	"private.name":       rolePrivateName,
	"public.from":        rolePublicFrom,
	"receiver":           roleReceiver,
	"scope":              roleScope,
	"span":               roleSpan,
	"test":               roleTest,
	"value":              roleValue,
	"binding":            roleBinding,
	"binding.element":    roleBindingElement,
	"binding.list":       roleBindingList,
	"binding.member":     roleBindingMember,
	"binding.property":   roleBindingProperty,
	"binding.scope":      roleBindingScope,
	"binding.type":       roleBindingType,
	"binding.value":      roleBindingValue,
	"import.alias":       roleImportAlias,
	"import.module":      roleImportModule,
	"import.name":        roleImportName,
	"member.method":      roleMemberMethod,
	"member.signature":   roleMemberSignature,
	"reference.text":     roleReferenceText,
	"result":             roleResult,
	"result.value":       roleResultValue,
}

// A program is a grammar's compiled query with the meaning of its captures.
type program struct {
	*query
	grammar *grammar
	roles   []role
	kinds   []kind   // of definition captures
	embeds  []string // languages of embedded captures
	// relations are those of reference captures.
	relations  []record.Relation
	grammarian grammarian
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
	q.care(g.scanner)
	p := &program{query: q, grammar: g, roles: make([]role, len(q.captures)), kinds: make([]kind, len(q.captures)), embeds: make([]string, len(q.captures)),
		relations: make([]record.Relation, len(q.captures)), grammarian: grammarian{marks: g.atoms, composites: g.composites, own: g.own, pronouns: g.pronouns, modules: g.modules}}
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
	if lang, ok := strings.CutPrefix(name, "embedded."); ok {
		p.roles[i], p.embeds[i] = roleEmbedded, lang
		return nil
	}
	if relation, ok := strings.CutPrefix(name, "reference."); ok && roles[name] == roleNone {
		p.roles[i], p.relations[i] = roleReference, record.Relation(relation)
		if !slices.Contains(record.Relations, record.Relation(relation)) {
			return fmt.Errorf("unknown relation %q", relation)
		}
		return nil
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
