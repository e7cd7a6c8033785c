// Package grammar has the table of languages that have a grammar, with their queries. For returns the row of a file,
// and Grammar.Compile its compiled query with the role of each capture. Open grammar.go first; masks.go has the masks.
//
// # Queries
//
// A language is a tree-sitter grammar, a query in queries/ and a row in the tables of this package and of package
// language. The engine knows nothing of a language but the captures of its query:
//
//	@definition.KIND  the span of a declaration of that record.Kind
//	@name             its name; several in one match count as one, from the start of the first to the end of the last. All
//	                  matches with the same @name node make one symbol, with the kind of the first pattern of the file and
//	                  the widest span
//	@span             a node around the definition that belongs to it: an export statement, an ungrouped "var"
//	@body             the body, before which the signature ends
//	@value            an initialiser, left out of a signature that would become too long
//	@prefix           a word before the span with which the signature begins: "const" of a group
//	@function, @class a value, with its @body. The definition with this @value becomes a function (a field becomes a method)
//	                  or class. In a function, one without a block as its body counts as local data
//	@receiver         the qualifier of the name: the type of a method declared outside of the type, the labels of a block.
//	                  Several are joined
//	@scope            a node that is no symbol, such as an implementation or extension of a type: its definitions are
//	                  members of the type that its @receiver names; without one in a function, of the type that it returns
//	@doc              a documentation comment inside the definition: a docstring. Comments directly above need no capture
//	@doc.before       a string or the like that documents what follows it: it counts as a comment
//	@doc.after        a comment that documents what ends directly before it
//	@exported         the definition is visible to other files
//	@exported.name    the name of a top-level definition, in a statement elsewhere that exports it
//	@private          the member is not visible
//	@private.name     the name of a member that is not visible, in a statement in the same body
//	@private.from     the members that follow in the same body are not visible, until a @public.from
//	@test             the definition is test code
//	@local            a scope whose data are local although it is no function
//	@open             an exception to @local: the body of a namespace
//	@comment          any comment
//	@attribute        a decorator or attribute: part of the definition that follows, but not of its signature
//	@attribute.test   an attribute that marks test code
//	@attribute.exported an attribute that makes its definition visible
//	@embedded.LANG    text in another language, with symbols of its own. Text of the same language in brackets is read as if
//	                  the brackets were not there, unless it has syntax errors
//	@import           the name of an import, with or without quotes; several in one match are one
//	@package          the name of the file's package; with (#set! repeated "join") several nest
//	@_anything        only for predicates
//
// Captures for references (record.Reference) and for types of names (record.Typing):
//
//	@reference.RELATION an expression or type that is called, used and so on; several in one match count as one, from the
//	                  start of the first to the end of the last. Of captures that end at the same byte, the first pattern of
//	                  the file gives the relation, and the widest span counts. Names and receivers of definitions are no
//	                  references
//	@reference.text   text that the grammar leaves as tokens: each name before a "(" is a call
//	@import.module    the module of an import; several in one match are joined with "."
//	@import.name      the name imported from the module; without it, the module itself. Without a module, a name that the
//	                  file exports
//	@import.alias     the local name of the import
//	@binding          the name of a parameter, variable or field, a list of names with commas, or a tuple of names in
//	                  parentheses. In a function, @local or @binding.scope it is a local, visible up to the end of the
//	                  innermost of these; directly in a type it is a field; otherwise a variable of the file. Names of
//	                  functions and types are no bindings. Of several bindings of one name node, the best counts: one with a
//	                  type before one with a value
//	@binding.type     its type; in a match with several names, the type of all
//	@binding.list     the type of its elements, for a parameter that takes any number of arguments
//	@binding.value    its value; in a match with several names, the value of the first, or a list with one for each
//	@binding.element  a value of which it is an element; in a match with several names, only the last is
//	@binding.property with a value or element: the name is bound to this member of it, as "a" in "const {a} = b"
//	@binding.parts    the types of unnamed fields of the enclosing symbol, in parentheses
//	@binding.member   a @binding that is a member of the object whose method encloses it
//	@binding.scope    in a match with @binding, the node in which the local is visible; alone, a node at whose end locals end
//	@result           the result type of the enclosing function, or the type for which the enclosing alias stands
//	@result.value     an expression that the function returns; the first ones count if no type is declared
//	@extended         the type as whose member the enclosing function can be called
//	@parameters       the names of type parameters, in angle brackets: in the @parameters.scope, a value of such a type is
//	                  written with the number of the parameter
//	@member.method    the name of a method that is no symbol, with its @member.signature, from parameters to result, and
//	                  optionally a @result
//
// (#set! module "./") is a prefix of the @import.module. With (#set! within "type"), a @binding counts only directly in
// a type; with (#set! within "function"), only as a local.
//
// Package expression converts the captured text to record.Expression in the same way for all languages. Package extract
// replaces the names of locals by their values, so that no local appears outside of its file.
//
// Predicates on the text of a capture, each with a "not-" form: #eq?, #any-of?, #match? (avoid: slow), #constant-case?
// and #upper-case? (the first letter). (#file? "GLOB" ...) limits a pattern to files whose base name matches.
//
// Settings of a pattern's definitions:
//
//	(#set! within "file")      they count only outside of functions and local scopes
//	(#set! within "member")    they are members of the innermost type around them, even within a function
//	(#set! within "nothing")   they have no parent
//	(#set! within "type")      they count only directly in a type
//	(#set! value "function")   those with a @value count only if it is a @function or a @class
//	(#set! member "KIND")      the kind of those in a type
//	(#set! most "N")           none of those in one parent count if there are more than N
//	(#set! name "=")           the name ends before that text
//	(#set! repeated "join")    consecutive ones of the same name and kind, such as the clauses of a function, make one symbol
//	(#set! level "1")          to "6": they extend to the next one of the same or a higher level, as headings do
//
// Roots of patterns should be small nodes: a pattern that begins at the file or at the body of a class is tried again
// at every node inside.
//
// The engine adds the rules that all languages share: the enclosing definition is the parent, a function in a type is a
// method, data in a function or a local scope is left out.
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
	objc "github.com/alexaandru/go-sitter-forest/objc"
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
	"cortex/lib/parse/shell"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

//go:embed queries/*.scm
var queries embed.FS

// A visibility is the rule by which definitions of a language are exported.
type visibility int

const (
	// captured: it has @exported, or is a member of an exported type and has no @private.
	captured visibility = iota
	// UpperCase: the name begins with a capital.
	UpperCase
	// NoUnderscore: the name does not begin with "_", or is like "__init__".
	NoUnderscore
	// Marked: it has @exported, and so have all definitions around it.
	Marked
	// Unmarked: it has no @private, and either has @exported or follows no @private.from.
	Unmarked
	// Listed: as captured; in a file without any @exported.name, it has no @private and the name does not begin with
	// "_".
	Listed
)

// A Grammar is one row of the table: a grammar with its query and the properties of its language.
type Grammar struct {
	// Name is the name of the language in package language.
	Name     string
	Language func() unsafe.Pointer
	// queries lists files in queries/, joined in this order.
	queries    []string
	Visibility visibility
	// masks are applied to every text before parsing. Retry is applied only to texts with syntax errors; the result
	// counts if it has fewer errors.
	masks, Retry []mask.Mask
	// macros: mask.WithoutMacros is applied before the masks.
	macros bool
	// items: mask.PlainItems is applied before the masks.
	items bool
	// annotations: mask.PlainAnnotations is applied before the masks.
	annotations bool
	// nowdocs: mask.PlainNowdocs is applied before the masks.
	nowdocs bool
	// Shell: names are words of a shell, and shell.Plain is applied to texts with errors before Retry.
	Shell bool
	// zsh: shell.Plain is applied to all texts.
	zsh bool
	// decorators: mask.PlainDecorators is applied to texts with errors before Retry.
	decorators bool
	// Full: the query captures all declarations, with documentation, imports and test code, not only the structure of
	// the file.
	Full bool
	// Assigns: an assignment declares a variable; of several, the first counts.
	Assigns bool
	// Atoms: a name may be written as :name, and may end with "?" or "!".
	Atoms bool
	// symbols: names are those of Lisp, with any characters but blanks and brackets; a namespace and a slash may
	// precede.
	symbols bool
	// Selectors: the name of a method is its selector, with a ":" behind each label.
	Selectors bool
	// Sigils has the characters in front of the declared name of a member that its uses leave out: $name in PHP, used as
	// $this->name.
	Sigils string
	// TestTag is a line of documentation that marks a function as a test.
	TestTag string
	// endings limits the row to paths with one of these endings, ignoring case. Such rows come first.
	endings []string
	// ModulePath: the package of a file is its path with dots.
	ModulePath bool
	// See the fields of the same names in expression.Reader.
	composites bool
	own        bool
	arguments  expression.Arguments
	pointers   []string
	pronouns   map[string]string
	modules    map[string]string
	scanner    syntax.Scanner

	Compile func() (*Program, error)
	masker  func() *mask.Masker
	retrier func() *mask.Masker
}

// All returns the table, sorted by name. A query is compiled when the first file needs it.
var All = sync.OnceValue(func() []*Grammar {
	rows := []*Grammar{
		{Name: "bash", endings: []string{".bats"}, Language: bash.Language, queries: []string{"bash.scm"}, Visibility: Unmarked, Assigns: true, masks: batsMasks, Shell: true, Retry: shellRetry},
		{Name: "bash", endings: []string{".zsh", ".zsh-theme", ".zsh-template", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"}, Language: bash.Language,
			queries: []string{"bash.scm"}, Visibility: Unmarked, Assigns: true, Shell: true, Retry: shellRetry, zsh: true},
		{Name: "bash", Language: bash.Language, queries: []string{"bash.scm"}, Visibility: Unmarked, Assigns: true, Shell: true, Retry: shellRetry},
		{Name: "c", Language: c.Language, queries: []string{"c.scm"}, Visibility: Unmarked, macros: true, Full: true, composites: true},
		{Name: "clojure", Language: clojure.GetLanguage, queries: []string{"clojure.scm"}, Visibility: Unmarked, Atoms: true, symbols: true},
		{Name: "cpp", Language: cpp.Language, queries: []string{"cpp.scm", "c.scm"}, Visibility: Unmarked, macros: true, Full: true, composites: true, arguments: expression.PlainArguments},
		{Name: "csharp", Language: csharp.Language, queries: []string{"csharp.scm"}, Visibility: Marked, Full: true, arguments: expression.PlainArguments, Retry: csharpRetry,
			pronouns: map[string]string{"base": "super"}},
		{Name: "css", Language: css.Language, queries: []string{"css.scm"}, Visibility: Unmarked, masks: cssMasks},
		{Name: "dart", Language: dart.GetLanguage, queries: []string{"dart.scm"}, Visibility: NoUnderscore, masks: dartMasks},
		{Name: "dockerfile", Language: dockerfile.GetLanguage, queries: []string{"dockerfile.scm"}, Visibility: Unmarked, masks: dockerfileMasks, Retry: dockerfileRetry},
		{Name: "dtd", Language: xml.LanguageDTD, queries: []string{"dtd.scm"}, Visibility: Unmarked},
		{Name: "elixir", Language: elixir.GetLanguage, queries: []string{"elixir.scm"}, Visibility: Unmarked, Assigns: true, Atoms: true},
		{Name: "erlang", Language: erlang.GetLanguage, queries: []string{"erlang.scm"}, Visibility: Listed, Atoms: true},
		{Name: "fortran", endings: []string{".f", ".for", ".ftn", ".f77"}, Language: fortran.GetLanguage, queries: []string{"fortran.scm"}, Visibility: Listed, masks: fortranFixedMasks},
		{Name: "fortran", endings: []string{".fypp"}, Language: fortran.GetLanguage, queries: []string{"fortran.scm"}, Visibility: Listed, masks: fortranFyppMasks},
		{Name: "fortran", Language: fortran.GetLanguage, queries: []string{"fortran.scm"}, Visibility: Listed, masks: fortranMasks, Retry: fortranRetry},
		{Name: "go", Language: golang.Language, queries: []string{"go.scm"}, Visibility: UpperCase, Full: true, composites: true, own: true},
		{Name: "graphql", Language: graphql.GetLanguage, queries: []string{"graphql.scm"}, Visibility: Unmarked, masks: graphqlMasks},
		{Name: "haskell", Language: haskell.Language, queries: []string{"haskell.scm"}, Visibility: Listed, masks: haskellMasks},
		{Name: "hcl", Language: hcl.Language, queries: []string{"hcl.scm"}, Visibility: Unmarked},
		{Name: "html", Language: html.Language, queries: []string{"html.scm"}, Visibility: Unmarked, masks: htmlMasks},
		{Name: "java", Language: java.Language, queries: []string{"java.scm"}, Visibility: Marked, Full: true, arguments: expression.PlainArguments},
		{Name: "javascript", Language: javascript.Language, queries: []string{"ecmascript.scm", "javascript.scm", "jsx.scm"}, Visibility: captured, Assigns: true, Full: true, decorators: true, Retry: javascriptRetry},
		{Name: "json", Language: json.Language, queries: []string{"json.scm"}, Visibility: Unmarked, Retry: jsonRetry},
		{Name: "julia", Language: julia.Language, queries: []string{"julia.scm"}, Visibility: Listed, Assigns: true, Atoms: true},
		{Name: "just", Language: just.GetLanguage, queries: []string{"just.scm"}, Visibility: Unmarked},
		{Name: "kotlin", Language: kotlin.Language, queries: []string{"kotlin.scm"}, Visibility: Unmarked, annotations: true, Full: true, arguments: expression.PlainArguments, masks: kotlinMasks, Retry: kotlinRetry,
			scanner: syntax.Scanner{Words: true, Recovery: []int{6, 10}}},
		{Name: "lua", Language: lua.Language, queries: []string{"lua.scm"}, Visibility: captured, Assigns: true, Retry: luaRetry},
		{Name: "makefile", endings: []string{".am"}, Language: makefile.GetLanguage, queries: []string{"makefile.scm"}, Visibility: Unmarked, Assigns: true, masks: makefileAmMasks, Retry: makeRetry},
		{Name: "makefile", endings: []string{".in"}, Language: makefile.GetLanguage, queries: []string{"makefile.scm"}, Visibility: Unmarked, Assigns: true, masks: []mask.Mask{makeConfigured, makeAssign, makeContinued}, Retry: makeRetry},
		{Name: "makefile", Language: makefile.GetLanguage, queries: []string{"makefile.scm"}, Visibility: Unmarked, Assigns: true, masks: []mask.Mask{makeAssign, makeContinued}, Retry: makeRetry},
		{Name: "nix", Language: nix.GetLanguage, queries: []string{"nix.scm"}, Visibility: Unmarked, masks: nixMasks},
		{Name: "objectivec", Language: objc.GetLanguage, queries: []string{"objectivec.scm", "c.scm"}, Visibility: Unmarked, Full: true, Selectors: true, composites: true, pronouns: map[string]string{"instancetype": "this"}, masks: objectiveCMasks, Retry: objectiveCRetry},
		{Name: "ocaml", endings: []string{".mli"}, Language: ocaml.LanguageOCamlInterface, queries: []string{"ocaml.scm"}, Visibility: Unmarked, masks: ocamlMasks},
		{Name: "ocaml", Language: ocaml.LanguageOCaml, queries: []string{"ocaml.scm"}, Visibility: Unmarked, masks: ocamlMasks},
		{Name: "pascal", Language: pascal.GetLanguage, queries: []string{"pascal.scm"}, Visibility: Listed, masks: pascalMasks},
		{Name: "php", Language: php.LanguagePHP, queries: []string{"php.scm"}, Visibility: Unmarked, nowdocs: true, Assigns: true, Full: true, Sigils: "$", TestTag: "@test",
			pronouns: map[string]string{"parent": "super", "static": "this"}},
		{Name: "protobuf", Language: proto.GetLanguage, queries: []string{"protobuf.scm"}, Visibility: Unmarked},
		{Name: "python", Language: python.Language, queries: []string{"python.scm"}, Visibility: NoUnderscore, Assigns: true, Full: true, ModulePath: true, arguments: expression.PlainArguments},
		{Name: "r", Language: r.GetLanguage, queries: []string{"r.scm"}, Visibility: Unmarked, Assigns: true},
		{Name: "ruby", endings: []string{".rake", "rakefile", "rakefile.rb", ".cap", "capfile"}, Language: ruby.Language, queries: []string{"ruby.scm", "rake.scm"}, Visibility: Unmarked, Assigns: true, Atoms: true, Full: true, Sigils: "@"},
		{Name: "ruby", Language: ruby.Language, queries: []string{"ruby.scm"}, Visibility: Unmarked, Assigns: true, Atoms: true, Full: true, Sigils: "@"},
		{Name: "rust", Language: rust.Language, queries: []string{"rust.scm"}, Visibility: Marked, items: true, Full: true, composites: true, arguments: expression.AllArguments,
			pointers: []string{"Arc", "Box", "Cow", "Mutex", "Pin", "Rc", "RefCell", "RwLock"},
			modules:  map[string]string{"self": "crate.self", "super": "crate.super"}},
		{Name: "scala", Language: scala.Language, queries: []string{"scala.scm"}, Visibility: Unmarked, Full: true, masks: scalaMasks, Retry: scalaRetry},
		{Name: "solidity", Language: solidity.GetLanguage, queries: []string{"solidity.scm"}, Visibility: Unmarked, masks: solidityMasks},
		{Name: "sql", Language: sql.GetLanguage, queries: []string{"sql.scm"}, Visibility: Unmarked, masks: sqlMasks},
		{Name: "svelte", Language: html.Language, queries: []string{"html.scm"}, Visibility: Unmarked, masks: svelteMasks},
		{Name: "swift", Language: swift.GetLanguage, queries: []string{"swift.scm"}, Visibility: Unmarked, Full: true, masks: swiftMasks},
		{Name: "toml", Language: toml.Language, queries: []string{"toml.scm"}, Visibility: Unmarked},
		{Name: "tsx", Language: typescript.LanguageTSX, queries: []string{"ecmascript.scm", "typescript.scm", "jsx.scm"}, Visibility: captured, Assigns: true, Full: true, arguments: expression.PlainArguments, decorators: true, Retry: typescriptRetry},
		{Name: "typescript", Language: typescript.LanguageTypescript, queries: []string{"ecmascript.scm", "typescript.scm"}, Visibility: captured, Assigns: true, Full: true, arguments: expression.PlainArguments, decorators: true, Retry: typescriptRetry},
		{Name: "vue", Language: html.Language, queries: []string{"html.scm"}, Visibility: Unmarked, masks: vueMasks},
		{Name: "xml", endings: []string{"pom.xml", ".pom"}, Language: xml.LanguageXML, queries: []string{"xml.scm", "xml_maven.scm"}, Visibility: Unmarked},
		{Name: "xml", endings: []string{"proj", ".props", ".targets", ".nuspec", "packages.config"}, Language: xml.LanguageXML,
			queries: []string{"xml.scm", "xml_msbuild.scm"}, Visibility: Unmarked},
		{Name: "xml", Language: xml.LanguageXML, queries: []string{"xml.scm"}, Visibility: Unmarked},
		{Name: "yaml", Language: yaml.Language, queries: []string{"yaml.scm"}, Visibility: Unmarked, Retry: yamlRetry},
		{Name: "zig", endings: []string{".zon"}, Language: zig.Language, queries: []string{"zon.scm"}, Visibility: Unmarked, masks: zonMasks},
		{Name: "zig", Language: zig.Language, queries: []string{"zig.scm"}, Visibility: Marked, masks: zigMasks},
	}
	for _, g := range rows {
		g.Compile = sync.OnceValues(g.Program)
		g.retrier = sync.OnceValue(func() *mask.Masker { return mask.New(g.Retry) })
		g.masker = sync.OnceValue(func() *mask.Masker { return mask.New(g.masks) })
	}
	return rows
})

// For returns the row for a file of a language, nil if the language has no grammar.
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

// A role is the meaning of a capture; see the package comment.
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
	// The roles from here on are for references and typings.
	RoleBinding
	RoleBindingElement
	RoleBindingEntered
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
	RoleExtended
)

// roles has the roles of captures by name. "definition.KIND", "reference.RELATION", "embedded.LANGUAGE" and names that
// begin with "_" are handled in assign.
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
	"binding.entered":    RoleBindingEntered,
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
	"extended":           RoleExtended,
}

// A Program is a grammar's compiled query. The slices have one element for each capture.
type Program struct {
	*syntax.Query
	Grammar *Grammar
	Roles   []role
	Kinds   []record.Kind // kinds of definition captures
	Embeds  []string      // languages of embedded captures
	// Relations has the relations of reference captures.
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
		Relations: make([]record.Relation, len(q.Captures)), Reader: expression.Reader{Marks: g.Atoms, Symbols: g.symbols, Words: g.Shell, Selectors: g.Selectors, Composites: g.composites, Own: g.own, Arguments: g.arguments, Pointers: setOf(g.pointers), Pronouns: g.pronouns, Modules: g.modules}}
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

// Prepare returns the text to parse: masked, and with a line end.
func (g *Grammar) Prepare(text string) string {
	if g.macros {
		text = mask.WithoutMacros(text)
	}
	if g.items {
		text = mask.PlainItems(text)
	}
	if g.annotations {
		text = mask.PlainAnnotations(text)
	}
	if g.nowdocs {
		text = mask.PlainNowdocs(text)
	}
	if g.zsh {
		text = shell.Plain(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n" // some grammars miss the end of the last line
	}
	return g.masker().Mask(text)
}

// Again returns prepared text, which has syntax errors, with further parts masked, so that it may have fewer.
func (g *Grammar) Again(text string) string {
	if g.Shell && !g.zsh {
		text = shell.Plain(text)
	}
	if g.decorators {
		text = mask.PlainDecorators(text)
	}
	return g.retrier().Mask(text)
}

// HasAgain reports whether Again may change a text.
func (g *Grammar) HasAgain() bool { return g.Shell && !g.zsh || g.decorators || g.Retry != nil }

var definitions = regexp.MustCompile(`@definition\.(\w+)`)

// Tiers returns the tiers that chunks of the language can have, given the kinds in its queries.
func (g *Grammar) Tiers() []record.ChunkType {
	var declares, holds bool
	for _, name := range g.queries {
		data, err := queries.ReadFile("queries/" + name)
		if err != nil {
			continue // a test ensures that all can be read
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

// Version returns the module and version of the grammar, from the build information of the program.
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

// Describe writes the rows and queries that shape the records, for a fingerprint. Version in package parse covers the
// rest.
func Describe(w io.Writer) {
	for _, g := range All() {
		fmt.Fprintf(w, "%s %q %d %q %t %t %t %t %t %t %t %t %t %t %t %v %v\n", g.Name, g.queries, g.Visibility, g.Sigils, g.Assigns, g.Atoms, g.symbols, g.macros, g.items, g.annotations, g.nowdocs, g.Shell, g.zsh, g.decorators, g.Selectors, g.masks, g.Retry)
	}
	// A test ensures that the embedded queries can be read.
	_ = fs.WalkDir(queries, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := queries.ReadFile(path)
		fmt.Fprintf(w, "%s %d\n%s", path, len(data), data)
		return err
	})
}
