; C++, beside what it shares with C. In a class body a function's name is a
; field_identifier; outside of its class it is qualified. "= default" and "= delete"
; have no body and are no symbols, as prototypes are not.

; Scopes

(namespace_definition name: (namespace_identifier) @name body: (_) @body) @definition.module
(namespace_definition
  name: (nested_namespace_specifier (namespace_identifier) @name)
  body: (_) @body) @definition.module
(namespace_definition
  name: (nested_namespace_specifier
    (namespace_identifier) @receiver
    (nested_namespace_specifier (namespace_identifier) @name))
  body: (_) @body) @definition.module
(namespace_definition
  name: (nested_namespace_specifier
    (namespace_identifier) @receiver . (namespace_identifier) @name)
  body: (_) @body) @definition.module
(namespace_definition
  name: (nested_namespace_specifier
    (namespace_identifier) @receiver
    (nested_namespace_specifier (namespace_identifier) @receiver . (namespace_identifier) @name))
  body: (_) @body) @definition.module

(namespace_definition !name body: (declaration_list "{" @private.from)) @scope

(class_specifier body: (field_declaration_list "{" @private.from))
(access_specifier "private") @private.from
(access_specifier ["public" "protected"]) @public.from

; Classes

(class_specifier
  name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @receiver name: (type_identifier) @name)
    (qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @name))
    (qualified_identifier scope: (_) @receiver name: (qualified_identifier scope: (_) @receiver name: (type_identifier) @name))]
  body: (_) @body) @definition.class
(struct_specifier
  name: [
    (template_type name: (type_identifier) @name)
    (qualified_identifier scope: (_) @receiver name: (type_identifier) @name)
    (qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @name))
    (qualified_identifier scope: (_) @receiver name: (qualified_identifier scope: (_) @receiver name: (type_identifier) @name))]
  body: (_) @body) @definition.struct
(enum_specifier
  name: (qualified_identifier scope: (_) @receiver name: (type_identifier) @name)
  body: (_) @body) @definition.enum

(alias_declaration name: (type_identifier) @name type: (_) @value) @definition.type
(concept_definition name: (identifier) @name . (_) @value) @definition.type

; Functions. The initialisers of a constructor are no part of its signature.

(function_definition
  declarator: (function_declarator declarator: [
    (identifier) @name
    (qualified_identifier name: (identifier) @name)
    (qualified_identifier name: (qualified_identifier name: (identifier) @name))])
  (field_initializer_list) @body)

((function_definition
  declarator: [
    (function_declarator declarator: [
      (field_identifier) @name (operator_name) @name (destructor_name) @name
      (template_function name: (identifier) @name)])
    (pointer_declarator declarator: [
      (function_declarator declarator: [(field_identifier) @name (operator_name) @name (template_function name: (identifier) @name)])
      (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
      (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))])
    (reference_declarator (function_declarator declarator: [
      (identifier) @name (field_identifier) @name (operator_name) @name
      (template_function name: (identifier) @name)]))]
  body: (_) @body) @definition.function
  (#not-any-of? @name "if" "for" "while" "switch" "catch" "return"))

((function_definition
  declarator: [
    (operator_cast) @name
    (qualified_identifier name: (operator_cast) @name)]
  body: (_) @body) @definition.method
  (#set! name "("))
(function_definition
  declarator: (qualified_identifier scope: (_) @receiver name: (operator_cast) @name))

((function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier
      scope: (_)? @receiver
      name: [
        (identifier) @name (operator_name) @name (destructor_name) @name
        (template_function name: (identifier) @name)]))
    (pointer_declarator declarator: [
      (function_declarator declarator: (qualified_identifier
        scope: (_)? @receiver
        name: [
          (identifier) @name (operator_name) @name
          (template_function name: (identifier) @name)]))
      (_ (function_declarator declarator: (qualified_identifier
        scope: (_)? @receiver
        name: [(identifier) (operator_name)] @name)))])
    (reference_declarator (function_declarator declarator: (qualified_identifier
      scope: (_)? @receiver
      name: [
        (identifier) @name (operator_name) @name
        (template_function name: (identifier) @name)])))]
  body: (_) @body) @definition.method)

((function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier
      scope: (_)? @receiver
      name: (qualified_identifier
        scope: (_)? @receiver
        name: [(identifier) (operator_name) (destructor_name)] @name)))
    (_ (function_declarator declarator: (qualified_identifier
      scope: (_)? @receiver
      name: (qualified_identifier
        scope: (_)? @receiver
        name: [(identifier) (operator_name)] @name))))]
  body: (_) @body) @definition.method)

((function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier
      scope: (_)? @receiver
      name: (qualified_identifier
        scope: (_)? @receiver
        name: (qualified_identifier
          scope: (_)? @receiver
          name: [(identifier) (operator_name) (destructor_name)] @name))))
    (_ (function_declarator declarator: (qualified_identifier
      scope: (_)? @receiver
      name: (qualified_identifier
        scope: (_)? @receiver
        name: (qualified_identifier
          scope: (_)? @receiver
          name: [(identifier) (operator_name)] @name)))))]
  body: (_) @body) @definition.method)

; Templates: the head belongs to what follows

(template_declaration (class_specifier name: [
  (type_identifier) @name
  (template_type name: (type_identifier) @name)])) @span
(template_declaration (struct_specifier name: [
  (type_identifier) @name
  (template_type name: (type_identifier) @name)])) @span
(template_declaration (alias_declaration name: (_) @name)) @span
(template_declaration (concept_definition name: (_) @name)) @span
(template_declaration (declaration declarator: (init_declarator declarator: (identifier) @name))) @span
(template_declaration (function_definition declarator: [
  (function_declarator declarator: [
    (_) @name
    (template_function name: (_) @name)
    (qualified_identifier name: [
      (_) @name
      (template_function name: (_) @name)
      (qualified_identifier name: (_) @name)])])
  (_ (function_declarator declarator: [
    (_) @name
    (template_function name: (_) @name)
    (qualified_identifier name: [
      (_) @name
      (qualified_identifier name: (_) @name)])]))
  (operator_cast) @name
  (qualified_identifier name: (operator_cast) @name)])) @span

(linkage_specification value: (string_literal) body: (function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (_ (function_declarator declarator: (identifier) @name))])) @span
(friend_declaration (function_definition declarator: [
  (function_declarator declarator: (_) @name)
  (_ (function_declarator declarator: (_) @name))])) @span

; Static members, where they are defined

((declaration declarator: (init_declarator
    declarator: (qualified_identifier scope: (_) @receiver name: (identifier) @name)
    value: (_) @value)) @definition.variable)
((declaration declarator: (init_declarator
    declarator: (qualified_identifier
      scope: (_) @receiver
      name: (qualified_identifier scope: (_) @receiver name: (identifier) @name))
    value: (_) @value)) @definition.variable)

; Constants of classes; other fields stand in the span of their class

((field_declaration
  (type_qualifier) @_const
  declarator: (field_identifier) @name
  default_value: (_) @value) @definition.constant
  (#any-of? @_const "constexpr" "const"))

; References

(call_expression function: [(field_expression) (qualified_identifier) (template_function)] @reference.calls)
; a<b<'c'>>(d) with a character, which the grammar takes for a comparison
(binary_expression left: (template_function name: (identifier) @reference.calls) operator: ">" right: (parenthesized_expression))
(new_expression type: (_) @reference.instantiates)
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @reference.instantiates
  declarator: (init_declarator value: [(argument_list) (initializer_list)]))
(compound_literal_expression type: [(type_identifier) (qualified_identifier) (template_type)] @reference.instantiates)
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @reference.extends)
(qualified_identifier name: [
  (type_identifier)
  (qualified_identifier name: [
    (type_identifier)
    (qualified_identifier name: [
      (type_identifier)
      (qualified_identifier name: (type_identifier))])])]) @reference.uses
(qualified_identifier scope: (_) @reference.uses name: [
  (template_type name: (_) @reference.uses)
  (qualified_identifier scope: (template_type name: (_) @reference.uses))
  (qualified_identifier name: [
    (template_type name: (_) @reference.uses)
    (qualified_identifier scope: (template_type name: (_) @reference.uses))
    (qualified_identifier name: [
      (template_type name: (_) @reference.uses)
      (qualified_identifier name: (template_type name: (_) @reference.uses))])])])

(using_declaration "namespace" @import.name [(identifier) (qualified_identifier)] @import.module)
((using_declaration (qualified_identifier) @import.module) @_using
  (#not-match? @_using "^using\\s+namespace\\b"))

(initializer_list (qualified_identifier) @reference.passes)
(init_declarator value: (qualified_identifier) @reference.passes)
(argument_list (qualified_identifier) @reference.passes)
(assignment_expression right: (qualified_identifier) @reference.passes)
(return_statement (qualified_identifier) @reference.passes)
(binary_expression (qualified_identifier) @reference.passes)
(case_statement value: (qualified_identifier) @reference.passes)
(conditional_expression consequence: (qualified_identifier) @reference.passes)
(conditional_expression alternative: (qualified_identifier) @reference.passes)
(pointer_expression operator: "&" argument: (qualified_identifier) @reference.passes)

; Types of what has a name

((parameter_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (reference_declarator (identifier) @binding)])
  (#set! within "function"))
((optional_parameter_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (reference_declarator (identifier) @binding)])
  (#set! within "function"))
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (reference_declarator (identifier) @binding)
    (init_declarator declarator: [
      (identifier) @binding
      (pointer_declarator declarator: (identifier) @binding)
      (reference_declarator (identifier) @binding)])])
((declaration
  type: (placeholder_type_specifier)
  declarator: [
    (init_declarator
      declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (reference_declarator (identifier) @binding)]
      value: (_) @binding.value)
    (pointer_declarator declarator: (identifier) @binding)]
  value: (_)? @binding.value)
  (#set! within "function"))
((for_range_loop
  type: (placeholder_type_specifier)
  declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (reference_declarator (identifier) @binding)]
  right: (_) @binding.element)
  (#set! within "function"))
((for_range_loop
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (reference_declarator (identifier) @binding)])
  (#set! within "function"))
((field_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [
    (field_identifier) @binding
    (array_declarator declarator: (field_identifier) @binding)
    (pointer_declarator declarator: (field_identifier) @binding)
    (reference_declarator (field_identifier) @binding)])
  (#set! within "type"))
(namespace_alias_definition name: (_) @binding . (_) @binding.value)
(template_declaration (template_parameter_list [
  (type_parameter_declaration (type_identifier) @binding)
  (optional_type_parameter_declaration name: (type_identifier) @binding)
  (variadic_type_parameter_declaration (type_identifier) @binding)
  (template_template_parameter_declaration (type_parameter_declaration (type_identifier) @binding))])) @binding.scope

; Results, and methods that a class demands

(function_definition
  type: [(type_identifier) (qualified_identifier) (template_type)] @result)
(alias_declaration type: (type_descriptor type: [(type_identifier) (qualified_identifier) (template_type)] @result))
(template_declaration parameters: (_) @parameters [(alias_declaration) (class_specifier) (struct_specifier)]) @parameters.scope
(type_definition type: [(type_identifier) (qualified_identifier) (template_type)] @result)
((field_declaration
  type: (_) @result
  declarator: [
    (function_declarator declarator: (field_identifier) @member.method parameters: (_) @member.signature)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @member.method parameters: (_) @member.signature))
    (reference_declarator (function_declarator declarator: (field_identifier) @member.method parameters: (_) @member.signature))]
  default_value: (number_literal) @_zero)
  (#eq? @_zero "0"))
