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

; References. Names of types that the language has itself are primitive types to the grammar.

(namespace_use_declaration (namespace_use_clause . [(name) (qualified_name)] @import.module alias: (_)? @import.alias))
(namespace_use_declaration (namespace_name) @import.module body: (namespace_use_group
  (namespace_use_clause . [(name) (qualified_name)] @import.name alias: (_)? @import.alias)))
(require_expression [
  (string (string_content) @import.module)
  (encapsed_string (string_content) @import.module)
  (binary_expression right: (string (string_content) @import.module))])
(require_once_expression [
  (string (string_content) @import.module)
  (encapsed_string (string_content) @import.module)
  (binary_expression right: (string (string_content) @import.module))])
(include_expression [
  (string (string_content) @import.module)
  (encapsed_string (string_content) @import.module)
  (binary_expression right: (string (string_content) @import.module))])
(include_once_expression [
  (string (string_content) @import.module)
  (encapsed_string (string_content) @import.module)
  (binary_expression right: (string (string_content) @import.module))])

(class_declaration (base_clause (_) @reference.extends))
(interface_declaration (base_clause (_) @reference.extends))
(class_declaration (class_interface_clause (_) @reference.implements))
(enum_declaration (class_interface_clause (_) @reference.implements))
(use_declaration [(name) (qualified_name) (relative_name)] @reference.embeds)
(anonymous_class (base_clause (_) @reference.instantiates))
(anonymous_class (class_interface_clause (_) @reference.instantiates))

(function_call_expression function: [(name) (qualified_name) (relative_name)] @reference.calls)
(member_call_expression object: (_) @reference.calls name: (name) @reference.calls)
(nullsafe_member_call_expression object: (_) @reference.calls name: (name) @reference.calls)
(scoped_call_expression scope: (_) @reference.calls name: (name) @reference.calls)
(object_creation_expression [(name) (qualified_name) (relative_name)] @reference.instantiates)
(attribute [(name) (qualified_name)] @reference.instantiates)

(named_type) @reference.uses
(class_constant_access_expression . [(name) (qualified_name)] @reference.uses)
(scoped_property_access_expression scope: [(name) (qualified_name)] @reference.uses)
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @reference.uses)

(function_definition return_type: (_) @result)
(method_declaration return_type: (_) @result)

(anonymous_function) @binding.scope
(arrow_function) @binding.scope

((simple_parameter type: (_)? @binding.type name: (_) @binding)
  (#set! within "function"))
((variadic_parameter name: (_) @binding)
  (#set! within "function"))
((property_promotion_parameter type: (_)? @binding.type name: (variable_name) @binding)
  (#set! within "function"))
(property_promotion_parameter type: (_) @binding.type name: (variable_name) @binding.member)
((property_declaration type: (_) @binding.type (property_element name: (_) @binding))
  (#set! within "type"))
((assignment_expression left: (variable_name) @binding right: (_) @binding.value)
  (#set! within "function"))
((assignment_expression
    left: (member_access_expression object: (variable_name (name) @_this) name: (name) @binding.member)
    right: (_) @binding.value)
  (#eq? @_this "this"))
(assignment_expression
  left: (scoped_property_access_expression scope: (relative_scope) name: (variable_name) @binding.member)
  right: (_) @binding.value)
((foreach_statement . (_) @binding.element . [
    (variable_name) @binding
    (pair (_) . (variable_name) @binding)
    (by_ref (variable_name) @binding)])
  (#set! within "function"))
((catch_clause type: (_) @binding.type name: (_) @binding)
  (#set! within "function"))
