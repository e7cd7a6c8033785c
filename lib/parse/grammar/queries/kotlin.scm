; Kotlin. The receiver of an extension qualifies its name. What stands in a companion object without a name is
; a member of the class, as which it is used.

[(line_comment) (block_comment)] @comment
(annotation) @attribute
((annotation [(user_type (identifier) @_name .) (constructor_invocation (user_type (identifier) @_name .))]) @attribute.test
  (#any-of? @_name "Test" "Before" "After" "BeforeClass" "AfterClass" "BeforeEach" "AfterEach" "BeforeAll" "AfterAll"
    "BeforeTest" "AfterTest" "ParameterizedTest" "RepeatedTest" "TestFactory"))

; An annotation with arguments before others may be taken for one of an expression in parentheses
(annotated_expression (annotation) . (parenthesized_expression)) @attribute
(annotated_expression (annotation) . (annotated_expression (annotation) . (parenthesized_expression))) @attribute

(package_header (qualified_identifier) @package)
(import (qualified_identifier) @import "*"? @import)

(lambda_literal) @local
(block) @local
(object_literal (class_body) @local)

; Types

(class_declaration (modifiers (class_modifier "enum")) name: (_) @name (enum_class_body)? @body) @definition.enum
(class_declaration (modifiers (class_modifier "annotation")) name: (_) @name) @definition.interface
(class_declaration "class" name: (_) @name [(class_body) (enum_class_body)]? @body) @definition.class
(class_declaration "interface" name: (_) @name (class_body)? @body) @definition.interface
(object_declaration name: (_) @name (class_body)? @body) @definition.class
(companion_object name: (_) @name (class_body)? @body) @definition.class
(companion_object !name) @scope
(companion_object !name (modifiers (visibility_modifier ["private" "internal"])) (class_body "{" @private.from))
(type_alias type: (identifier) @name) @definition.type

; The grammar takes an annotated class that has neither parents nor a body for the call of an infix function

((infix_expression . (identifier) @_annotation @span . (identifier) @_class . (identifier) @name @definition.interface)
  (#eq? @_annotation "annotation") (#eq? @_class "class"))
((infix_expression
  (infix_expression (identifier) @_annotation .) @span . (identifier) @_class . (call_expression . (identifier) @name @definition.interface))
  (#eq? @_annotation "annotation") (#eq? @_class "class"))
((infix_expression (identifier) @_class @span . (identifier) @name @definition.class)
  (#any-of? @_class "class" "object"))
((infix_expression (identifier) @_class @span . (call_expression . (identifier) @name) @definition.class)
  (#eq? @_class "class"))

; Members and what stands alone

(enum_entry (class_body (function_declaration name: (_) @name) @definition.method))
(object_literal (class_body (function_declaration name: (_) @name) @definition.method))
(function_declaration name: (_) @name (function_body)? @body) @definition.function
(function_declaration [(user_type) @receiver (nullable_type (user_type) @receiver)] . name: (_) @name)
(function_declaration [(user_type) (nullable_type)] @extended . name: (_))
(secondary_constructor "constructor" @name (block)? @body) @definition.method

(enum_entry . (modifiers)? . (identifier) @name (class_body)? @body) @definition.constant
(class_parameter ["val" "var"] . (identifier) @name) @definition.field

(property_declaration (modifiers (property_modifier)) (variable_declaration (identifier) @name)) @definition.constant
((property_declaration "val" [
    (variable_declaration (identifier) @name)
    (multi_variable_declaration (variable_declaration (identifier) @name))]) @definition.constant
  (#set! member "field"))
((property_declaration "var" [
    (variable_declaration (identifier) @name)
    (multi_variable_declaration (variable_declaration (identifier) @name))]) @definition.variable
  (#set! member "field"))
(property_declaration
  [(user_type) @receiver (nullable_type (user_type) @receiver)] . (variable_declaration (identifier) @name))
(property_declaration (variable_declaration (identifier) @name) [(getter) (setter)] @body)
(property_declaration (variable_declaration (identifier) @name) . (_) @value)

; Visibility

(class_declaration (modifiers (visibility_modifier ["private" "internal"])) name: (_) @name @private)
(object_declaration (modifiers (visibility_modifier ["private" "internal"])) name: (_) @name @private)
(companion_object (modifiers (visibility_modifier ["private" "internal"])) name: (_) @name @private)
(type_alias (modifiers (visibility_modifier ["private" "internal"])) type: (_) @name @private)
(function_declaration (modifiers (visibility_modifier ["private" "internal"])) name: (_) @name @private)
(secondary_constructor (modifiers (visibility_modifier ["private" "internal"])) "constructor" @name @private)
(class_parameter (modifiers (visibility_modifier ["private" "internal"])) . ["val" "var"] . (identifier) @name @private)
(property_declaration (modifiers (visibility_modifier ["private" "internal"])) [
  (variable_declaration (identifier) @name)
  (multi_variable_declaration (variable_declaration (identifier) @name))] @private)

; What is imported

(import (qualified_identifier) @import.module .)
(import (qualified_identifier) @import.module "*" @import.name)
(import (qualified_identifier) @import.module (identifier) @import.alias)

; What is called, inherited and named

(call_expression (identifier) @reference.calls)
(call_expression (navigation_expression) @reference.calls)
(infix_expression . (_) . (identifier) @reference.calls)
(callable_reference) @reference.calls
((navigation_expression "::" (identifier) @_name) @reference.calls
  (#not-eq? @_name "class"))
(delegation_specifier (constructor_invocation (user_type) @reference.extends))
(delegation_specifier (user_type) @reference.implements)
(delegation_specifier (explicit_delegation . (user_type) @reference.implements))
(user_type) @reference.uses
((navigation_expression . (identifier) @reference.uses . ".")
  (#upper-case? @reference.uses)
  (#not-constant-case? @reference.uses))

; Types of names

(block) @binding.scope
(for_statement) @binding.scope
(class_parameter (identifier) @binding . [(user_type) (nullable_type)] @binding.type)
(function_value_parameters (parameter . (identifier) @binding . (_) @binding.type))
(anonymous_function (function_value_parameters (parameter . (identifier) @binding))) @binding.scope
(property_declaration (variable_declaration (identifier) @binding . (_) @binding.type))
(property_declaration (variable_declaration (identifier) @binding .))
(property_declaration (variable_declaration (identifier) @binding .) . (binary_expression left: (_) @binding.value operator: "?:"))
(property_declaration (variable_declaration (identifier) @binding .) .
  [(call_expression) (navigation_expression) (identifier) (index_expression) (as_expression) (this_expression)] @binding.value)
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @binding)))
(for_statement (variable_declaration (identifier) @binding . (_)? @binding.type) . (_) @binding.element)
(for_statement (multi_variable_declaration (variable_declaration (identifier) @binding)))
(lambda_parameters (variable_declaration (identifier) @binding . (_)? @binding.type))
(lambda_parameters (multi_variable_declaration (variable_declaration (identifier) @binding)))
(catch_block (identifier) @binding . (_) @binding.type)
(when_subject (variable_declaration (identifier) @binding .) . (_) @binding.value)
(function_declaration (function_value_parameters) . [(user_type) (nullable_type)] @result)
(property_declaration (getter [(user_type) (nullable_type)] @result))

(class_declaration (type_parameters (type_parameter (identifier) @binding))) @binding.scope
(function_declaration (type_parameters (type_parameter (identifier) @binding))) @binding.scope

; Type parameters, whose values are those of type arguments

(class_declaration (type_parameters) @parameters) @parameters.scope
