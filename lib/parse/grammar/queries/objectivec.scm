; Objective-C. What is of C follows in c.scm. Members of an implementation or category are members of the class.
; Methods that an interface or a protocol declares are symbols, since their documentation is there.
; The name of a method is its selector, of which @name is the first label.

(module_import path: (_) @import @import.module)

; Types

((class_interface "@interface" . (identifier) @name
  [(instance_variables) (property_declaration) (method_declaration) "@end"] @body) @definition.class
  (#not-match? @definition.class "^@interface\\s+\\w+\\s*(<[^(){};]*>\\s*)?\\("))
(class_interface "@interface" . (identifier) @receiver . "(") @scope
(class_implementation "@implementation" . (identifier) @receiver) @scope
(class_interface "@interface" . (identifier) @receiver . (parameterized_arguments) . "(") @scope
(protocol_declaration "@protocol" . (identifier) @name
  [(property_declaration) (method_declaration) (qualified_protocol_interface_declaration) "@end"] @body) @definition.interface
((class_interface . (identifier) @receiver . "(" . ")" @private.from) (#file? "*.m" "*.mm"))

; Tests of XCTest

((class_interface . (identifier) @name superclass: (identifier) @_base) @test
  (#match? @_base "TestCase$"))
((method_definition . "-" . (method_type) . (identifier) @name @test . (compound_statement))
  (#match? @name "^test[A-Z_]")
  (#file? "*Test.m" "*Tests.m" "*Test.mm" "*Tests.mm"))

; Methods and properties

(method_declaration . ["+" "-"] . (method_type)? . (identifier) @name) @definition.method
(method_definition . ["+" "-"] . (method_type)? . (identifier) @name (compound_statement) @body) @definition.method

(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  (array_declarator declarator: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator [
    (block_pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)]))]))) @definition.field

(instance_variable (struct_declaration (struct_declarator [
  (identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (array_declarator declarator: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator [
    (block_pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)]))])) @private) @definition.field

; Blocks and functions

(type_definition declarator: (function_declarator declarator: (parenthesized_declarator
  (block_pointer_declarator declarator: (type_identifier) @name)))) @definition.type

; References

(message_expression receiver: (_) @reference.calls . method: (identifier) @reference.calls)
(call_expression function: (field_expression) @reference.calls)
(field_expression) @reference.passes
((message_expression receiver: (identifier) @reference.uses)
  (#upper-case? @reference.uses)
  (#not-constant-case? @reference.uses))
(class_interface superclass: (identifier) @reference.extends)
(class_interface (parameterized_arguments (type_name (type_identifier) @reference.implements)))
(protocol_declaration (protocol_reference_list (identifier) @reference.extends))
(protocol_reference_list (identifier) @reference.uses)

; Types of what has a name

(method_declaration . ["+" "-"] . (method_type (type_name [
  (type_identifier) @result
  (generic_specifier . (type_identifier) @result)
  (typedefed_specifier (protocol_reference_list . (identifier) @result))])))
(method_definition . ["+" "-"] . (method_type (type_name [
  (type_identifier) @result
  (generic_specifier . (type_identifier) @result)
  (typedefed_specifier (protocol_reference_list . (identifier) @result))])))
(method_parameter (method_type (type_name [
  (type_identifier) @binding.type
  (generic_specifier . (type_identifier) @binding.type)
  (typedefed_specifier (protocol_reference_list . (identifier) @binding.type))])) (identifier) @binding)
(method_parameter (identifier) @binding)
((property_declaration (struct_declaration [
  (type_identifier) @binding.type
  (generic_specifier . (type_identifier) @binding.type)
  (typedefed_specifier (protocol_reference_list . (identifier) @binding.type))] (struct_declarator [
  (identifier) @binding
  (pointer_declarator declarator: (identifier) @binding)])))
  (#not-any-of? @binding.type "IBOutlet" "IBInspectable"))
((instance_variable (struct_declaration [
  (type_identifier) @binding.type
  (generic_specifier . (type_identifier) @binding.type)
  (typedefed_specifier (protocol_reference_list . (identifier) @binding.type))] (struct_declarator [
  (identifier) @binding
  (pointer_declarator declarator: (identifier) @binding)])))
  (#not-any-of? @binding.type "IBOutlet" "IBInspectable"))
((declaration type: [
  (type_identifier) @binding.type
  (generic_specifier . (type_identifier) @binding.type)
  (typedefed_specifier (protocol_reference_list . (identifier) @binding.type))] declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (init_declarator declarator: [
      (identifier) @binding
      (pointer_declarator declarator: (identifier) @binding)])])
  (#set! within "function"))
((declaration type: (typedefed_specifier) declarator: (init_declarator declarator: (identifier) @binding value: (_) @binding.value))
  (#set! within "function"))
((parameter_declaration type: [
  (type_identifier) @binding.type
  (generic_specifier . (type_identifier) @binding.type)
  (typedefed_specifier (protocol_reference_list . (identifier) @binding.type))] declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)])
  (#set! within "function"))
(catch_clause (type_name (type_identifier) @binding.type (pointer_declarator declarator: (identifier) @binding))) @binding.scope
(for_statement type: [
  (type_identifier) @binding.type
  (generic_specifier . (type_identifier) @binding.type)
  (typedefed_specifier (protocol_reference_list . (identifier) @binding.type))] [
  (identifier) @binding
  (pointer_declarator declarator: (identifier) @binding)] "in") @binding.scope
