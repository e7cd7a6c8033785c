; Elixir, in which declarations are calls of macros. The clauses of a function are one
; symbol; "@doc", "@spec" and their like belong to what follows them, other module attributes
; are constants.

(comment) @comment

((call target: (identifier) @_use (arguments . [(alias) (dot left: (alias))] @import))
  (#any-of? @_use "use" "import" "alias" "require"))

; Modules

((call
  target: (identifier) @_def
  (arguments . [(alias) @name (dot right: (alias) @name)])
  (do_block) @body) @definition.module
  (#eq? @_def "defmodule"))
((call
  target: (identifier) @_def
  (arguments . (alias) @name)
  (do_block (unary_operator operand: (call
    target: (identifier) @_doc
    (arguments . [(string) (sigil)] @doc)))))
  (#any-of? @_def "defmodule" "defprotocol")
  (#eq? @_doc "moduledoc"))
((call
  target: (identifier) @_def
  (arguments . (alias) @name)
  (do_block) @body) @definition.interface
  (#eq? @_def "defprotocol"))

; An implementation is the module of the protocol's name and the type's.
((call
  target: (identifier) @_def
  (arguments . (alias) @receiver
    (keywords (pair key: (keyword) @_for value: [(alias) @name (list (alias) @name)])))
  (do_block)? @body) @definition.module
  (#eq? @_def "defimpl")
  (#match? @_for "^for:"))
((call
  target: (identifier) @_def
  (arguments . (alias) @name .)
  (do_block) @body) @definition.module
  (#eq? @_def "defimpl"))

; Functions and macros, by name, before a guard, and operators

((call target: (identifier) @_def (arguments . (call target: (identifier) @name))) @definition.function
  (#any-of? @_def "def" "defp" "defn" "defnp" "defdelegate")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (identifier) @name)) @definition.function
  (#any-of? @_def "def" "defp" "defn" "defnp" "defdelegate")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when"))) @definition.function
  (#any-of? @_def "def" "defp" "defn" "defnp" "defdelegate")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (binary_operator operator: _ @name))) @definition.function
  (#any-of? @_def "def" "defp")
  (#not-eq? @name "when")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (binary_operator left: (binary_operator operator: _ @name) operator: "when"))) @definition.function
  (#any-of? @_def "def" "defp")
  (#not-eq? @name "when")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (unary_operator operator: _ @name))) @definition.function
  (#any-of? @_def "def" "defp")
  (#not-eq? @name "when")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (block . (binary_operator operator: _ @name) .))) @definition.function
  (#any-of? @_def "def" "defp")
  (#not-eq? @name "when")
  (#set! repeated "join"))

((call target: (identifier) @_def (arguments . (call target: (identifier) @name))) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (identifier) @name)) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when"))) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (binary_operator operator: _ @name))) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop")
  (#not-eq? @name "when")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (binary_operator left: (binary_operator operator: _ @name) operator: "when"))) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop")
  (#not-eq? @name "when")
  (#set! repeated "join"))
((call target: (identifier) @_def (arguments . (unary_operator operator: _ @name))) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop")
  (#not-eq? @name "when")
  (#set! repeated "join"))

((call target: (identifier) @_def (arguments . (call target: (identifier) @name)) (do_block) @body)
  (#match? @_def "^def"))
((call target: (identifier) @_def (arguments . (identifier) @name) (do_block) @body)
  (#match? @_def "^def"))
((call target: (identifier) @_def (arguments . (binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when")) (do_block) @body)
  (#match? @_def "^def"))
((call target: (identifier) @_def (arguments . (binary_operator operator: _ @name)) (do_block) @body)
  (#match? @_def "^def"))
((call target: (identifier) @_def (arguments . (binary_operator left: (binary_operator operator: _ @name) operator: "when")) (do_block) @body)
  (#match? @_def "^def"))
((call target: (identifier) @_def (arguments . (call target: (identifier) @name) . (keywords . (pair key: (keyword) @_do)) @body))
  (#match? @_def "^def")
  (#match? @_do "^do:"))
((call target: (identifier) @_def (arguments . (identifier) @name . (keywords . (pair key: (keyword) @_do)) @body))
  (#match? @_def "^def")
  (#match? @_do "^do:"))
((call target: (identifier) @_def (arguments . (binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when") . (keywords . (pair key: (keyword) @_do)) @body))
  (#match? @_def "^def")
  (#match? @_do "^do:"))
((call target: (identifier) @_def (arguments . (binary_operator operator: _ @name) . (keywords . (pair key: (keyword) @_do)) @body))
  (#match? @_def "^def")
  (#match? @_do "^do:"))
((call target: (identifier) @_def (arguments . (binary_operator left: (binary_operator operator: _ @name) operator: "when") . (keywords . (pair key: (keyword) @_do)) @body))
  (#match? @_def "^def")
  (#match? @_do "^do:"))

((call
  target: (identifier) @private
  (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: [(call target: (identifier) @name) (identifier) @name])
    (binary_operator operator: _ @name)]))
  (#any-of? @private "defp" "defmacrop" "defguardp" "defnp"))

((call target: (identifier) @name (arguments)) @definition.struct
  (#any-of? @name "defstruct" "defexception"))

; Tests

((call
  target: (identifier) @_test
  (arguments . (string) @name)
  (do_block) @body) @definition.module @test
  (#eq? @_test "describe"))
((call
  target: (identifier) @_test
  (arguments . (string) @name)
  (do_block) @body) @definition.function @test
  (#any-of? @_test "test" "property"))

; Module attributes

((unary_operator operator: "@" operand: (call
  target: (identifier) @_doc
  (arguments . [(string) (sigil)] @doc.before))) @attribute
  (#any-of? @_doc "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @attribute
  (#any-of? @_attribute "doc" "typedoc" "spec" "impl" "since" "deprecated" "tag" "derive" "enforce_keys"))

((unary_operator operator: "@" operand: (call
  target: (identifier) @_type
  (arguments . (binary_operator
    left: [(identifier) @name (call target: (identifier) @name)]
    operator: "::")))) @definition.type
  (#any-of? @_type "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call
  target: (identifier) @private
  (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)]))))
  (#eq? @private "typep"))
((unary_operator operator: "@" operand: (call
  target: (identifier) @_callback
  (arguments . [
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
    (binary_operator
      left: (binary_operator left: [(identifier) @name (call target: (identifier) @name)])
      operator: "when")]))) @definition.function
  (#any-of? @_callback "callback" "macrocallback"))

((unary_operator operator: "@" operand: (call
  target: (identifier) @name
  (arguments . (_) @value))) @definition.constant
  (#not-any-of? @name "doc" "typedoc" "moduledoc" "shortdoc" "spec" "type" "typep" "opaque" "callback" "macrocallback"
    "impl" "since" "deprecated" "dialyzer" "behaviour" "optional_callbacks" "compile" "before_compile"
    "after_compile" "after_verify" "on_definition" "on_load" "external_resource" "derive" "enforce_keys"
    "fallback_to_any" "tag" "moduletag" "describetag" "vsn" "nifs" "undefined_impl_description"))

; References. Modules are imported under the last part of their names, and whatever they define may be used as it is.

((call target: (identifier) @_use (arguments . (alias) @import.module))
  (#any-of? @_use "use" "import" "alias" "require"))
((call target: (identifier) @_use (arguments
    . (alias) @import.module
    (keywords (pair key: (keyword) @_as value: (alias) @import.alias))))
  (#any-of? @_use "alias" "require")
  (#eq? @_as "as: "))
((call target: (identifier) @_use (arguments . (dot left: (alias) @import.module right: (tuple (alias) @import.name))))
  (#any-of? @_use "use" "import" "alias" "require"))
((call target: (identifier) @_behaviour (arguments . (alias) @reference.implements))
  (#eq? @_behaviour "behaviour"))
((call target: (identifier) @_use (arguments . (alias) @reference.embeds))
  (#eq? @_use "use"))

(call target: (dot left: (alias)) @reference.calls)
((call target: (identifier) @reference.calls)
  (#not-any-of? @reference.calls "alias" "behaviour" "callback" "case" "cond" "def" "defdelegate" "defguard" "defguardp" "defimpl" "defmacro" "defmacrop"
    "defmodule" "defp" "defprotocol" "defstruct" "doc" "fn" "for" "if" "import" "moduledoc" "opaque" "quote" "raise" "receive" "require"
    "spec" "try" "type" "typep" "unless" "unquote" "unquote_splicing" "use" "with"))
(binary_operator operator: "|>" right: (identifier) @reference.calls)
(struct (alias) @reference.instantiates)

; What a specification is of is not called.

((unary_operator operand: (call target: (identifier) @_spec (arguments
    (binary_operator left: [
      (call target: (identifier) @binding)
      (binary_operator left: (call target: (identifier) @binding))]))))
  (#any-of? @_spec "spec" "type" "typep" "opaque" "callback" "macrocallback")
  (#set! within "function"))
