; Swift. Members of an extension are members of its type. All is visible that is not private, nor in
; a private type or extension. What computes a property is its body, and data in that are
; local.

(comment) @comment
(multiline_comment) @comment

(modifiers (attribute) @attribute)
((modifiers (attribute . (user_type . (type_identifier) @_test)) @attribute.test)
  (#any-of? @_test "Test" "Suite"))

(import_declaration (identifier) @import @import.module)

(statements) @local
(computed_property) @local
(willset_didset_block) @local

; Types

(class_declaration "class"
  name: (type_identifier) @name
  body: (class_body) @body) @definition.class
(class_declaration "actor"
  name: (type_identifier) @name
  body: (class_body) @body) @definition.class
(class_declaration "struct"
  name: (type_identifier) @name
  body: (class_body) @body) @definition.struct
(class_declaration "enum"
  name: (type_identifier) @name
  body: (enum_class_body) @body) @definition.enum
(protocol_declaration
  name: (type_identifier) @name
  body: (protocol_body) @body) @definition.interface
(typealias_declaration
  name: (type_identifier) @name) @definition.type
(associatedtype_declaration
  name: (type_identifier) @name) @definition.type

(class_declaration "extension" name: (_) @receiver body: (_)) @scope

((class_declaration name: (type_identifier) @name @test
    (inheritance_specifier inherits_from: (user_type (type_identifier) @_base)))
  (#match? @_base "TestCase$"))

; Functions

(function_declaration
  "func" . name: _ @name
  body: (function_body)? @body) @definition.function
(protocol_function_declaration
  "func" . name: _ @name) @definition.method
(init_declaration
  name: "init" @name
  body: (function_body)? @body) @definition.method
(deinit_declaration
  "deinit" @name
  body: (function_body) @body) @definition.method
(subscript_declaration
  "subscript" @name
  (computed_property) @body) @definition.method
(macro_declaration
  (simple_identifier) @name
  definition: (_)? @value) @definition.macro

; Data

(enum_entry name: (simple_identifier) @name) @definition.constant

(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
((property_declaration
  (value_binding_pattern mutability: "let")
  name: (pattern [bound_identifier: (simple_identifier) @name (pattern (simple_identifier) @name)])
  value: (_)? @value) @definition.constant
  (#set! member "field"))
((property_declaration
  (value_binding_pattern mutability: "var")
  name: (pattern [bound_identifier: (simple_identifier) @name (pattern (simple_identifier) @name)])
  value: (_)? @value
  computed_value: (_)? @body) @definition.variable
  (#set! member "field"))

(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (willset_didset_block) @body)

; Visibility

([(class_declaration (modifiers (visibility_modifier) @private) name: (type_identifier) @name)
  (protocol_declaration (modifiers (visibility_modifier) @private) name: (_) @name)
  (typealias_declaration (modifiers (visibility_modifier) @private) name: (type_identifier) @name)
  (function_declaration (modifiers (visibility_modifier) @private) "func" . name: _ @name)
  (init_declaration (modifiers (visibility_modifier) @private) name: "init" @name)
  (subscript_declaration (modifiers (visibility_modifier) @private) "subscript" @name)
  (macro_declaration (modifiers (visibility_modifier) @private) . (simple_identifier) @name)
  (property_declaration (modifiers (visibility_modifier) @private)
    name: (pattern [bound_identifier: (simple_identifier) @name (pattern (simple_identifier) @name)]))]
  (#any-of? @private "private" "fileprivate"))

((class_declaration (modifiers (visibility_modifier) @_private) "extension" body: (class_body . "{" @private.from))
  (#any-of? @_private "private" "fileprivate"))

; References

(call_expression
  . [(simple_identifier) (navigation_expression)] @reference.calls
  (call_suffix [(value_arguments "(") (lambda_literal)]))
(constructor_expression constructed_type: (_) @reference.instantiates)
(selector_expression [(simple_identifier) (navigation_expression)] @reference.passes)

(class_declaration ["class" "actor" "enum" "struct" "extension"] (inheritance_specifier inherits_from: (user_type) @reference.extends))
(protocol_declaration (inheritance_specifier inherits_from: (user_type) @reference.extends))
(user_type) @reference.uses
((navigation_expression target: (simple_identifier) @reference.uses)
  (#upper-case? @reference.uses)
  (#not-constant-case? @reference.uses))

; Types of what has a name

(parameter name: (simple_identifier) @binding . [(user_type) (optional_type) (array_type) (opaque_type)] @binding.type)
(lambda_parameter name: (simple_identifier) @binding . [(user_type) (optional_type) (array_type) (opaque_type)] @binding.type)
(lambda_parameter . name: (simple_identifier) @binding .)
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding)
  (type_annotation (_) @binding.type))
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding)
  value: (_) @binding.value)
(guard_statement bound_identifier: (simple_identifier) @binding . condition: _ . condition: (_) @binding.value)
(if_statement bound_identifier: (simple_identifier) @binding . condition: _ . condition: (_) @binding.value)
(for_statement item: (pattern bound_identifier: (simple_identifier) @binding) collection: (_) @binding.element)
(function_declaration [(user_type) (optional_type) (array_type) (opaque_type)] @result)
(protocol_function_declaration [(user_type) (optional_type) (array_type) (opaque_type)] @result)
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding)
  (type_annotation (_) @binding.type))
(typealias_declaration name: (type_identifier) . [(user_type) (optional_type) (array_type)] @result)

; A name in a pattern, as in case .a(let p), hides an outer one

[(switch_entry) (if_statement) (while_statement)] @binding.scope
(if_statement "if" @binding.scope (else) @binding.scope)
(pattern (value_binding_pattern) bound_identifier: (simple_identifier) @binding)
(pattern (value_binding_pattern) (pattern (simple_identifier) @binding))
(if_statement (pattern (simple_identifier) @binding))
(guard_statement (pattern (simple_identifier) @binding))
