; Java. What a method declares is local, except for types. Members of anonymous classes are no symbols: they
; stand in the span of what holds the expression. The constants of an enum may have members of their own.

[(line_comment) (block_comment)] @comment
[(annotation) (marker_annotation)] @attribute
((marker_annotation name: (identifier) @_name) @attribute.test
  (#any-of? @_name "Test" "Before" "After" "BeforeClass" "AfterClass" "BeforeEach" "AfterEach" "BeforeAll" "AfterAll"
    "TestFactory" "TestTemplate" "ParameterizedTest" "BeforeMethod" "AfterMethod"))
((annotation name: (identifier) @_name) @attribute.test
  (#any-of? @_name "Test" "RepeatedTest" "ParameterizedTest"))

(package_declaration [(identifier) (scoped_identifier)] @package)
(import_declaration [(identifier) (scoped_identifier)] @import (asterisk)? @import)
(requires_module_directive module: (_) @import)

(object_creation_expression (class_body) @local)

; Types

(class_declaration (modifiers ["public" "protected"] @exported)? name: (_) @name body: (_) @body) @definition.class
(record_declaration (modifiers ["public" "protected"] @exported)? name: (_) @name body: (_) @body) @definition.class
(interface_declaration (modifiers ["public" "protected"] @exported)? name: (_) @name body: (_) @body) @definition.interface
(annotation_type_declaration (modifiers ["public" "protected"] @exported)? name: (_) @name body: (_) @body) @definition.interface
(enum_declaration (modifiers ["public" "protected"] @exported)? name: (_) @name body: (_) @body) @definition.enum
(module_declaration name: (_) @name body: (_) @body) @definition.module @exported

; Members

((method_declaration (modifiers ["public" "protected"] @exported)? name: (_) @name body: (_)? @body) @definition.method
  (#set! within "file"))
(constructor_declaration (modifiers ["public" "protected"] @exported)? name: (_) @name body: (_) @body) @definition.method
(compact_constructor_declaration (modifiers ["public" "protected"] @exported)? name: (_) @name body: (_) @body) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method @exported

(enum_constant name: (_) @name body: (_)? @body) @definition.constant @exported

(field_declaration (modifiers "static" "final")
  (variable_declarator name: (identifier) @name value: (_)? @value)) @definition.constant
(field_declaration (modifiers "final" "static")
  (variable_declarator name: (identifier) @name value: (_)? @value)) @definition.constant
(field_declaration (modifiers ["public" "protected"] @exported)?
  (variable_declarator name: (identifier) @name value: (_)? @value)) @definition.field
(constant_declaration (variable_declarator name: (identifier) @name value: (_)? @value)) @definition.constant @exported
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @definition.field @exported))

; Members of interfaces are public unless they say otherwise

(interface_body (method_declaration name: (_) @name @exported))
(interface_body (method_declaration (modifiers "private" @private) name: (_) @name))
(interface_body [
  (class_declaration name: (_) @name)
  (record_declaration name: (_) @name)
  (interface_declaration name: (_) @name)
  (enum_declaration name: (_) @name)
  (annotation_type_declaration name: (_) @name)] @exported)
(annotation_type_body [
  (class_declaration name: (_) @name)
  (interface_declaration name: (_) @name)
  (enum_declaration name: (_) @name)
  (annotation_type_declaration name: (_) @name)] @exported)
