// Package grammar is the table of the languages that have a grammar, with their queries and what the captures of these mean.
//
// # Queries
//
// A language is a tree-sitter grammar, a query in queries/ and a row in the tables of
// this package and of package language. What its query captures is all that the engine knows of it:
//
//	@definition.KIND  a declaration of a record.Kind; its span
//	@name             its name; of several in one match, all from the first to the last. All matches with the same @name node make one symbol: the kind is that of
//	                  the first pattern of the file, the span the widest
//	@span             a node around the definition that belongs to it: an export statement, an ungrouped "var"
//	@body             where the body begins; the signature ends before it
//	@value            an initialiser, left out of a signature that would become too long
//	@prefix           a word before the span with which the signature begins: "const" of a group
//	@function, @class a value, with its @body, that makes the definition whose @value it is a function (of
//	                  a field a method) or class. One without a block for its body counts as local data in
//	                  a function
//	@receiver         what qualifies the name: the type of a method declared outside of it, the labels of a
//	                  block. Several are joined
//	@scope            a node that is no symbol; its definitions are members of what its @receiver names: an
//	                  implementation or extension of a type
//	@doc              a doc comment inside the definition: a docstring. Comments directly above need no capture
//	@doc.before       a string or the like that documents what follows it: it counts as a comment
//	@doc.after        a comment that documents what ends directly before it
//	@exported         the definition is visible from outside
//	@exported.name    the name of a top-level definition that is made visible elsewhere
//	@private          the member is not visible
//	@private.name     the name of a member, declared in the same place, that is not visible
//	@private.from     what follows in the same body is not visible, until a @public.from
//	@test             the definition is test code
//	@local            a scope whose data are local though no function's name says so
//	@open             a @local that is none: the body of a namespace
//	@comment          any comment
//	@attribute        a decorator or attribute: it joins the definition that follows and is no part of its signature
//	@attribute.test   one that marks test code
//	@attribute.exported one that makes what it stands at visible
//	@embedded.LANG    text in another language, with symbols of its own; in the same language, between
//	                  brackets, it is read as if it stood there without them, unless it has syntax errors
//	@import           what is imported, with or without quotes; several in one match are one
//	@package          the name of the file's package; with (#set! repeated "join") several nest
//	@_anything        for predicates alone
//
// What the code names, and what of types the syntax tells, becomes record.Reference and record.Typing:
//
//	@reference.RELATION the expression or type that names what is called, used and so on; of several in one match, all from the
//	                  first to the last. Of those that end in one place the first pattern of the file tells the relation, and the widest
//	                  span counts. The names of definitions and their receivers are none
//	@reference.text   text that the grammar leaves as tokens: each name before a "(" is a call
//	@import.module    the module of one imported thing; several in one match are joined with "."
//	@import.name      what is taken from it, the module itself if there is none; without a module, what the file gives away
//	@import.alias     by what name the file knows it
//	@binding          the name of a parameter, variable or field, a list of names with commas, or a tuple of names in parentheses. It is a local in a function, @local or
//	                  @binding.scope from there to the end of the innermost of these, a field directly in a type, otherwise a variable of
//	                  the file. What is a symbol with a body is none. Of several of one name that counts which tells most
//	@binding.type     its type; of several names in one match, that of all
//	@binding.list     the type of its elements: of a parameter that takes any number of arguments
//	@binding.value    what it is set to; of several names that of the first, or one for each
//	@binding.element  that of which it is an element; of several names that of the last
//	@binding.property with one of these, the name of that member of it which it is: of "a" in "const {a} = b"
//	@binding.parts    the types of fields without names, in parentheses: those of the symbol around
//	@binding.member   as @binding, the name of a member of the object whose method is around it
//	@binding.scope    in a match with @binding, where that local is known; alone, a node at the end of which locals go
//	@result           the type of what the function around it returns, or for which the type around it stands
//	@result.value     an expression that it returns, of which the first ones count where no type is said
//	@parameters       the names of type parameters, in angle brackets: what has the type of one in the @parameters.scope is as its argument
//	@member.method    the name of a method that is no symbol, with its @member.signature, from parameters to result, and perhaps @result
//
// With (#set! module "./") that stands before the @import.module. With (#set! within "type") a @binding counts directly in a type alone, with (#set! within "function") as local alone.
//
// Captured text is turned into record.Expression without regard to the language (package expression), names of locals give way to what they
// hold (package extract), so that no local leaves the file.
//
// Predicates, each with a "not-" form: #eq?, #any-of?, #match? (avoid: slow), #constant-case? and #upper-case? (the first letter)
// on the text of a capture.
//
// (#set! within "file") keeps a pattern's definitions out of functions and local
// scopes; (#set! within "member") makes them members of the type around those, (#set! within "nothing") of nothing;
// (#set! within "type") lets them stand directly in a type alone;
// (#set! value "function") drops those whose @value is neither a @function nor a @class;
// (#set! member "KIND") is the kind where the definition stands in a type;
// (#set! most "N") drops all of a place that has more; (#set! name "=") ends a name before that text;
// (#set! repeated "join") makes one symbol of definitions of the same name and kind that follow each
// other, such as the clauses of a function; (#set! level "1") to "6" lets a definition reach to the next
// one of the same or a higher level, as headings and the stages of a build do. (#file? "GLOB" ...) limits a pattern to files of that base name.
//
// Roots of patterns should be small nodes: a pattern that begins at the file or at the body of a class is
// tried again at every node inside.
//
// The engine adds what is common: the enclosing definition is the parent, a function in a type
// is a method, data inside a function or a local scope is left out.
package grammar

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unsafe"

	clojure "github.com/alexaandru/go-sitter-forest/clojure"
	dart "github.com/alexaandru/go-sitter-forest/dart"
	dockerfile "github.com/alexaandru/go-sitter-forest/dockerfile"
	elixir "github.com/alexaandru/go-sitter-forest/elixir"
	erlang "github.com/alexaandru/go-sitter-forest/erlang"
	fortran "github.com/alexaandru/go-sitter-forest/fortran"
	graphql "github.com/alexaandru/go-sitter-forest/graphql"
	just "github.com/alexaandru/go-sitter-forest/just"
	makefile "github.com/alexaandru/go-sitter-forest/make"
	nix "github.com/alexaandru/go-sitter-forest/nix"
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

	"cortex/lib/parse/expression"
	"cortex/lib/parse/mask"
	"cortex/lib/parse/syntax"
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
	UpperCase
	// noUnderscore: the name does not begin with "_", or is like "__init__".
	NoUnderscore
	// marked: the pattern's @exported, of it and of all that it stands in.
	Marked
	// unmarked: the absence of @private and, but with @exported, of a @private.from above it.
	Unmarked
	// listed: as captured, but in a file that lists no @exported.name, all that is not
	// private and does not begin with "_".
	Listed
)

// A Grammar is one row of the table of languages that have one.
type Grammar struct {
	// Name is that of the language table.
	Name     string
	Language func() unsafe.Pointer
	// queries are files in queries/, joined in this order.
	queries    []string
	Visibility visibility
	// masks prepare the text for the grammar; retry those texts alone that it can't read
	// without errors, and count if there are fewer errors then.
	masks, Retry []mask.Mask
	// macros: words of a preprocessor are dropped before that.
	macros bool
	// Shell: names are words of a shell, and a text with errors is made one for bash, whatever its shell, before Retry.
	Shell bool
	// zsh: that is done with all texts.
	zsh bool
	// full: all declarations with kind, name, signature, documentation, imports and test code are
	// captured, not just what gives the file its structure.
	Full bool
	// assigns: a variable is declared by assigning to it, often more than once; the first counts.
	Assigns bool
	// atoms: a name may be written as :name.
	Atoms bool
	// symbols: a name has any characters but blanks and brackets, as in Lisp, and may stand behind its namespace and a slash.
	symbols bool
	// TestTag is the line of a comment above a function that marks it as a test.
	TestTag string
	// endings limit the row to paths that end so, in any case; such rows stand first.
	endings []string
	// ModulePath says that a file's package is its path with dots.
	ModulePath bool
	// composites: T{...} is a value of type T, not a call of T with a block.
	composites bool
	// own: types named List, Task and so on are no better known than others.
	own bool
	// arguments: a class can make its values stand for those of a type argument, as descriptors and pointers do.
	arguments expression.Arguments
	// pointers: see expression.Reader.
	pointers []string
	// pronouns are names that stand for the object or type around them, beside the usual ones: "this" or "super".
	pronouns map[string]string
	// modules are words that before a "::" name modules, and how they stand in a record.Expression.
	modules map[string]string
	scanner syntax.Scanner

	Compile func() (*Program, error)
	masker  func() *mask.Masker
	retrier func() *mask.Masker
}

// All is the table, by name. A query is compiled when the first file needs it.
var All = sync.OnceValue(func() []*Grammar {
	rows := []*Grammar{
		{Name: "bash", endings: []string{".bats"}, Language: bash.Language, queries: []string{"bash.scm"}, Visibility: Unmarked, Assigns: true, masks: batsMasks, Shell: true},
		{Name: "bash", endings: []string{".zsh", ".zsh-theme", ".zsh-template", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"}, Language: bash.Language,
			queries: []string{"bash.scm"}, Visibility: Unmarked, Assigns: true, Shell: true, zsh: true},
		{Name: "bash", Language: bash.Language, queries: []string{"bash.scm"}, Visibility: Unmarked, Assigns: true, Shell: true},
		{Name: "c", Language: c.Language, queries: []string{"c.scm"}, Visibility: Unmarked, macros: true, Full: true, composites: true},
		{Name: "clojure", Language: clojure.GetLanguage, queries: []string{"clojure.scm"}, Visibility: Unmarked, Atoms: true, symbols: true},
		{Name: "cpp", Language: cpp.Language, queries: []string{"cpp.scm", "c.scm"}, Visibility: Unmarked, macros: true, Full: true, composites: true, arguments: expression.OneArgument},
		{Name: "csharp", Language: csharp.Language, queries: []string{"csharp.scm"}, Visibility: Marked, Full: true, Retry: csharpRetry,
			pronouns: map[string]string{"base": "super"}},
		{Name: "css", Language: css.Language, queries: []string{"css.scm"}, Visibility: Unmarked},
		{Name: "dart", Language: dart.GetLanguage, queries: []string{"dart.scm"}, Visibility: NoUnderscore, masks: dartMasks},
		{Name: "dockerfile", Language: dockerfile.GetLanguage, queries: []string{"dockerfile.scm"}, Visibility: Unmarked, masks: dockerfileMasks, Retry: dockerfileRetry},
		{Name: "dtd", Language: xml.LanguageDTD, queries: []string{"dtd.scm"}, Visibility: Unmarked},
		{Name: "elixir", Language: elixir.GetLanguage, queries: []string{"elixir.scm"}, Visibility: Unmarked, Assigns: true, Atoms: true},
		{Name: "erlang", Language: erlang.GetLanguage, queries: []string{"erlang.scm"}, Visibility: Listed, Atoms: true},
		{Name: "fortran", endings: []string{".f", ".for", ".ftn", ".f77"}, Language: fortran.GetLanguage, queries: []string{"fortran.scm"}, Visibility: Listed, masks: fortranFixedMasks},
		{Name: "fortran", endings: []string{".fypp"}, Language: fortran.GetLanguage, queries: []string{"fortran.scm"}, Visibility: Listed, masks: fortranFyppMasks},
		{Name: "fortran", Language: fortran.GetLanguage, queries: []string{"fortran.scm"}, Visibility: Listed},
		{Name: "go", Language: golang.Language, queries: []string{"go.scm"}, Visibility: UpperCase, Full: true, composites: true, own: true},
		{Name: "graphql", Language: graphql.GetLanguage, queries: []string{"graphql.scm"}, Visibility: Unmarked},
		{Name: "haskell", Language: haskell.Language, queries: []string{"haskell.scm"}, Visibility: Listed, masks: haskellMasks},
		{Name: "hcl", Language: hcl.Language, queries: []string{"hcl.scm"}, Visibility: Unmarked},
		{Name: "html", Language: html.Language, queries: []string{"html.scm"}, Visibility: Unmarked, masks: htmlMasks},
		{Name: "java", Language: java.Language, queries: []string{"java.scm"}, Visibility: Marked, Full: true},
		{Name: "javascript", Language: javascript.Language, queries: []string{"ecmascript.scm", "javascript.scm", "jsx.scm"}, Visibility: captured, Assigns: true, Full: true, Retry: javascriptRetry},
		{Name: "json", Language: json.Language, queries: []string{"json.scm"}, Visibility: Unmarked, Retry: jsonRetry},
		{Name: "julia", Language: julia.Language, queries: []string{"julia.scm"}, Visibility: Listed, Assigns: true, Atoms: true},
		{Name: "just", Language: just.GetLanguage, queries: []string{"just.scm"}, Visibility: Unmarked},
		{Name: "kotlin", Language: kotlin.Language, queries: []string{"kotlin.scm"}, Visibility: Unmarked, Full: true,
			scanner: syntax.Scanner{Words: true, Recovery: []int{6, 10}}},
		{Name: "lua", Language: lua.Language, queries: []string{"lua.scm"}, Visibility: captured, Assigns: true},
		{Name: "makefile", endings: []string{".am"}, Language: makefile.GetLanguage, queries: []string{"makefile.scm"}, Visibility: Unmarked, Assigns: true, masks: makefileAmMasks, Retry: makeRetry},
		{Name: "makefile", endings: []string{".in"}, Language: makefile.GetLanguage, queries: []string{"makefile.scm"}, Visibility: Unmarked, Assigns: true, masks: []mask.Mask{makeConfigured, makeAssign}, Retry: makeRetry},
		{Name: "makefile", Language: makefile.GetLanguage, queries: []string{"makefile.scm"}, Visibility: Unmarked, Assigns: true, masks: []mask.Mask{makeAssign}, Retry: makeRetry},
		{Name: "nix", Language: nix.GetLanguage, queries: []string{"nix.scm"}, Visibility: Unmarked},
		{Name: "ocaml", endings: []string{".mli"}, Language: ocaml.LanguageOCamlInterface, queries: []string{"ocaml.scm"}, Visibility: Unmarked},
		{Name: "ocaml", Language: ocaml.LanguageOCaml, queries: []string{"ocaml.scm"}, Visibility: Unmarked},
		{Name: "pascal", Language: pascal.GetLanguage, queries: []string{"pascal.scm"}, Visibility: Listed, masks: pascalMasks},
		{Name: "php", Language: php.LanguagePHP, queries: []string{"php.scm"}, Visibility: Unmarked, Assigns: true, Full: true, TestTag: "@test",
			pronouns: map[string]string{"parent": "super", "static": "this"}},
		{Name: "protobuf", Language: proto.GetLanguage, queries: []string{"protobuf.scm"}, Visibility: Unmarked},
		{Name: "python", Language: python.Language, queries: []string{"python.scm"}, Visibility: NoUnderscore, Assigns: true, Full: true, ModulePath: true, arguments: expression.OneArgument},
		{Name: "r", Language: r.GetLanguage, queries: []string{"r.scm"}, Visibility: Unmarked, Assigns: true},
		{Name: "ruby", endings: []string{".rake", "rakefile", "rakefile.rb", ".cap", "capfile"}, Language: ruby.Language, queries: []string{"ruby.scm", "rake.scm"}, Visibility: Unmarked, Assigns: true, Atoms: true, Full: true},
		{Name: "ruby", Language: ruby.Language, queries: []string{"ruby.scm"}, Visibility: Unmarked, Assigns: true, Atoms: true, Full: true},
		{Name: "rust", Language: rust.Language, queries: []string{"rust.scm"}, Visibility: Marked, Full: true, composites: true, arguments: expression.AllArguments,
			pointers: []string{"Arc", "Box", "Cow", "Mutex", "Pin", "Rc", "RefCell", "RwLock"},
			modules:  map[string]string{"self": "crate.self", "super": "crate.super"}},
		{Name: "scala", Language: scala.Language, queries: []string{"scala.scm"}, Visibility: Unmarked, Full: true},
		{Name: "solidity", Language: solidity.GetLanguage, queries: []string{"solidity.scm"}, Visibility: Unmarked},
		{Name: "sql", Language: sql.GetLanguage, queries: []string{"sql.scm"}, Visibility: Unmarked, masks: sqlMasks},
		{Name: "svelte", Language: html.Language, queries: []string{"html.scm"}, Visibility: Unmarked, masks: svelteMasks},
		{Name: "swift", Language: swift.GetLanguage, queries: []string{"swift.scm"}, Visibility: Unmarked, Full: true, masks: swiftMasks},
		{Name: "toml", Language: toml.Language, queries: []string{"toml.scm"}, Visibility: Unmarked},
		{Name: "tsx", Language: typescript.LanguageTSX, queries: []string{"ecmascript.scm", "typescript.scm", "jsx.scm"}, Visibility: captured, Assigns: true, Full: true, Retry: typescriptRetry},
		{Name: "typescript", Language: typescript.LanguageTypescript, queries: []string{"ecmascript.scm", "typescript.scm"}, Visibility: captured, Assigns: true, Full: true, Retry: typescriptRetry},
		{Name: "vue", Language: html.Language, queries: []string{"html.scm"}, Visibility: Unmarked, masks: vueMasks},
		{Name: "xml", endings: []string{"pom.xml", ".pom"}, Language: xml.LanguageXML, queries: []string{"xml.scm", "xml_maven.scm"}, Visibility: Unmarked},
		{Name: "xml", endings: []string{"proj", ".props", ".targets", ".nuspec", "packages.config"}, Language: xml.LanguageXML,
			queries: []string{"xml.scm", "xml_msbuild.scm"}, Visibility: Unmarked},
		{Name: "xml", Language: xml.LanguageXML, queries: []string{"xml.scm"}, Visibility: Unmarked},
		{Name: "yaml", Language: yaml.Language, queries: []string{"yaml.scm"}, Visibility: Unmarked, Retry: yamlRetry},
		{Name: "zig", endings: []string{".zon"}, Language: zig.Language, queries: []string{"zon.scm"}, Visibility: Unmarked, masks: zonMasks},
		{Name: "zig", Language: zig.Language, queries: []string{"zig.scm"}, Visibility: Marked},
	}
	for _, g := range rows {
		g.Compile = sync.OnceValues(g.Program)
		g.retrier = sync.OnceValue(func() *mask.Masker { return mask.New(g.Retry) })
		g.masker = sync.OnceValue(func() *mask.Masker { return mask.New(g.masks) })
	}
	return rows
})

// For is the row for a file of a language, or nil.
func For(language, path string) *Grammar {
	for _, g := range All() {
		if g.Name == language && g.isFor(path) {
			return g
		}
	}
	return nil
}

func (g *Grammar) isFor(path string) bool {
	return g.endings == nil || slices.ContainsFunc(g.endings, func(ending string) bool {
		return len(path) >= len(ending) && strings.EqualFold(path[len(path)-len(ending):], ending)
	})
}

// A role is what the engine does with a capture.
type role int

const (
	RoleNone role = iota
	RoleAttribute
	RoleAttributeExported
	RoleAttributeTest
	RoleBody
	RoleClass
	RoleComment
	RoleDefinition
	RoleDoc
	RoleDocAfter
	RoleDocBefore
	RoleEmbedded
	RoleExported
	RoleExportedName
	RoleFunction
	RoleImport
	RoleLocal
	RoleName
	RoleOpen
	RolePackage
	RolePrefix
	RolePrivate
	RolePrivateFrom
	RolePrivateName
	RolePublicFrom
	RoleReceiver
	RoleScope
	RoleSpan
	RoleTest
	RoleValue
	// Those from here on are of references.
	RoleBinding
	RoleBindingElement
	RoleBindingList
	RoleBindingMember
	RoleBindingParts
	RoleBindingProperty
	RoleBindingScope
	RoleBindingType
	RoleBindingValue
	RoleImportAlias
	RoleImportModule
	RoleImportName
	RoleMemberMethod
	RoleMemberSignature
	RoleParameters
	RoleParametersScope
	RoleReference
	RoleReferenceText
	RoleResult
	RoleResultValue
)

// roles are the names of captures; "definition.KIND", "reference.RELATION" and "embedded.LANGUAGE" come on top. Names that begin
// with "_" are for predicates alone.
var roles = map[string]role{
	"attribute":          RoleAttribute,
	"attribute.test":     RoleAttributeTest,
	"attribute.exported": RoleAttributeExported,
	"body":               RoleBody,
	"class":              RoleClass,
	"comment":            RoleComment,
	"doc":                RoleDoc,
	"doc.after":          RoleDocAfter,
	"doc.before":         RoleDocBefore,
	"exported":           RoleExported,
	"exported.name":      RoleExportedName,
	"function":           RoleFunction,
	"import":             RoleImport,
	"local":              RoleLocal,
	"name":               RoleName,
	"open":               RoleOpen,
	"package":            RolePackage,
	"prefix":             RolePrefix,
	"private":            RolePrivate,
	"private.from":       RolePrivateFrom,
	"private.name":       RolePrivateName,
	"public.from":        RolePublicFrom,
	"receiver":           RoleReceiver,
	"scope":              RoleScope,
	"span":               RoleSpan,
	"test":               RoleTest,
	"value":              RoleValue,
	"binding":            RoleBinding,
	"binding.element":    RoleBindingElement,
	"binding.list":       RoleBindingList,
	"binding.member":     RoleBindingMember,
	"binding.parts":      RoleBindingParts,
	"binding.property":   RoleBindingProperty,
	"binding.scope":      RoleBindingScope,
	"binding.type":       RoleBindingType,
	"binding.value":      RoleBindingValue,
	"import.alias":       RoleImportAlias,
	"import.module":      RoleImportModule,
	"import.name":        RoleImportName,
	"member.method":      RoleMemberMethod,
	"member.signature":   RoleMemberSignature,
	"parameters":         RoleParameters,
	"parameters.scope":   RoleParametersScope,
	"reference.text":     RoleReferenceText,
	"result":             RoleResult,
	"result.value":       RoleResultValue,
}

// A Program is a grammar's compiled query with the meaning of its captures.
type Program struct {
	*syntax.Query
	Grammar *Grammar
	Roles   []role
	Kinds   []record.Kind // of definition captures
	Embeds  []string      // languages of embedded captures
	// Relations are those of reference captures.
	Relations []record.Relation
	Reader    expression.Reader
}

func (g *Grammar) Program() (*Program, error) {
	var source strings.Builder
	for _, name := range g.queries {
		data, err := queries.ReadFile("queries/" + name)
		if err != nil {
			return nil, err
		}
		source.Write(data)
	}
	q, err := syntax.Compile(g.Language(), source.String())
	if err != nil {
		return nil, fmt.Errorf("query of %s: %w", g.Name, err)
	}
	q.Care(g.scanner)
	p := &Program{Query: q, Grammar: g, Roles: make([]role, len(q.Captures)), Kinds: make([]record.Kind, len(q.Captures)), Embeds: make([]string, len(q.Captures)),
		Relations: make([]record.Relation, len(q.Captures)), Reader: expression.Reader{Marks: g.Atoms, Symbols: g.symbols, Words: g.Shell, Composites: g.composites, Own: g.own, Arguments: g.arguments, Pointers: setOf(g.pointers), Pronouns: g.pronouns, Modules: g.modules}}
	for i, name := range q.Captures {
		if err := p.assign(i, name); err != nil {
			return nil, fmt.Errorf("query of %s: %w", g.Name, err)
		}
	}
	return p, nil
}

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// assign gives capture i its role.
func (p *Program) assign(i int, name string) error {
	if k, ok := strings.CutPrefix(name, "definition."); ok {
		p.Roles[i], p.Kinds[i] = RoleDefinition, record.Kind(k)
		if !slices.Contains(record.Kinds, record.Kind(k)) {
			return fmt.Errorf("unknown kind %q", k)
		}
		return nil
	}
	if lang, ok := strings.CutPrefix(name, "embedded."); ok {
		p.Roles[i], p.Embeds[i] = RoleEmbedded, lang
		return nil
	}
	if relation, ok := strings.CutPrefix(name, "reference."); ok && roles[name] == RoleNone {
		p.Roles[i], p.Relations[i] = RoleReference, record.Relation(relation)
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
	p.Roles[i] = r
	return nil
}

// Prepare is text as the grammar reads it.
func (g *Grammar) Prepare(text string) string {
	if g.macros {
		text = mask.WithoutMacros(text)
	}
	if g.zsh {
		text = mask.PlainShell(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n" // some grammars miss the end of the last line
	}
	return g.masker().Mask(text)
}

// Again is prepared text, which the grammar cannot read, as it may read it better.
func (g *Grammar) Again(text string) string {
	if g.Shell && !g.zsh {
		text = mask.PlainShell(text)
	}
	return g.retrier().Mask(text)
}

// HasAgain reports whether Again may make another text.
func (g *Grammar) HasAgain() bool { return g.Shell && !g.zsh || g.Retry != nil }

var definitions = regexp.MustCompile(`@definition\.(\w+)`)

// Tiers are the tiers that the kinds in the queries can fill.
func (g *Grammar) Tiers() []record.ChunkType {
	var declares, holds bool
	for _, name := range g.queries {
		data, err := queries.ReadFile("queries/" + name)
		if err != nil {
			continue // a test reads all
		}
		for _, m := range definitions.FindAllSubmatch(data, -1) {
			switch k := record.Kind(m[1]); {
			case k.IsCallable() || k.IsType():
				declares = true
			case k != record.Module:
				holds = true
			}
		}
	}
	tiers := []record.ChunkType{record.Symbols}
	if declares {
		tiers = append(tiers, record.Definitions)
	}
	if holds {
		tiers = append(tiers, record.Data)
	}
	return append(tiers, record.Implementations)
}

// Version is the module and version of the grammar, from the build information of the program.
func (g *Grammar) Version() string {
	function := runtime.FuncForPC(reflect.ValueOf(g.Language).Pointer()).Name()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	best := ""
	for _, module := range info.Deps {
		if strings.HasPrefix(function, module.Path+"/") || strings.HasPrefix(function, module.Path+".") {
			best = module.Path[strings.LastIndexByte(module.Path, '/')+1:] + " " + strings.TrimPrefix(module.Version, "v")
		}
	}
	return best
}

// Describe writes all that shapes what is found in the same bytes.
func Describe(w io.Writer) {
	for _, g := range All() {
		fmt.Fprintf(w, "%s %q %d %t %t %t %t %t %t %v %v\n", g.Name, g.queries, g.Visibility, g.Assigns, g.Atoms, g.symbols, g.macros, g.Shell, g.zsh, g.masks, g.Retry)
	}
	// The queries are embedded; that they can be read is tested.
	_ = fs.WalkDir(queries, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := queries.ReadFile(path)
		fmt.Fprintf(w, "%s %d\n%s", path, len(data), data)
		return err
	})
}
