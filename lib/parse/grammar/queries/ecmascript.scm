; What JavaScript, TypeScript and TSX have in common. Functions are symbols wherever
; they have a name; variables only at the top level, of a module or of a function that
; is called where it stands.

(comment) @comment
(decorator) @attribute

(import_statement source: (string) @import)
(export_statement source: (string) @import)
(call_expression function: (import) arguments: (arguments . (string) @import))
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import .))
  (#eq? @_require "require"))

; Declarations

(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class

; What makes a variable, a field or an assigned member a function or class

(arrow_function body: (_) @body) @function
(function_expression body: (_) @body) @function
(generator_function body: (_) @body) @function
(class body: (_) @body) @class
(parenthesized_expression [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) @function
(parenthesized_expression (class body: (_) @body)) @class

; Methods of a class without a name are members of what is around it

((method_definition name: (_) @name body: (_) @body) @definition.method
  (#set! within "type"))
(class !name body: (class_body (method_definition name: (_) @name body: (_) @body) @definition.method))

; Functions and classes with a name of their own that are given away where they stand

(arguments [
  (function_expression name: (_) @name body: (_) @body)
  (generator_function name: (_) @name body: (_) @body)] @definition.function)
(arguments (class name: (_) @name body: (_) @body) @definition.class)
(return_statement [
  (function_expression name: (_) @name body: (_) @body)
  (generator_function name: (_) @name body: (_) @body)] @definition.function)
(return_statement (class name: (_) @name body: (_) @body) @definition.class)
(call_expression function: (parenthesized_expression
  (function_expression name: (_) @name body: (_) @body) @definition.function))
(new_expression constructor: (parenthesized_expression
  (class name: (_) @name body: (_) @body) @definition.class))

; Variables of a file or of a function that is called where it stands, each with its
; statement if it is alone in that; several names in one pattern are each a variable

(statement_block) @local
(call_expression function: (parenthesized_expression [
  (function_expression body: (statement_block) @open)
  (arrow_function body: (statement_block) @open)]))
((call_expression
  function: (identifier) @_define
  arguments: (arguments (function_expression body: (statement_block) @open)))
  (#eq? @_define "define"))

(lexical_declaration kind: "const" @prefix
  (variable_declarator name: [
    (identifier) @name
    (_ [(identifier) (shorthand_property_identifier_pattern)] @name)
    (_ (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name))
    (_ (pair_pattern value: [(identifier) @name (_ left: (identifier) @name)]))
    (_ (rest_pattern (identifier) @name))]
    value: (_)? @value) @definition.constant)
(lexical_declaration kind: "let" @prefix
  (variable_declarator name: [
    (identifier) @name
    (_ [(identifier) (shorthand_property_identifier_pattern)] @name)
    (_ (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name))
    (_ (pair_pattern value: [(identifier) @name (_ left: (identifier) @name)]))
    (_ (rest_pattern (identifier) @name))]
    value: (_)? @value) @definition.variable)
(variable_declaration "var" @prefix
  (variable_declarator name: [
    (identifier) @name
    (_ [(identifier) (shorthand_property_identifier_pattern)] @name)
    (_ (_ left: [(identifier) (shorthand_property_identifier_pattern)] @name))
    (_ (pair_pattern value: [(identifier) @name (_ left: (identifier) @name)]))
    (_ (rest_pattern (identifier) @name))]
    value: (_)? @value) @definition.variable)

(lexical_declaration . (variable_declarator name: [
    (identifier) @name
    (_ [(identifier) (shorthand_property_identifier_pattern)] @name)
    (_ (_ [(identifier) (shorthand_property_identifier_pattern)] @name))
    (_ (_ (_ left: (identifier) @name)))]) .) @span
(variable_declaration . (variable_declarator name: [
    (identifier) @name
    (_ [(identifier) (shorthand_property_identifier_pattern)] @name)
    (_ (_ [(identifier) (shorthand_property_identifier_pattern)] @name))
    (_ (_ (_ left: (identifier) @name)))]) .) @span
(export_statement "export" @exported declaration:
  (lexical_declaration . (variable_declarator name: [
    (identifier) @name
    (_ [(identifier) (shorthand_property_identifier_pattern)] @name)
    (_ (_ [(identifier) (shorthand_property_identifier_pattern)] @name))
    (_ (_ (_ left: (identifier) @name)))]) .)) @span
(export_statement "export" @exported declaration:
  (variable_declaration . (variable_declarator name: [
    (identifier) @name
    (_ [(identifier) (shorthand_property_identifier_pattern)] @name)
    (_ (_ [(identifier) (shorthand_property_identifier_pattern)] @name))
    (_ (_ (_ left: (identifier) @name)))]) .)) @span
(export_statement "export" @exported declaration: (_ (variable_declarator name: [
    (identifier) @name
    (_ [(identifier) (shorthand_property_identifier_pattern)] @name)
    (_ (_ [(identifier) (shorthand_property_identifier_pattern)] @name))
    (_ (_ (_ left: (identifier) @name)))])))

; Exports

(export_statement "export" @exported declaration: (_ name: (_) @name)) @span

((export_statement "default" @name value: (_) @value) @definition.function @exported
  (#set! value "function"))
((export_statement "export" @exported value: (_ name: (_) @name) @value) @definition.function
  (#set! value "function"))

(export_statement !source (export_clause (export_specifier name: (identifier) @exported.name)))
(export_statement value: (identifier) @exported.name)
((assignment_expression left: (member_expression) @_exports right: [
    (identifier) @exported.name
    (object (shorthand_property_identifier) @exported.name)
    (object (pair value: (identifier) @exported.name))])
  (#eq? @_exports "module.exports"))
((assignment_expression left: (member_expression object: (_) @_exports) right: (identifier) @exported.name)
  (#any-of? @_exports "exports" "module.exports"))

((assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: (_) @value) @definition.variable @exported
  (#any-of? @_exports "exports" "module.exports"))
((assignment_expression
  left: (member_expression) @_exports
  right: (_ name: (_) @name) @value) @definition.function @exported
  (#eq? @_exports "module.exports")
  (#set! value "function"))

; Functions that are assigned

((assignment_expression
  left: (member_expression property: (property_identifier) @name) @_exports
  right: [(arrow_function) (function_expression !name) (class !name)] @value) @definition.function @exported
  (#eq? @_exports "module.exports"))
((assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @receiver property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: (_) @value) @definition.method
  (#eq? @_prototype "prototype")
  (#set! value "function"))
((assignment_expression
  left: (member_expression
    object: [(identifier) (member_expression) (subscript_expression) (call_expression)] @receiver
    property: (property_identifier) @name)
  right: (_) @value) @definition.method
  (#not-any-of? @receiver "exports" "module" "module.exports")
  (#set! value "function"))
((assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @name)
  right: (_) @value) @definition.method
  (#set! value "function"))
((assignment_expression
  left: (member_expression property: (private_property_identifier) @name @private)
  right: (_) @value) @definition.method
  (#set! value "function"))
((assignment_expression left: (identifier) @name right: (_) @value) @definition.function
  (#set! value "function"))

; Methods of objects that are assigned, exported or extend another, and of the objects in
; them; not of those that are arguments

((variable_declarator value: [
    (object [
      (method_definition name: (_) @name body: (_) @body)
      (pair key: (_) @name value: (_) @value)] @definition.method)
    (parenthesized_expression (object [
      (method_definition name: (_) @name body: (_) @body)
      (pair key: (_) @name value: (_) @value)] @definition.method))])
  (#set! value "function"))
((variable_declarator value: (object (pair key: (_) @receiver value: (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))))
  (#set! value "function"))
((assignment_expression
  left: (member_expression object: (_) @receiver property: (property_identifier) @_prototype)
  right: (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))
  (#eq? @_prototype "prototype")
  (#set! value "function"))
(([
  (assignment_expression left: (_) @receiver right: (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))
  (augmented_assignment_expression left: (_) @receiver right: (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))])
  (#not-any-of? @receiver "module.exports" "exports")
  (#set! value "function"))
((assignment_expression left: (_) @receiver right: (object (pair key: (_) @receiver value: (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))))
  (#not-any-of? @receiver "module.exports" "exports")
  (#set! value "function"))
((assignment_expression left: (_) @_exports right: [
    (object [
      (method_definition name: (_) @name body: (_) @body)
      (pair key: (_) @name value: (_) @value)] @definition.method)
    (object (pair key: (_) @receiver value: (object [
      (method_definition name: (_) @name body: (_) @body)
      (pair key: (_) @name value: (_) @value)] @definition.method)))]) @exported
  (#any-of? @_exports "module.exports" "exports")
  (#set! value "function"))
((export_statement value: [
    (object [
      (method_definition name: (_) @name body: (_) @body)
      (pair key: (_) @name value: (_) @value)] @definition.method)
    (object (pair key: (_) @receiver value: (object [
      (method_definition name: (_) @name body: (_) @body)
      (pair key: (_) @name value: (_) @value)] @definition.method)))])
  (#set! value "function"))
((call_expression
  function: (member_expression object: (_) @receiver property: (property_identifier) @_extend)
  arguments: (arguments (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method)))
  (#eq? @_extend "extend")
  (#set! value "function"))

; What is imported, and what is given away under another name

(import_statement "import" . source: (string) @import.module)
(import_statement (import_clause (identifier) @import.alias) source: (string) @import.module)
(import_statement (import_clause (namespace_import "*" @import.name (identifier) @import.alias)) source: (string) @import.module)
(import_statement (import_clause (named_imports
  (import_specifier name: (_) @import.name alias: (_)? @import.alias))) source: (string) @import.module)
(import_statement (import_clause (named_imports "{" . "}")) source: (string) @import.module)
(export_statement "*" @import.name source: (string) @import.module)
(export_statement (namespace_export "*" @import.name (_) @import.alias) source: (string) @import.module)
(export_statement (export_clause
  (export_specifier name: (_) @import.name alias: (_)? @import.alias)) source: (string) @import.module)
(export_statement !source (export_clause (export_specifier name: (_) @import.name alias: (_) @import.alias)))
(export_statement "default" @import.alias value: (identifier) @import.name)
(export_statement "default" @import.alias declaration: (_ name: (_) @import.name))
(export_statement "default" @binding value: [(new_expression) (call_expression) (await_expression)] @binding.value)
((assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @import.alias)
  right: (identifier) @import.name)
  (#any-of? @_exports "module" "exports" "module.exports"))

(call_expression function: (import) arguments: (arguments . (string) @import.module))
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
  (#eq? @_require "require"))
((variable_declarator
  name: (identifier) @import.alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)))
  (#eq? @_require "require"))
((variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)])
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)))
  (#eq? @_require "require"))
((variable_declarator
  name: (identifier) @import.alias
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .))
    property: (property_identifier) @import.name))
  (#eq? @_require "require"))
(variable_declarator
  name: (identifier) @import.alias
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module))))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import.name
    (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)])
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string) @import.module))))

; What is called or made

(call_expression function: (identifier) @reference.calls)
(call_expression function: (member_expression) @reference.calls)
(new_expression constructor: (identifier) @reference.instantiates)
(new_expression constructor: (member_expression) @reference.instantiates)
(decorator (identifier) @reference.calls)
(decorator (member_expression) @reference.calls)
(binary_expression operator: "instanceof" right: [(identifier) (member_expression)] @reference.uses)

; What may be a function that stands as a value

(arguments [(identifier) (member_expression)] @reference.passes)
(array [(identifier) (member_expression)] @reference.passes)
(pair value: [(identifier) (member_expression)] @reference.passes)
(object (shorthand_property_identifier) @reference.passes)
(assignment_expression right: [(identifier) (member_expression)] @reference.passes)
(variable_declarator value: [(identifier) (member_expression)] @reference.passes)
(return_statement [(identifier) (member_expression)] @reference.passes)
(ternary_expression consequence: [(identifier) (member_expression)] @reference.passes)
(ternary_expression alternative: [(identifier) (member_expression)] @reference.passes)
(binary_expression operator: ["&&" "||" "??"] right: [(identifier) (member_expression)] @reference.passes)
(augmented_assignment_expression operator: ["&&=" "||=" "??="] right: [(identifier) (member_expression)] @reference.passes)
(assignment_pattern right: [(identifier) (member_expression)] @reference.passes)
(arrow_function body: [(identifier) (member_expression)] @reference.passes)
((binary_expression (member_expression object: (identifier) @_type) @reference.passes)
  (#upper-case? @_type))
(switch_case value: (member_expression) @reference.passes)

; Names in functions

[(arrow_function) (function_expression)] @binding.scope
(arrow_function parameter: (identifier) @binding)
(rest_pattern (identifier) @binding)
(catch_clause parameter: (identifier) @binding)
(for_in_statement left: (identifier) @binding)
(for_in_statement left: (identifier) @binding operator: "of" right: (_) @binding.element)

(assignment_expression
  left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @binding.member)
  right: (_) @binding.value)
