; Lua. Functions are symbols wherever they have a name: declared, assigned or fields of a
; table. Variables are those of the file. A name that only stands for another one or for
; a module that is loaded is none. Visible are globals, members of tables and what the
; file returns.

(comment) @comment

((function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import)))
  (#eq? @_require "require"))

(function_declaration name: (identifier) @name body: (block)? @body) @definition.function
(function_declaration
  name: (dot_index_expression table: (_) @receiver field: (identifier) @name)
  body: (block)? @body) @definition.function @exported
(function_declaration
  name: (method_index_expression table: (_) @receiver method: (identifier) @name)
  body: (block)? @body) @definition.method @exported

(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (block)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @receiver field: (identifier) @name))
  (expression_list . value: (function_definition body: (block)? @body))) @definition.function @exported
(assignment_statement
  (variable_list . name: (bracket_index_expression table: (_) @receiver field: (string content: (_) @name)))
  (expression_list . value: (function_definition body: (block)? @body))) @definition.function @exported
(field
  name: [(identifier) @name (string content: (_) @name)]
  value: (function_definition body: (block)? @body)) @definition.function

; What is defined under a condition: "x = y or function"
(assignment_statement
  (variable_list . name: [
    (identifier) @name
    (dot_index_expression table: (_) @receiver field: (identifier) @name @exported)])
  (expression_list . value: (binary_expression right: (function_definition body: (block)? @body)))) @definition.function
(field
  name: [(identifier) @name (string content: (_) @name)]
  value: (binary_expression right: (function_definition body: (block)? @body))) @definition.function

; An empty function has no block.
(function_declaration name: (identifier) @name "end" @body)
(function_declaration name: (_ field: (identifier) @name) "end" @body)
(function_declaration name: (_ method: (identifier) @name) "end" @body)
(assignment_statement
  (variable_list . name: [(identifier) @name (_ field: (identifier) @name)])
  (expression_list . value: (function_definition "end" @body)))
(field name: [(identifier) @name (string content: (_) @name)] value: (function_definition "end" @body))

(variable_declaration (assignment_statement (variable_list . name: (identifier) @name .))) @span
(function_declaration "local" @private name: (identifier) @name)

; Variables of the file

((chunk (variable_declaration (assignment_statement
  (variable_list name: (identifier) @name . attribute: (attribute (identifier) @_attribute))
  (expression_list value: (_) @value))) @definition.constant)
  (#eq? @_attribute "const"))

(chunk (variable_declaration (variable_list name: (identifier) @name)) @definition.variable)
(chunk (variable_declaration (assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list . value: [
    (table_constructor) (number) (string) (true) (false) (nil)
    (binary_expression) (unary_expression) (parenthesized_expression)] @value))) @definition.variable)
((chunk (variable_declaration (assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list . value: (function_call name: (_) @_require) @value))) @definition.variable)
  (#not-eq? @_require "require"))

(chunk (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (_) @value)) @definition.variable @exported)
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @receiver field: (identifier) @name))
  (expression_list . value: (_) @value)) @definition.variable @exported)
((chunk (function_declaration name: (identifier) @name) @exported)
  (#not-match? @exported "^local"))

; What is returned or becomes a member

(chunk (return_statement (expression_list (identifier) @exported.name)))
(chunk (return_statement (expression_list (table_constructor (field value: (identifier) @exported.name)))))
(chunk (return_statement (expression_list (table_constructor
  (field name: (identifier) @name value: (function_definition)) @exported))))
(chunk (return_statement (expression_list (function_call arguments: (arguments . (identifier) @exported.name)))))
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression))
  (expression_list . value: (identifier) @exported.name)))

; References. A module has the name of the variable that it is loaded into.

((function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import.module)))
  (#eq? @_require "require"))
((assignment_statement
    (variable_list . name: (identifier) @import.alias)
    (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @import.module)))))
  (#eq? @_require "require"))

(function_call name: (identifier) @reference.calls)
(function_call name: (dot_index_expression) @reference.calls)
(function_call name: (method_index_expression) @reference.calls)

(return_statement (expression_list . (_) @result.value .))

((parameters name: (identifier) @binding)
  (#set! within "function"))
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @binding)
  (expression_list . value: (_) @binding.value)))
((for_generic_clause (variable_list name: (identifier) @binding))
  (#set! within "function"))
((assignment_statement
    (variable_list . name: (dot_index_expression table: (identifier) @_self field: (identifier) @binding.member))
    (expression_list . value: (_) @binding.value))
  (#eq? @_self "self"))
