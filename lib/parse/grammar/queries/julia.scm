; Julia. Each method of a function is a symbol; one that extends a function of another
; module has that in its qualified name. A string above a definition documents it. Data count
; at the top of a file or module.

[(line_comment) (block_comment)] @comment
(source_file (string_literal) @doc.before)
(module_definition (block (string_literal) @doc.before))
(block (string_literal) @doc.before)
(macrocall_expression
  . [(macro_identifier) (field_expression)] @attribute
  (macro_argument_list . [(function_definition) (assignment) (struct_definition) (macro_definition)]))

(using_statement [(identifier) (import_path)] @import)
(using_statement (selected_import . (_) @import))
(import_statement [(identifier) (import_path)] @import)
(import_statement (selected_import . (_) @import))
((call_expression (identifier) @_include (argument_list . (string_literal) @import .))
  (#eq? @_include "include"))

(export_statement [(identifier) @exported.name (macro_identifier (identifier) @exported.name)])
(public_statement [(identifier) @exported.name (macro_identifier (identifier) @exported.name)])

(module_definition name: (identifier) @name (block)? @body) @definition.module @exported

; Types

(struct_definition
  (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . (identifier) @name)
    (binary_expression . (parametrized_type_expression . (identifier) @name))])
  (block)? @body) @definition.struct
(abstract_definition
  (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])])) @definition.type
(primitive_definition
  (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])])) @definition.type
((macrocall_expression (macro_identifier (identifier) @_enum)
  (macro_argument_list . [(identifier) @name (typed_expression . (identifier) @name)])) @definition.enum
  (#eq? @_enum "enum"))
((macrocall_expression (macro_identifier (identifier) @_enum)
  (macro_argument_list . (_) [(identifier) @name @definition.constant (assignment . (identifier) @name) @definition.constant]))
  (#eq? @_enum "enum"))

; Functions: the head is a call, perhaps with the type of the result and "where"

(function_definition (signature (identifier) @name) "end" @body) @definition.function
(function_definition (signature (call_expression . [
  (identifier) @name
  (parametrized_type_expression . [(identifier) @name (field_expression value: (_) @receiver (identifier) @name)])
  (parenthesized_expression . (operator) @name)
  (operator) @name
  (field_expression value: (_) @receiver [(identifier) @name (quote_expression [(operator) @name (parenthesized_expression (operator) @name)])])
  (parenthesized_expression (typed_expression (_) . (identifier) @name .))])) [(block) "end"] @body) @definition.function
(function_definition (signature (typed_expression . (call_expression . [
  (identifier) @name
  (parametrized_type_expression . [(identifier) @name (field_expression value: (_) @receiver (identifier) @name)])
  (field_expression value: (_) @receiver (identifier) @name)]))) [(block) "end"] @body) @definition.function
(function_definition (signature (where_expression . (call_expression . [
  (identifier) @name
  (parametrized_type_expression . [(identifier) @name (field_expression value: (_) @receiver (identifier) @name)])
  (parenthesized_expression . (operator) @name)
  (operator) @name
  (field_expression value: (_) @receiver [(identifier) @name (quote_expression [(operator) @name (parenthesized_expression (operator) @name)])])
  (parenthesized_expression (typed_expression (_) . (identifier) @name .))]))) [(block) "end"] @body) @definition.function
(function_definition (signature (where_expression . (typed_expression . (call_expression . [
  (identifier) @name
  (parametrized_type_expression . [(identifier) @name (field_expression value: (_) @receiver (identifier) @name)])
  (field_expression value: (_) @receiver (identifier) @name)])))) [(block) "end"] @body) @definition.function

(assignment . (call_expression . [
  (identifier) @name
  (parametrized_type_expression . [(identifier) @name (field_expression value: (_) @receiver (identifier) @name)])
  (parenthesized_expression . (operator) @name)
  (operator) @name
  (field_expression value: (_) @receiver [(identifier) @name (quote_expression [(operator) @name (parenthesized_expression (operator) @name)])])
  (parenthesized_expression (typed_expression (_) . (identifier) @name .))])) @definition.function
(assignment . (typed_expression . (call_expression . [
  (identifier) @name
  (parametrized_type_expression . [(identifier) @name (field_expression value: (_) @receiver (identifier) @name)])
  (field_expression value: (_) @receiver (identifier) @name)]))) @definition.function
(assignment . (where_expression . (call_expression . [
  (identifier) @name
  (parametrized_type_expression . [(identifier) @name (field_expression value: (_) @receiver (identifier) @name)])
  (parenthesized_expression . (operator) @name)
  (operator) @name
  (field_expression value: (_) @receiver [(identifier) @name (quote_expression [(operator) @name (parenthesized_expression (operator) @name)])])
  (parenthesized_expression (typed_expression (_) . (identifier) @name .))]))) @definition.function
(assignment . (where_expression . (typed_expression . (call_expression . [
  (identifier) @name
  (parametrized_type_expression . [(identifier) @name (field_expression value: (_) @receiver (identifier) @name)])
  (field_expression value: (_) @receiver (identifier) @name)])))) @definition.function

(macro_definition (signature (call_expression . (identifier) @name)) [(block) "end"] @body) @definition.macro
(macro_definition (signature (identifier) @name)) @definition.macro

; Tests

((macrocall_expression
  (macro_identifier (identifier) @_test)
  (macro_argument_list (string_literal) @name . [(compound_statement) (for_statement) (let_statement)] @body .)) @definition.module @test
  (#any-of? @_test "testset" "testitem"))

; Data of a file or module

[(let_statement) (for_statement) (while_statement) (struct_definition) (quote_statement) (do_clause) (try_statement)] @local
(arrow_function_expression) @local
(call_expression (argument_list)) @local
(tuple_expression) @local

(const_statement (assignment . (identifier) @name . (operator) . (_) @value)) @definition.constant
(const_statement (assignment . (typed_expression . (identifier) @name) . (operator) . (_) @value)) @definition.constant
(const_statement (assignment . [(open_tuple (identifier) @name) (tuple_expression (identifier) @name)])) @definition.constant
(const_statement (global_statement (assignment . (identifier) @name . (operator) . (_) @value))) @definition.constant
(source_file (assignment . (identifier) @name . (operator) . (_) @value) @definition.variable)
(module_definition (block (assignment . (identifier) @name . (operator) . (_) @value) @definition.variable))
(global_statement (assignment . (identifier) @name . (operator) . (_) @value)) @definition.variable

; References

(using_statement [(identifier) (import_path)] @import.module)
(import_statement [(identifier) (import_path)] @import.module)
(selected_import . (_) @import.module (identifier) @import.name)
((call_expression . (identifier) @_include (argument_list . (string_literal (content) @import.module)))
  (#eq? @_include "include"))

(call_expression . (identifier) @reference.calls)
(call_expression . (field_expression) @reference.calls)
(broadcast_call_expression . (identifier) @reference.calls)
(broadcast_call_expression . (field_expression) @reference.calls)
(type_head (binary_expression (identifier) . (operator) . (identifier) @reference.extends))
(typed_expression (_) . (identifier) @reference.uses)

((argument_list (typed_expression . (identifier) @binding . (identifier) @binding.type))
  (#set! within "function"))
((assignment . (identifier) @binding . (operator) . (_) @binding.value)
  (#set! within "function"))
