; Java. What a method declares is local, except for types. Members of anonymous classes are no symbols: they
; stand in the span of what holds the expression. The constants of an enum may have members of their own, and so may a
; field whose value is of an anonymous class.

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
(field_declaration (variable_declarator value: (object_creation_expression (class_body) @open)))
(constant_declaration (variable_declarator value: (object_creation_expression (class_body) @open)))

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

; What is imported: of a class or a static member its package or class, and its name

(import_declaration (scoped_identifier scope: (_) @import.module name: (_) @import.name) .)
(import_declaration (scoped_identifier) @import.module (asterisk) @import.name)

; What is called, made, inherited and named

(method_invocation name: (identifier) @reference.calls)
(method_invocation object: (_) @reference.calls name: (identifier) @reference.calls)
((field_access object: (identifier) @_type) @reference.passes
  (#upper-case? @_type))
(method_reference (identifier) @reference.calls .)
(method_reference . (_) @reference.calls (identifier) @reference.calls .)
(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @reference.instantiates)
(object_creation_expression type: (generic_type . (_) @reference.instantiates))
(superclass [(type_identifier) (scoped_type_identifier)] @reference.extends)
(superclass (generic_type . (_) @reference.extends))
(extends_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @reference.extends))
(extends_interfaces (type_list (generic_type . (_) @reference.extends)))
(super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @reference.implements))
(super_interfaces (type_list (generic_type . (_) @reference.implements)))
(type_identifier) @reference.uses
(scoped_type_identifier) @reference.uses
(annotation name: (_) @reference.uses)
(marker_annotation name: (_) @reference.uses)

; Types of names

(block) @binding.scope
(lambda_expression) @binding.scope
(for_statement) @binding.scope
(enhanced_for_statement) @binding.scope
(field_declaration type: (_) @binding.type declarator: (variable_declarator name: (_) @binding))
(constant_declaration type: (_) @binding.type declarator: (variable_declarator name: (_) @binding))
(local_variable_declaration type: (_) @binding.type declarator: (variable_declarator name: (_) @binding value: (_)? @binding.value))
(formal_parameter type: (_) @binding.type name: (_) @binding)
(spread_parameter (_) @binding.type . (variable_declarator name: (_) @binding))
(catch_formal_parameter (catch_type) @binding.type name: (_) @binding)
(enhanced_for_statement type: (_) @binding.type name: (_) @binding value: (_) @binding.element)
(resource type: (_) @binding.type name: (_) @binding value: (_) @binding.value)
(lambda_expression parameters: (identifier) @binding)
(inferred_parameters (identifier) @binding)
(instanceof_expression right: (_) @binding.type name: (_) @binding)
(type_pattern (_) @binding.type (identifier) @binding)
(record_pattern_component (_) @binding.type (identifier) @binding)
(method_declaration type: (_) @result)

(class_declaration type_parameters: (type_parameters (type_parameter (type_identifier) @binding))) @binding.scope
(interface_declaration type_parameters: (type_parameters (type_parameter (type_identifier) @binding))) @binding.scope
(record_declaration type_parameters: (type_parameters (type_parameter (type_identifier) @binding))) @binding.scope
(method_declaration type_parameters: (type_parameters (type_parameter (type_identifier) @binding))) @binding.scope
(constructor_declaration type_parameters: (type_parameters (type_parameter (type_identifier) @binding))) @binding.scope

; Type parameters, whose values are those of type arguments

(class_declaration type_parameters: (_) @parameters) @parameters.scope
(interface_declaration type_parameters: (_) @parameters) @parameters.scope
(record_declaration type_parameters: (_) @parameters) @parameters.scope
