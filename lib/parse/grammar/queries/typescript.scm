
; TypeScript and TSX: on top of ecmascript.scm.

(import_require_clause source: (string) @import)
(export_statement "=" (identifier) @exported.name)

(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name value: (_) @value) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_body name: (_) @name @definition.constant)
(enum_body (enum_assignment name: (_) @name) @definition.constant)
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(internal_module name: (_) @name body: (_)? @body) @definition.module
(module name: (_) @name body: (_)? @body) @definition.module
(expression_statement (internal_module name: (_) @name) .) @span
(import_alias . (identifier) @name) @definition.variable

(function_signature name: (identifier) @name) @definition.function
((method_signature name: (_) @name) @definition.method (#set! within "type"))
(abstract_method_signature name: (_) @name) @definition.method

(public_field_definition name: (_) @name value: (_)? @value) @definition.field

; Parameters of a constructor that are properties of its class

((required_parameter [(accessibility_modifier) (override_modifier) "readonly"]
  pattern: (identifier) @name value: (_)? @value) @definition.field
  (#set! within "member"))
((optional_parameter [(accessibility_modifier) (override_modifier) "readonly"]
  pattern: (identifier) @name) @definition.field
  (#set! within "member"))
((required_parameter (accessibility_modifier) @private pattern: (identifier) @name)
  (#not-eq? @private "public"))
((optional_parameter (accessibility_modifier) @private pattern: (identifier) @name)
  (#not-eq? @private "public"))

; What has a type asserted is what it is

([(as_expression . [
    (arrow_function body: (_) @body) (function_expression body: (_) @body)
    (parenthesized_expression [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
    (as_expression . (parenthesized_expression [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))])
  (satisfies_expression . [
    (arrow_function body: (_) @body) (function_expression body: (_) @body)
    (parenthesized_expression [(arrow_function body: (_) @body) (function_expression body: (_) @body)])])] @function)
((variable_declarator value: [
  (as_expression . (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))
  (satisfies_expression . (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))])
  (#set! value "function"))
((export_statement value: [
  (as_expression . (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))
  (satisfies_expression . (object [
    (method_definition name: (_) @name body: (_) @body)
    (pair key: (_) @name value: (_) @value)] @definition.method))])
  (#set! value "function"))
((assignment_expression
  left: (member_expression
    object: (parenthesized_expression (as_expression . (_) @receiver))
    property: (property_identifier) @name)
  right: (_) @value) @definition.method
  (#set! value "function"))

(method_definition name: (private_property_identifier) @name @private)
(public_field_definition name: (private_property_identifier) @name @private)
((method_definition (accessibility_modifier) @private name: (_) @name)
  (#not-eq? @private "public"))
((method_signature (accessibility_modifier) @private name: (_) @name)
  (#not-eq? @private "public"))
((abstract_method_signature (accessibility_modifier) @private name: (_) @name)
  (#not-eq? @private "public"))
((public_field_definition (accessibility_modifier) @private name: (_) @name)
  (#not-eq? @private "public"))

(ambient_declaration (_ name: (_) @name)) @span
(export_statement "export" @exported declaration: (ambient_declaration (_ name: (_) @name))) @span
(ambient_declaration (_ . (variable_declarator name: (identifier) @name) .)) @span
(export_statement "export" @exported
  declaration: (ambient_declaration (_ . (variable_declarator name: (identifier) @name) .))) @span

(internal_module body: (statement_block) @open)
(module body: (statement_block) @open)
(ambient_declaration (statement_block) @open)

; What is imported

(import_statement (import_require_clause (identifier) @import.alias source: (string) @import.module))
(export_statement "=" @import.alias (identifier) @import.name)

; What a type inherits, and what else it names

(extends_clause value: [(identifier) (member_expression)] @reference.extends)
(extends_type_clause type: [(type_identifier) (nested_type_identifier)] @reference.extends)
(extends_type_clause type: (generic_type name: (_) @reference.extends))
(implements_clause [(type_identifier) (nested_type_identifier)] @reference.implements)
(implements_clause (generic_type name: (_) @reference.implements))
(type_identifier) @reference.uses
(nested_type_identifier) @reference.uses
(type_query [(identifier) (member_expression)] @reference.uses)

; Types of names

(variable_declarator name: (identifier) @binding type: (_)? @binding.type value: (_)? @binding.value)
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @binding @binding.property)
  type: (_)? @binding.type
  value: (_)? @binding.value)
(variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @binding.property value: (identifier) @binding))
  type: (_)? @binding.type
  value: (_)? @binding.value)
(variable_declarator name: (array_pattern (identifier) @binding))
(required_parameter pattern: (identifier) @binding type: (_)? @binding.type value: (_)? @binding.value)
(optional_parameter pattern: (identifier) @binding type: (_)? @binding.type)
(required_parameter
  pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @binding @binding.property
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @binding @binding.property)
    (pair_pattern key: (property_identifier) @binding.property value: (identifier) @binding)])
  type: (_)? @binding.type)
(required_parameter [(accessibility_modifier) "readonly"]
  pattern: (identifier) @binding.member type: (_) @binding.type)
(optional_parameter [(accessibility_modifier) "readonly"]
  pattern: (identifier) @binding.member type: (_) @binding.type)
(public_field_definition name: (_) @binding type: (_)? @binding.type value: (_)? @binding.value)
((property_signature name: (property_identifier) @binding type: (_) @binding.type)
  (#set! within "type"))

; Functions that are called with the elements of a list

((call_expression
  function: (member_expression object: (_) @binding.element property: (property_identifier) @_each)
  arguments: (arguments . [
    (arrow_function parameter: (identifier) @binding)
    (_ parameters: (formal_parameters . (required_parameter !type pattern: [(identifier) @binding (object_pattern [
        (shorthand_property_identifier_pattern) @binding @binding.property
        (pair_pattern key: (property_identifier) @binding.property value: (identifier) @binding)])])))]))
  (#any-of? @_each "forEach" "map" "filter" "some" "every" "find" "findIndex" "findLast" "findLastIndex" "flatMap" "sort" "toSorted"))
((call_expression
  function: (member_expression object: (_) @binding.element property: (property_identifier) @_each)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (_) . (required_parameter !type pattern: (identifier) @binding)))))
  (#any-of? @_each "reduce" "reduceRight" "sort" "toSorted"))

(class_declaration type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(abstract_class_declaration type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(interface_declaration type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(type_alias_declaration type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(function_declaration type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(function_signature type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(method_definition type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(method_signature type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(arrow_function type_parameters: (type_parameters (type_parameter name: (_) @binding))) @binding.scope
(infer_type (type_identifier) @binding)
(mapped_type_clause name: (type_identifier) @binding)

; Results

(function_declaration return_type: (type_annotation) @result)
(function_signature return_type: (type_annotation) @result)
(method_definition return_type: (type_annotation) @result)
(method_signature return_type: (type_annotation) @result)
(abstract_method_signature return_type: (type_annotation) @result)
(variable_declarator value: (arrow_function return_type: (type_annotation) @result))
(public_field_definition value: (arrow_function return_type: (type_annotation) @result))
(type_alias_declaration value: [(type_identifier) (nested_type_identifier) (generic_type)] @result)
(type_alias_declaration value: (intersection_type [(type_identifier) (nested_type_identifier) (generic_type)] @result))
(type_alias_declaration value: (intersection_type
  (intersection_type [(type_identifier) (nested_type_identifier) (generic_type)] @result)))
(public_field_definition value: [(identifier) (member_expression)] @reference.passes)

; Type parameters, whose values are those of type arguments

(class_declaration type_parameters: (_) @parameters) @parameters.scope
(abstract_class_declaration type_parameters: (_) @parameters) @parameters.scope
(interface_declaration type_parameters: (_) @parameters) @parameters.scope
