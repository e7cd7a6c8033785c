; OCaml, implementations and interfaces. Bindings of a module are functions if they have
; parameters or are "fun" or "function", else constants; those in expressions count only
; as functions. A binding begins at its "let", "type" or "and".

(comment) @comment
((comment) @doc.after (#match? @doc.after "^\\(\\*\\*[^*]"))

(open_module module: (_) @import)
(include_module module: (module_path) @import)

(let_expression) @local
(parenthesized_expression) @local
(object_expression) @local
(item_attribute) @local
(extension) @local

; Values

(let_binding
  pattern: [(value_name) @name (parenthesized_operator (_) @name)]
  (parameter)
  "=" @body) @definition.function
(let_binding
  pattern: [(value_name) @name (parenthesized_operator (_) @name)]
  body: [
    (fun_expression (parameter) "->" @body)
    (function_expression "function" @body)]) @definition.function
(let_binding
  pattern: [
    (value_name) @name
    (typed_pattern pattern: (value_name) @name)
    (parenthesized_operator (_) @name)]
  body: (_) @value) @definition.constant
(let_binding
  pattern: (parenthesized_pattern (tuple_pattern (value_name) @name))
  body: (_) @value) @definition.constant
(let_binding
  pattern: (tuple_pattern (value_name) @name)
  body: (_) @value) @definition.constant
(value_definition ["let" "and"] @span
  . (let_binding pattern: [
    (value_name) @name
    (typed_pattern pattern: (value_name) @name)
    (parenthesized_operator (_) @name)]))
(value_definition . [(attribute) (attribute_id)] . (let_binding pattern: (value_name) @name) .) @span

((value_definition
  (attribute_id) @_test
  (let_binding pattern: (string (string_content) @name))) @definition.function @test
  (#any-of? @_test "test" "test_unit" "expect_test" "test_module" "bench"))

(external . [(value_name) @name (parenthesized_operator (_) @name)]) @definition.function
(value_specification
  . [(value_name) @name (parenthesized_operator (_) @name)]
  type: (function_type)) @definition.function
(value_specification
  . [(value_name) @name (parenthesized_operator (_) @name)]
  type: (polymorphic_type type: (function_type))) @definition.function
(value_specification
  . [(value_name) @name (parenthesized_operator (_) @name)]) @definition.constant

; Types

(type_binding name: (type_constructor) @name) @definition.type
(type_definition ["type" "and"] @span . (type_binding name: (type_constructor) @name))
(constructor_declaration . [(constructor_name) @name (_ (constructor_name) @name)]) @definition.constant
(exception_definition (constructor_declaration . (constructor_name) @name)) @definition.type
(exception_definition (constructor_declaration . (constructor_name) @name)) @span

; Modules and classes

(module_binding . (module_name) @name body: (structure) @body) @definition.module
(module_binding . (module_name) @name module_type: (signature) @body) @definition.module
(module_binding . (module_name) @name) @definition.module
(module_definition ["module" "and"] @span . (module_binding . (module_name) @name))
(module_type_definition . (module_type_name) @name body: (signature) @body) @definition.interface
(module_type_definition . (module_type_name) @name) @definition.interface

(class_binding (class_name) @name body: (_) @body) @definition.class
(class_binding (class_name) @name) @definition.class
(class_definition ["class" "and"] @span . (class_binding (class_name) @name))
(class_type_binding (class_type_name) @name body: (_) @body) @definition.interface
(class_type_definition ["class" "and"] @span . (class_type_binding (class_type_name) @name))

(method_definition (method_name) @name "=" @body) @definition.method
(method_definition (method_name) @name) @definition.method
(method_definition "private" @private (method_name) @name)
(method_specification (method_name) @name) @definition.method
(method_specification "private" @private (method_name) @name)
(instance_variable_definition (instance_variable_name) @name body: (_) @value) @definition.field

; References. A path begins with a module, which may be a file.

(open_module module: (_) @import.module)
(include_module module: (module_path) @import.module)
(module_binding (module_name) @import.alias body: (module_path) @import.module)

(application_expression function: (value_path) @reference.calls)
((infix_expression operator: (_) @_pipe right: (value_path) @reference.calls)
  (#any-of? @_pipe "|>" ">>=" ">>|"))
((infix_expression left: (value_path) @reference.calls operator: (_) @_apply)
  (#eq? @_apply "@@"))
(type_constructor_path) @reference.uses
(inheritance_definition (_) @reference.extends)

((parameter pattern: (value_pattern) @binding)
  (#set! within "function"))
((parameter pattern: (parenthesized_pattern (value_pattern) @binding))
  (#set! within "function"))
((let_binding pattern: (value_name) @binding)
  (#set! within "function"))
