
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
