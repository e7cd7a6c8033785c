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

; What is imported: a namespace, with "static" a type, or either under another name

(using_directive !name [(identifier) (qualified_name) (alias_qualified_name) (generic_name)] @import.module)
(using_directive name: (_) @import.alias "=" . [(identifier) (qualified_name) (alias_qualified_name) (generic_name)] @import.module)

; What is called, made, inherited and named

(invocation_expression function: [(identifier) (generic_name) (member_access_expression)] @reference.calls)
(invocation_expression function: (conditional_access_expression) @reference.calls)
(object_creation_expression type: (_) @reference.instantiates)
(interface_declaration (base_list (_) @reference.extends))
((base_list . (_) @reference.implements)
  (#match? @reference.implements "^([A-Za-z_]+[.])*I[A-Z]"))
(base_list . (_) @reference.extends)
(base_list (_) @reference.implements)
(primary_constructor_base_type type: (_) @reference.extends)
(attribute name: (_) @reference.uses)
(type_argument_list [(identifier) (qualified_name) (generic_name)] @reference.uses)
(variable_declaration type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(parameter type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(method_declaration returns: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(property_declaration type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(nullable_type type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(array_type type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(cast_expression type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(as_expression right: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(is_expression right: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(typeof_expression type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(declaration_pattern type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(catch_declaration type: [(identifier) (qualified_name) (generic_name)] @reference.uses)
(type_parameter_constraint type: [(identifier) (qualified_name) (generic_name)] @reference.uses)

; What may be a method that stands as a value

(argument [(identifier) (member_access_expression)] @reference.passes .)
(assignment_expression right: [(identifier) (member_access_expression)] @reference.passes)
(variable_declarator name: (identifier) [(identifier) (member_access_expression)] @reference.passes .)
(return_statement [(identifier) (member_access_expression)] @reference.passes)
(arrow_expression_clause [(identifier) (member_access_expression)] @reference.passes)
(conditional_expression consequence: [(identifier) (member_access_expression)] @reference.passes)
(conditional_expression alternative: [(identifier) (member_access_expression)] @reference.passes)
(binary_expression operator: "??" right: [(identifier) (member_access_expression)] @reference.passes)
(constant_pattern (member_access_expression) @reference.passes)
((binary_expression (member_access_expression expression: (identifier) @_type) @reference.passes)
  (#upper-case? @_type))

; Types of names

[(block) (lambda_expression) (anonymous_method_expression) (for_statement) (foreach_statement) (using_statement)] @binding.scope
(variable_declaration type: (_) @binding.type (variable_declarator name: (identifier) @binding))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @binding (_) @binding.value .))
(property_declaration type: (_) @binding.type name: (identifier) @binding)
(event_declaration type: (_) @binding.type name: (identifier) @binding)
((parameter type: (_)? @binding.type name: (identifier) @binding)
  (#set! within "function"))
(class_declaration (parameter_list (parameter type: (_) @binding.type name: (identifier) @binding)))
(record_declaration (parameter_list (parameter type: (_) @binding.type name: (identifier) @binding)))
(lambda_expression parameters: (implicit_parameter) @binding)
(foreach_statement type: (_) @binding.type left: (identifier) @binding)
(foreach_statement type: (implicit_type) left: (identifier) @binding right: (_) @binding.element)
(declaration_pattern type: (_) @binding.type name: (identifier) @binding)
(recursive_pattern type: (_) @binding.type name: (identifier) @binding)
(declaration_expression type: (_) @binding.type name: (identifier) @binding)
(catch_declaration type: (_) @binding.type name: (identifier) @binding)
(from_clause name: (identifier) @binding)
(method_declaration returns: (_) @result)
((method_declaration parameters: (parameter_list . (parameter (modifier) @_this type: (_) @extended)))
  (#eq? @_this "this"))
(local_function_statement type: (_) @result)
(delegate_declaration type: (_) @result)

(class_declaration (type_parameter_list (type_parameter name: (_) @binding))) @binding.scope
(struct_declaration (type_parameter_list (type_parameter name: (_) @binding))) @binding.scope
(interface_declaration (type_parameter_list (type_parameter name: (_) @binding))) @binding.scope
(record_declaration (type_parameter_list (type_parameter name: (_) @binding))) @binding.scope
(method_declaration (type_parameter_list (type_parameter name: (_) @binding))) @binding.scope

; Type parameters, whose values are those of type arguments

(class_declaration (type_parameter_list) @parameters) @parameters.scope
(struct_declaration (type_parameter_list) @parameters) @parameters.scope
(interface_declaration (type_parameter_list) @parameters) @parameters.scope
(record_declaration (type_parameter_list) @parameters) @parameters.scope
