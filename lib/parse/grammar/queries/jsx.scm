; JSX, in JavaScript and TSX. Elements whose names begin with a capital or have a dot are components.

((jsx_opening_element name: (identifier) @reference.calls)
  (#match? @reference.calls "^[A-Z]"))
(jsx_opening_element name: (member_expression) @reference.calls)
((jsx_self_closing_element name: (identifier) @reference.calls)
  (#match? @reference.calls "^[A-Z]"))
(jsx_self_closing_element name: (member_expression) @reference.calls)
(jsx_expression [(identifier) (member_expression)] @reference.passes)
