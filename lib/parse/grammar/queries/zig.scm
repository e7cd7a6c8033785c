; Zig. A type is the value of a constant; its functions are methods, its fields stand in its span. A private
; constant that only names an imported file is an import and no symbol.

(comment) @comment

((builtin_function (builtin_identifier) @_import (arguments . (string) @import))
  (#any-of? @_import "@import" "@embedFile" "@cImport"))
((builtin_function (builtin_identifier) @_import (arguments . (string) @import))
  (#eq? @_import "@cInclude"))

(function_declaration ["pub" "export"]? @exported name: (identifier) @name body: (block)? @body) @definition.function

(test_declaration [(string) (identifier)] @name (block) @body @test) @definition.function
(test_declaration . "test" . (block) @local)
(comptime_declaration (block) @local)

(variable_declaration "pub"? @exported (identifier) @name "=" . (struct_declaration "{" @body)) @definition.struct
(variable_declaration "pub"? @exported (identifier) @name "=" . (union_declaration "{" @body)) @definition.struct
(variable_declaration "pub"? @exported (identifier) @name "=" . (enum_declaration "{" @body)) @definition.enum
(variable_declaration "pub"? @exported (identifier) @name "=" . (opaque_declaration "{" @body)) @definition.type
(variable_declaration "pub"? @exported (identifier) @name "=" . (error_set_declaration "{" @body)) @definition.type

; A generic type is the value that a function returns
(return_expression [(struct_declaration) (union_declaration) (enum_declaration) (opaque_declaration)] @scope)

(enum_declaration (container_field name: (identifier) @name @exported) @definition.constant)
(variable_declaration (error_set_declaration (identifier) @name @exported @definition.constant))

(variable_declaration ["pub" "export"] @exported "const" . (identifier) @name "=" . (_)? @value) @definition.constant
((variable_declaration . "const" . (identifier) @name "=" . (_)? @value) @definition.constant
  (#not-match? @value "^@import\\b"))
(variable_declaration ["pub" "export"]? @exported "var" . (identifier) @name) @definition.variable
(variable_declaration "var" . (identifier) @name "=" . (_) @value)

; References. What is imported has the name of its constant.

((builtin_function (builtin_identifier) @_import (arguments . (string (string_content) @import.module)))
  (#eq? @_import "@import"))
((variable_declaration (identifier) @import.alias
    (builtin_function (builtin_identifier) @_import (arguments . (string (string_content) @import.module))))
  (#eq? @_import "@import"))
((variable_declaration (identifier) @import.alias
    (field_expression
      object: (builtin_function (builtin_identifier) @_import (arguments . (string (string_content) @import.module)))
      member: (identifier) @import.name))
  (#eq? @_import "@import"))

(call_expression function: (identifier) @reference.calls)
(call_expression function: (field_expression object: (_)) @reference.calls)
(struct_initializer . (identifier) @reference.instantiates)
(struct_initializer . (field_expression) @reference.instantiates)
(parameter type: (_) @reference.uses)
(container_field type: (_) @reference.uses)

(function_declaration type: (_) @result)

(block) @binding.scope
((parameter name: (identifier) @binding type: (_) @binding.type)
  (#set! within "function"))
(container_field name: (identifier) @binding type: (_) @binding.type)
(variable_declaration (identifier) @binding type: (_)? @binding.type "=" (_) @binding.value)
