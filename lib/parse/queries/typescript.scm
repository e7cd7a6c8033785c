
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
