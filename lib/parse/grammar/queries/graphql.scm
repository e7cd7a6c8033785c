; GraphQL: schemas and operations. A description is a comment that documents what it stands in.

(comment) @comment
(description (string_value) @doc.before)

(schema_definition "schema" @name "{" @body) @definition.block

(object_type_definition (description (string_value) @doc)? (name) @name (fields_definition)? @body) @definition.type
(interface_type_definition (description (string_value) @doc)? (name) @name (fields_definition)? @body) @definition.interface
(union_type_definition (description (string_value) @doc)? (name) @name) @definition.type
(input_object_type_definition (description (string_value) @doc)? (name) @name (input_fields_definition)? @body) @definition.type
(scalar_type_definition (description (string_value) @doc)? (name) @name) @definition.type
(enum_type_definition (description (string_value) @doc)? (name) @name (enum_values_definition)? @body) @definition.enum
(enum_value_definition (description (string_value) @doc)? (enum_value (name) @name)) @definition.constant
(directive_definition (description (string_value) @doc)? (name) @name) @definition.function

(field_definition (description (string_value) @doc)? (name) @name) @definition.field
(input_fields_definition
  (input_value_definition (description (string_value) @doc)? (name) @name) @definition.field)

(object_type_extension (name) @receiver) @scope
(interface_type_extension (name) @receiver) @scope
(input_object_type_extension (name) @receiver) @scope
(enum_type_extension (name) @receiver) @scope

(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.block

; References

(implements_interfaces (named_type) @reference.implements)
(named_type) @reference.uses
(fragment_spread (fragment_name) @reference.uses)
(directive (name) @reference.calls)
