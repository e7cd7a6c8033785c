; PHP. Members are visible unless they say otherwise. Variables of a file are symbols, not
; those of functions. Names of properties and variables stand without "$". Members of an
; anonymous class have no type that would name them; its fields are left out.

(comment) @comment
(attribute_list) @attribute
((attribute_list (attribute_group (attribute [
    (name) @_test
    (qualified_name (name) @_test)]))) @attribute.test
  (#any-of? @_test "Test" "DataProvider" "TestWith" "CoversClass"))

(namespace_use_declaration (namespace_use_clause [(name) (qualified_name)] @import !alias))
(namespace_use_declaration (namespace_use_clause [(name) (qualified_name)] @import alias: (_)))
(namespace_use_declaration (namespace_name) @import body: (_) @import)
[
  (require_expression [(string) (encapsed_string)] @import)
  (require_once_expression [(string) (encapsed_string)] @import)
  (include_expression [(string) (encapsed_string)] @import)
  (include_once_expression [(string) (encapsed_string)] @import)
  (require_expression (binary_expression right: (string) @import))
  (require_once_expression (binary_expression right: (string) @import))
  (include_expression (binary_expression right: (string) @import))
  (include_once_expression (binary_expression right: (string) @import))
]

(namespace_definition name: (_) @package !body)
(namespace_definition
  name: (namespace_name (name)* @receiver . (name) @name .) @package
  body: (_) @body) @definition.module

; Types

(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum

((class_declaration name: (name) @name (base_clause [
    (name) @_base
    (qualified_name (name) @_base)])) @test
  (#match? @_base "TestCase$"))

; Functions

(function_definition name: (name) @name body: (_) @body) @definition.function
(method_declaration name: (name) @name body: (_)? @body) @definition.method
(anonymous_function body: (compound_statement) @body @local) @function
(arrow_function body: (_) @body) @function

((method_declaration (visibility_modifier) @private name: (name) @name)
  (#any-of? @private "private" "protected"))

; Data

(const_declaration (const_element . (name) @name . (_) @value)) @definition.constant
((const_declaration (visibility_modifier) @private (const_element . (name) @name))
  (#any-of? @private "private" "protected"))
(enum_case name: (name) @name value: (_)? @value) @definition.constant

((property_declaration
  (property_element name: (variable_name (name) @name) default_value: (_)? @value)
  (property_hook_list)? @body) @definition.field
  (#set! within "type"))
((property_declaration (visibility_modifier) @private (property_element name: (variable_name (name) @name)))
  (#any-of? @private "private" "protected"))
((property_promotion_parameter
  name: [(variable_name (name) @name) (by_ref (variable_name (name) @name))]
  default_value: (_)? @value) @definition.field
  (#set! within "member"))
((property_promotion_parameter
  visibility: (visibility_modifier) @private
  name: [(variable_name (name) @name) (by_ref (variable_name (name) @name))])
  (#any-of? @private "private" "protected"))

((expression_statement (assignment_expression
    left: (variable_name (name) @name)
    right: (_) @value)) @definition.variable
  (#set! within "file"))
((expression_statement (assignment_expression
    left: (list_literal (variable_name (name) @name))
    right: (_) @value)) @definition.variable
  (#set! within "file"))
((function_call_expression
  function: (name) @_define
  arguments: (arguments
    . (argument [(string (string_content) @name) (encapsed_string . (string_content) @name .)])
    . (argument) @value)) @definition.constant
  (#eq? @_define "define"))

; The heads of what a syntax error leaves without an end

(ERROR "class" @definition.class . (name) @name @span)
(ERROR "function" @definition.function . (name) @name . (formal_parameters) @span)
