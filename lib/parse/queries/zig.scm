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

(enum_declaration (container_field name: (identifier) @name @exported) @definition.constant)
(variable_declaration (error_set_declaration (identifier) @name @exported @definition.constant))

(variable_declaration ["pub" "export"] @exported "const" . (identifier) @name "=" . (_)? @value) @definition.constant
((variable_declaration . "const" . (identifier) @name "=" . (_)? @value) @definition.constant
  (#not-match? @value "^@import\\b"))
(variable_declaration ["pub" "export"]? @exported "var" . (identifier) @name) @definition.variable
(variable_declaration "var" . (identifier) @name "=" . (_) @value)
