; Haskell. A signature and the equations that follow it are one function; so are all
; bindings of a module, with or without parameters. Functions in "where" and "let" are
; symbols if they have parameters. Record fields are none. What the grammar takes for the
; other branch of a C preprocessor's "#if" is not parsed.

[(comment) (haddock)] @comment
((haddock) @doc.after (#match? @doc.after "^(--|\\{-) *\\^"))

(import module: (module) @import)
(header module: (module) @package @name exports: (exports)? @body) @definition.module @exported

(export variable: (variable) @exported.name)
(export type: (name) @exported.name)
(export operator: (prefix_id (operator) @exported.name))
(export (_ operator: (_ (operator) @exported.name)))

; Types

(data_type name: (_) @name ["=" "where"]? @body) @definition.type
(newtype name: (_) @name) @definition.type
(type_synomym name: (_) @name) @definition.type
(type_family name: (_) @name) @definition.type
(data_family name: (_) @name) @definition.type
(class name: (_) @name "where" @body) @definition.interface
(class name: (_) @name) @definition.interface

(data_constructor constructor: (_ name: (constructor) @name)) @definition.constant
(data_constructor constructor: (_ name: (prefix_id (constructor_operator) @name))) @definition.constant
(data_constructor constructor: (infix operator: (constructor_operator) @name)) @definition.constant
(newtype_constructor name: (constructor) @name) @definition.constant
(gadt_constructor name: (constructor) @name) @definition.constant
(gadt_constructor names: (_ (constructor) @name)) @definition.constant
((pattern_synonym (signature synonym: (constructor) @name)) @definition.function
  (#set! repeated "join"))
((pattern_synonym (equation synonym: [(constructor) @name (_ function: (constructor) @name)])) @definition.function
  (#set! repeated "join"))

; An instance has no name: its functions are those of the class for the type.
(instance
  name: (_) @receiver
  patterns: (type_patterns . [
    (name) @receiver
    (apply constructor: (name) @receiver)
    (parens type: (apply constructor: [(name) @receiver (apply constructor: (name) @receiver)]))])?) @scope

; Functions

((signature name: [(variable) @name (prefix_id (operator) @name)] type: (function)) @definition.function
  (#set! repeated "join"))
((signature name: [(variable) @name (prefix_id (operator) @name)]) @definition.function
  (#set! within "file")
  (#set! repeated "join"))
((signature names: (binding_list name: [(variable) @name (prefix_id (operator) @name)])) @definition.function
  (#set! within "type"))
((function name: [(variable) @name (prefix_id (operator) @name)] match: (match) @body) @definition.function
  (#set! repeated "join"))
((function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (match) @body) @definition.function
  (#set! repeated "join"))
((function
  parens: (function_head_parens (infix operator: [(operator) @name (infix_id (variable) @name)]))
  match: (match) @body) @definition.function
  (#set! repeated "join"))
((bind name: [(variable) @name (prefix_id (operator) @name)] match: (match) @body) @definition.function
  (#set! within "file")
  (#set! repeated "join"))
((bind pattern: (tuple element: (variable) @name)) @definition.constant
  (#set! within "file"))
(foreign_import signature: (signature name: (variable) @name)) @definition.function

(local_binds) @local

; References. What stands in front of arguments is called.

(import module: (module) @import.module alias: (module) @import.alias)
(import module: (module) @import.module !names)
(import module: (module) @import.module names: (import_list name: (import_name [(variable) (name)] @import.name)))

(apply function: [(variable) (qualified)] @reference.calls)
(apply function: (constructor) @reference.instantiates)
((infix left_operand: [(variable) (qualified)] @reference.calls operator: (operator) @_apply)
  (#any-of? @_apply "$" "." "<$>" "$!" "=<<"))
((infix operator: (operator) @_apply right_operand: [(variable) (qualified)] @reference.calls)
  (#any-of? @_apply "." "=<<" ">>=" "&"))
(instance name: (name) @reference.uses)
(signature type: (_ [(name) (qualified)] @reference.uses))
(field type: (name) @reference.uses)

((patterns (variable) @binding)
  (#set! within "function"))
((bind pattern: (variable) @binding)
  (#set! within "function"))
