; ZON, the data of Zig, behind its masks: the keys at the top are fields.

(comment) @comment

((container_field name: (identifier) @name) @definition.key
  (#set! most "200"))
((container_field
  name: (identifier) @_of
  (anonymous_struct_initializer (initializer_list
    (assignment_expression left: (field_expression member: (identifier) @name @import)) @definition.key)))
  (#eq? @_of "dependencies"))
((container_field name: (identifier) @_name (field_expression member: (identifier) @package))
  (#eq? @_name "name"))
((container_field name: (identifier) @_name (string) @package)
  (#eq? @_name "name"))
