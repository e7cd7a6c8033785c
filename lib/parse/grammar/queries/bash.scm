; Bash, sh, ksh and bats, and zsh as mask.PlainShell leaves it. Variables are those that
; are assigned outside of functions; "A=1 command" and assignments in subshells set none.

(comment) @comment

((command
  name: (command_name (word) @_source)
  . argument: (_) @import)
  (#any-of? @_source "." "source"))
((command
  name: (command_name (word) @_source)
  argument: (_) @import)
  (#eq? @_source "load")
  (#file? "*.bats" "*.bash"))

; A test of bats, behind its mask: its name is piped into its body.
((pipeline
  . (command
    name: (command_name (word) @_test)
    . argument: [(string . (string_content) @name .) (raw_string) @name (word) @name])
  . (compound_statement) @body) @definition.function @test
  (#eq? @_test "@test"))

(function_definition name: (word) @name body: (_) @body) @definition.function

((command
  name: (command_name (word) @_alias)
  argument: [(concatenation . (word) @name) (word) @name]) @definition.macro
  (#eq? @_alias "alias")
  (#match? @name "^[^=-].*=")
  (#set! name "="))

((command (variable_assignment name: (variable_name) @name)) @definition.field
  (#set! within "type"))
(subshell) @local
(command_substitution) @local
(process_substitution) @local
(pipeline) @local

((declaration_command
  ["declare" "typeset" "export"]
  (word) @_flag
  (variable_assignment name: (variable_name) @name value: (_)? @value)) @definition.constant
  (#match? @_flag "^-[a-zA-Z]*r"))
(declaration_command
  "readonly" (variable_assignment name: (variable_name) @name value: (_)? @value)) @definition.constant
(declaration_command
  (variable_assignment name: (variable_name) @name value: (_)? @value)) @definition.variable
(declaration_command ["declare" "typeset"] (variable_name) @name) @definition.variable
(variable_assignment name: (variable_name) @name value: (_)? @value) @definition.variable

; References

((command name: (command_name (word) @_source) . argument: [(word) (string) (raw_string) (concatenation)] @import.module)
  (#any-of? @_source "source" "." "load"))
(command name: (command_name (word) @reference.calls))
