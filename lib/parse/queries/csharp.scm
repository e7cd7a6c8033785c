; C#. What carries "public" is visible, and so are the members of interfaces and enums that
; say nothing. A namespace with a body is a module; one for the whole file is only its package.

(comment) @comment
(attribute_list) @attribute
((attribute_list (attribute name: [
    (identifier) @_test
    (qualified_name name: (identifier) @_test)])) @attribute.test
  (#any-of? @_test "Fact" "Theory" "Test" "TestMethod" "TestClass" "TestFixture" "TestCase" "TestCaseSource"
    "DataTestMethod" "SkippableFact" "SkippableTheory" "Property" "Benchmark"))

(using_directive !name [(identifier) (qualified_name) (alias_qualified_name) (generic_name)] @import)
(using_directive name: (_) "=" . [(identifier) (qualified_name) (alias_qualified_name) (generic_name)] @import)
(extern_alias_directive name: (identifier) @import)

(file_scoped_namespace_declaration name: (_) @package)
(compilation_unit (namespace_declaration name: (_) @package))
(namespace_declaration name: (_) @name body: (_) @body) @definition.module @exported

; Types

(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(delegate_declaration name: (identifier) @name) @definition.type
(record_declaration "struct" name: (identifier) @name) @definition.struct
(record_declaration name: (identifier) @name body: (_)? @body) @definition.class
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.field @exported))

; Functions. An accessor list or "=>" is the body of a property only if there is code in it.

(method_declaration
  (explicit_interface_specifier (_) @receiver)?
  name: (identifier) @name
  body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_)? @body) @definition.method
(destructor_declaration "~" @name name: (identifier) @name body: (_)? @body) @definition.method
(operator_declaration
  (explicit_interface_specifier (_) @receiver)?
  "operator" @name operator: _ @name
  body: (_)? @body) @definition.method
(conversion_operator_declaration
  "operator" @name type: (_) @name
  body: (_)? @body) @definition.method
(indexer_declaration
  (explicit_interface_specifier (_) @receiver)?
  "this" @name
  value: (_)? @body) @definition.method
(indexer_declaration
  "this" @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body)
((local_function_statement name: (identifier) @name body: (_) @body) @definition.function
  (#not-eq? @name "if")) ; "else if" behind an #endif

; Data

(property_declaration
  (explicit_interface_specifier (_) @receiver)?
  name: (identifier) @name
  value: (_)? @value) @definition.field
(property_declaration
  name: (identifier) @name
  value: (arrow_expression_clause) @body)
(property_declaration
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body)
(event_declaration
  (explicit_interface_specifier (_) @receiver)?
  name: (identifier) @name
  accessors: (_)? @body) @definition.field
(event_field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (modifier "const") (variable_declaration
  (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name ("=" . (_) @value)?))) @definition.field
(enum_member_declaration name: (identifier) @name value: (_)? @value) @definition.constant @exported

; The variables of a script are its fields; elsewhere those outside of types are local.

((global_statement (local_declaration_statement (modifier "const") (variable_declaration
    (variable_declarator name: (identifier) @name)))) @definition.constant @exported
  (#file? "*.csx" "*.cake"))
((global_statement (local_declaration_statement (variable_declaration
    (variable_declarator name: (identifier) @name ("=" . (_) @value)?)))) @definition.variable @exported
  (#file? "*.csx" "*.cake"))
((global_statement (local_function_statement name: (identifier) @name)) @exported
  (#file? "*.csx" "*.cake"))

; Visibility

[
  (class_declaration (modifier "public") name: (identifier) @name)
  (struct_declaration (modifier "public") name: (identifier) @name)
  (interface_declaration (modifier "public") name: (identifier) @name)
  (enum_declaration (modifier "public") name: (identifier) @name)
  (delegate_declaration (modifier "public") name: (identifier) @name)
  (record_declaration (modifier "public") name: (identifier) @name)
  (method_declaration (modifier "public") name: (identifier) @name)
  (constructor_declaration (modifier "public") name: (identifier) @name)
  (operator_declaration (modifier "public") "operator" @name operator: _ @name)
  (conversion_operator_declaration (modifier "public") "operator" @name type: (_) @name)
  (indexer_declaration (modifier "public") "this" @name)
  (property_declaration (modifier "public") name: (identifier) @name)
  (event_declaration (modifier "public") name: (identifier) @name)
  (event_field_declaration (modifier "public") (variable_declaration (variable_declarator name: (identifier) @name)))
  (field_declaration (modifier "public") (variable_declaration (variable_declarator name: (identifier) @name)))
] @exported

(interface_declaration body: (declaration_list [
  (method_declaration . (attribute_list)* . (modifier ["static" "abstract" "virtual" "new" "async"])* . returns: (_) name: (identifier) @name)
  (property_declaration . (attribute_list)* . (modifier ["static" "abstract" "virtual" "new"])* . type: (_) name: (identifier) @name)
  (indexer_declaration . (attribute_list)* . (modifier ["new"])* . type: (_) "this" @name)
  (event_declaration . (attribute_list)* . (modifier ["new"])* . "event" name: (identifier) @name)
  (event_field_declaration . (attribute_list)* . (modifier ["static" "abstract" "virtual" "new"])* . "event" (variable_declaration (variable_declarator name: (identifier) @name)))
] @exported))
