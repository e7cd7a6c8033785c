; Python. Assignments inside functions are local, and so are attributes of self. What
; stands under "if", "try" or "with" counts for the scope around it.

(comment) @comment
(decorator) @attribute

(import_statement name: [
  (dotted_name) @import
  (aliased_import name: (dotted_name) @import)])
(import_from_statement module_name: (_) @import)
(future_import_statement "__future__" @import)

(function_definition
  name: (identifier) @name
  body: (block) @body) @definition.function

(function_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)))

(class_definition
  name: (identifier) @name
  body: (block) @body) @definition.class

(class_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)))

(type_alias_statement
  left: (type [(identifier) @name (generic_type . (identifier) @name)])
  right: (_) @value) @definition.type

(lambda body: (_) @body) @function

((expression_statement
  (assignment left: (identifier) @name right: (_)? @value)) @definition.constant
  (#constant-case? @name))

(expression_statement
  (assignment left: (identifier) @name right: (_)? @value)) @definition.variable

((expression_statement
  (assignment
    left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]
    right: (_) @value)) @definition.constant
  (#constant-case? @name))

(expression_statement
  (assignment
    left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]
    right: (_) @value)) @definition.variable

; a = b = c = value

((expression_statement (assignment right: [
    (assignment left: (identifier) @name right: (_) @value)
    (assignment right: (assignment left: (identifier) @name right: (_) @value))])) @definition.constant
  (#constant-case? @name))

(expression_statement (assignment right: [
  (assignment left: (identifier) @name right: (_) @value)
  (assignment right: (assignment left: (identifier) @name right: (_) @value))])) @definition.variable
