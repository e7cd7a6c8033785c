
; TypeScript and TSX: on top of ecmascript.scm.

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
(class_body (method_signature name: (_) @name) @definition.method)
(class_body (abstract_method_signature name: (_) @name) @definition.method)
(interface_body (method_signature name: (_) @name) @definition.method)

(class_body (public_field_definition name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)]) @definition.method)
(class_body (public_field_definition name: (_) @name value: (_)? @value) @definition.field)

(class_body (_ name: (private_property_identifier) @name @private))
((class_body (_ (accessibility_modifier) @private name: (_) @name))
  (#any-of? @private "private" "protected"))

(ambient_declaration (_ name: (_) @name)) @span
(export_statement "export" @exported declaration: (ambient_declaration (_ name: (_) @name))) @span
(ambient_declaration (_ . (variable_declarator name: (identifier) @name) .)) @span
(export_statement "export" @exported
  declaration: (ambient_declaration (_ . (variable_declarator name: (identifier) @name) .))) @span

(program (ambient_declaration (_
  (variable_declarator name: (identifier) @name) @definition.variable)))
(program (export_statement (ambient_declaration (_
  (variable_declarator name: (identifier) @name) @definition.variable))))

(internal_module body: (statement_block (_
  (variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable)))
(internal_module body: (statement_block (export_statement "export" @exported (_
  (variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable))))
(module body: (statement_block (_
  (variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable)))
(module body: (statement_block (export_statement "export" @exported (_
  (variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable))))
