; Dart. The grammar puts the body of a function beside its signature, and the words before a top-level variable beside
; the variable, so patterns for these begin at what holds both. Named constructors have their own name.

(comment) @comment
(documentation_comment) @comment
(annotation) @attribute

(library_name (dotted_identifier_list) @package)
(configurable_uri (uri) @import)
(part_directive (uri) @import)
(part_of_directive (uri) @import)

; Types

(class_definition name: (identifier) @name body: (class_body) @body) @definition.class
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration (identifier) @name (class_body) @body) @definition.trait
(enum_declaration name: (identifier) @name body: (enum_body) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(extension_declaration name: (identifier) @name body: (extension_body) @body) @definition.type
(extension_declaration !name class: (_) @receiver) @scope
(type_alias (type_identifier) @name . (type_parameters)? . "=") @definition.type
(type_alias (type_identifier) @name . (type_parameters)? . (formal_parameter_list)) @definition.type

; Functions

(program (function_signature name: (identifier) @name) @definition.function . (comment)* . (function_body)? @span @body)
(program (getter_signature name: (identifier) @name) @definition.function . (comment)* . (function_body)? @span @body)
(program (setter_signature name: (identifier) @name) @definition.function . (comment)* . (function_body)? @span @body)
(lambda_expression parameters: (function_signature name: (identifier) @name) body: (function_body) @body) @definition.function

(class_body
  (method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (constructor_signature name: (identifier) @name . (formal_parameter_list))
    (factory_constructor_signature (identifier) @name . (formal_parameter_list))
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)]) @definition.method
  . (comment)* . (function_body) @span @body)
(extension_body
  (method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)]) @definition.method
  . (comment)* . (function_body) @span @body)
(enum_body
  (method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (constructor_signature name: (identifier) @name . (formal_parameter_list))
    (factory_constructor_signature (identifier) @name . (formal_parameter_list))
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)]) @definition.method
  . (comment)* . (function_body) @span @body)
(declaration [
  (function_signature name: (identifier) @name)
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
  (constructor_signature name: (identifier) @name . (formal_parameter_list))
  (constant_constructor_signature (identifier) @name . (formal_parameter_list))
  (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)]) @definition.method

; Fields and variables

(declaration (const_builtin)
  (static_final_declaration_list (static_final_declaration . (identifier) @name (_)? @value))) @definition.constant
(declaration
  (static_final_declaration_list (static_final_declaration . (identifier) @name (_)? @value))) @definition.field
(declaration
  (initialized_identifier_list (initialized_identifier . (identifier) @name (_)? @value))) @definition.field
(declaration
  (identifier_list (identifier) @name)) @definition.field

(program (const_builtin) @span . (_)? . (_)? . (_)? .
  (static_final_declaration_list (static_final_declaration . (identifier) @name (_) @value)) @definition.constant)
(program (final_builtin) @span . (_)? . (_)? . (_)? .
  (static_final_declaration_list (static_final_declaration . (identifier) @name (_) @value)) @definition.variable)
(program "late" @span . (_)? . (_)? . (_)? .
  (initialized_identifier_list (initialized_identifier . (identifier) @name (_)? @value)) @definition.variable)
(program [(type_identifier) (inferred_type) (function_type) (record_type)] @span . (type_arguments)? . (nullable_type)? .
  (initialized_identifier_list (initialized_identifier . (identifier) @name (_)? @value)) @definition.variable)
(program "external" @span . (_)? . (function_signature name: (identifier) @name))

; Tests

((expression_statement . (identifier) @_test
    . (selector (argument_part (arguments . (argument (string_literal) @name)
      (argument (function_expression body: (_) @body)))))) @definition.function @test
  (#any-of? @_test "test" "testWidgets" "group"))
((expression_statement . (identifier) @_test
    . (selector (argument_part (arguments . (argument (string_literal) @name) ")" @body)))) @definition.function @test
  (#any-of? @_test "blocTest" "testGoldens"))

; References. Calls are several nodes in a row to the grammar, and so are p and T in p.T, where p is the prefix of an import.
; A name that begins with a small letter is such a prefix, or a type of the language.

(import_specification (configurable_uri) @import.module (identifier)? @import.alias)
(library_export (configurable_uri) @import.module)
(part_directive (uri) @import.module)

((superclass . (type_identifier) @reference.extends) (#match? @reference.extends "^[A-Z_$]"))
(superclass . (type_identifier) . "." . (type_identifier) @reference.extends)
((mixins (type_identifier) @reference.embeds) (#match? @reference.embeds "^[A-Z_$]"))
((interfaces (type_identifier) @reference.implements) (#match? @reference.implements "^[A-Z_$]"))
((new_expression (type_identifier) @reference.instantiates) (#match? @reference.instantiates "^[A-Z_$]"))
((const_object_expression (type_identifier) @reference.instantiates) (#match? @reference.instantiates "^[A-Z_$]"))
((new_expression (type_identifier) . "." . (identifier) @reference.instantiates) (#match? @reference.instantiates "^_?[A-Z]"))
((const_object_expression (type_identifier) . "." . (identifier) @reference.instantiates) (#match? @reference.instantiates "^_?[A-Z]"))
(function_body) @reference.text
((type_identifier) @reference.uses (#match? @reference.uses "^[A-Z_$]"))

(function_signature . (type_identifier) @result . "."? @result . (type_identifier)? @result . (type_arguments)? @result)
(getter_signature . (type_identifier) @result . "."? @result . (type_identifier)? @result)

(block) @binding.scope
((formal_parameter . (type_identifier) @binding.type . "."? @binding.type . (type_identifier)? @binding.type . (type_arguments)? @binding.type name: (identifier) @binding)
  (#set! within "function"))
((formal_parameter . name: (identifier) @binding)
  (#set! within "function"))
((declaration (type_identifier) @binding.type . "."? @binding.type . (type_identifier)? @binding.type . (type_arguments)? @binding.type (initialized_identifier_list (initialized_identifier (identifier) @binding)))
  (#set! within "type"))
((initialized_variable_definition (type_identifier) @binding.type . "."? @binding.type . (type_identifier)? @binding.type . (type_arguments)? @binding.type name: (identifier) @binding)
  (#set! within "function"))
((initialized_variable_definition name: (identifier) @binding value: (_)+ @binding.value)
  (#set! within "function"))
((for_loop_parts name: (identifier) @binding value: (_)+ @binding.element)
  (#set! within "function"))
