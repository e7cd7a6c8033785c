; SQL. Columns stand in the span of their table. What the grammar cannot parse, as much of the
; dialects is, becomes an ERROR in which heads of declarations are still found.

[(comment) (marginalia)] @comment

(create_extension . (keyword_create) (identifier) @import)

(create_schema (identifier) @name) @definition.module

(create_table
  [(keyword_table) (keyword_exists)] .
  (object_reference database: (identifier)? @receiver schema: (identifier)? @receiver name: (identifier) @name)
  (column_definitions)? @body) @definition.table
(create_view
  [(keyword_view) (keyword_exists)] .
  (object_reference database: (identifier)? @receiver schema: (identifier)? @receiver name: (identifier) @name)
  (keyword_as)? @body) @definition.table
(create_materialized_view
  [(keyword_view) (keyword_exists)] .
  (object_reference database: (identifier)? @receiver schema: (identifier)? @receiver name: (identifier) @name)
  (keyword_as)? @body) @definition.table

(create_function
  (keyword_function) .
  (object_reference database: (identifier)? @receiver schema: (identifier)? @receiver name: (identifier) @name)
  (function_body)? @body) @definition.function
(create_trigger
  (keyword_trigger) .
  (object_reference database: (identifier)? @receiver schema: (identifier)? @receiver name: (identifier) @name)) @definition.function

(create_type
  (keyword_type) .
  (object_reference database: (identifier)? @receiver schema: (identifier)? @receiver name: (identifier) @name)) @definition.type
(enum_elements enum_element: (literal) @name @definition.constant)

(create_index [(keyword_index) (keyword_concurrently) (keyword_exists)] . column: (_) @name) @definition.key
(create_sequence
  [(keyword_sequence) (keyword_exists)] .
  (object_reference schema: (identifier)? @receiver name: (identifier) @name)) @definition.key
(create_role . (keyword_create) . [(keyword_role) (keyword_user) (keyword_group)] . (identifier) @name) @definition.key

; Heads of declarations in what is no statement

(ERROR (keyword_create) @span . [(keyword_function) (keyword_trigger)] .
  (object_reference schema: (identifier)? @receiver name: (identifier) @name) @definition.function)
(ERROR (keyword_create) @span . (keyword_or) . (keyword_replace) . (keyword_function) .
  (object_reference schema: (identifier)? @receiver name: (identifier) @name) @definition.function)
(ERROR (keyword_create) @span . (keyword_table) .
  (object_reference schema: (identifier)? @receiver name: (identifier) @name) @definition.table)

; References

(invocation . (object_reference) @reference.calls)
; The function "_" stands for the body of a trigger: see the masks.
((create_trigger (keyword_execute) . [(keyword_function) (keyword_procedure)] . (object_reference) @reference.calls)
  (#not-eq? @reference.calls "_"))
(column_definition type: (object_reference) @reference.uses)
