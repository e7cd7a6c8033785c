; R. A function is a value assigned to a name. Classes and generics of S4, reference classes and R6 are calls: those of
; R6 have the name of the variable, the others that of their string. What stands in braces in a call is local.

(comment) @comment

((call . function: (identifier) @_import arguments: (arguments . (argument value: [(identifier) (string)] @import)))
  (#any-of? @_import "library" "require" "requireNamespace" "loadNamespace" "source"))
(namespace_operator lhs: (identifier) @import)

(function_definition body: (_) @local)
(argument value: (braced_expression) @local)

; Functions

(binary_operator
  lhs: [(identifier) (string)] @name
  operator: ["<-" "<<-" "=" ":="]
  rhs: (function_definition body: (_) @body)) @definition.function
((binary_operator
  lhs: (identifier) @name @private
  operator: ["<-" "="]
  rhs: (function_definition))
  (#match? @private "^[.]"))
(binary_operator
  lhs: (parenthesized_expression body: (function_definition body: (_) @body))
  operator: ["->" "->>"]
  rhs: [(identifier) (string)] @name) @definition.function
(binary_operator
  lhs: (extract_operator lhs: (identifier) @receiver rhs: (identifier) @name)
  operator: ["<-" "<<-" "="]
  rhs: (function_definition body: (_) @body)) @definition.function
(binary_operator
  lhs: (identifier) @name
  operator: "<-"
  rhs: (binary_operator operator: "<-" rhs: (function_definition body: (_) @body))) @definition.function
(binary_operator operator: ["<-" "="] rhs: (binary_operator lhs: (identifier) @name operator: ["<-" "="])) @span
((call . function: (identifier) @_assign
    arguments: (arguments . (argument value: (string) @name)
      (argument value: (function_definition body: (_) @body)))) @definition.function
  (#any-of? @_assign "setGeneric" "assign"))

; Classes

((binary_operator
  lhs: (identifier) @name
  rhs: (call . function: [(identifier) @_class (namespace_operator rhs: (identifier) @_class)]
    arguments: (arguments "(" @body))) @definition.class
  (#any-of? @_class "R6Class" "ggproto" "new_class"))
((call . function: (identifier) @_class
    arguments: (arguments "(" @body . (argument value: (string) @name))) @definition.class
  (#any-of? @_class "setClass" "setRefClass"))
((binary_operator rhs: (call . function: (identifier) @_class
    arguments: (arguments . (argument value: (string) @name)))) @span
  (#any-of? @_class "setClass" "setRefClass"))
((call . function: (identifier) @_class
    arguments: (arguments . (argument value: (string) @name))) @definition.type
  (#eq? @_class "setClassUnion"))

((argument . name: (identifier) @_members value: (call arguments: (arguments
    (argument . name: (identifier) @name value: (function_definition body: (_) @body)) @definition.method)))
  (#any-of? @_members "public" "private" "active" "methods")
  (#set! within "type"))
((argument . name: (identifier) @_members value: (call arguments: (arguments
    (argument . name: (identifier) @name value: (_) @value) @definition.field)))
  (#any-of? @_members "public" "private" "fields" "slots" "representation" "properties")
  (#set! within "type"))
((argument . name: (identifier) @_members value: (call arguments: (arguments
    (argument . name: (identifier) @name @private))))
  (#eq? @_members "private"))
((argument value: (call . function: (identifier) @_members arguments: (arguments
    (argument . name: (identifier) @name value: (_) @value) @definition.field)))
  (#eq? @_members "representation")
  (#set! within "type"))
((call . function: (identifier) @_class arguments: (arguments
    (argument . name: (identifier) @name value: (function_definition body: (_) @body)) @definition.method))
  (#eq? @_class "ggproto"))
((call . function: (extract_operator lhs: (identifier) @receiver rhs: (identifier) @_methods) arguments: (arguments
    (argument . name: (identifier) @name value: (function_definition body: (_) @body)) @definition.method))
  (#eq? @_methods "methods"))

((call . function: (identifier) @_method
    arguments: (arguments
      . (argument value: (string) @name)
      . (comma)
      . (argument value: [(string) @receiver (call arguments: (arguments . (argument value: (string) @receiver)))])
      (argument value: (function_definition body: (_) @body)))) @definition.method
  (#any-of? @_method "setMethod" "setReplaceMethod"))

; Tests

((call . function: (identifier) @_test
    arguments: (arguments . (argument value: (string) @name) . (comma) . (argument value: (braced_expression) @body))) @definition.function @test
  (#any-of? @_test "test_that" "describe" "it"))

; Variables

((binary_operator lhs: (identifier) @name operator: ["<-" "<<-" "="] rhs: (_) @value) @definition.constant
  (#constant-case? @name))
((binary_operator lhs: (identifier) @name operator: ["<-" "<<-" "="] rhs: (_) @value) @definition.variable
  (#not-match? @value "^set(Ref)?Class\\("))
(binary_operator lhs: (_) @value operator: ["->" "->>"] rhs: (identifier) @name) @definition.variable

; References

((call function: (identifier) @_library arguments: (arguments . argument: (argument value: (identifier) @import.module)))
  (#any-of? @_library "library" "require" "requireNamespace"))
((call function: (identifier) @_source arguments: (arguments . argument: (argument value: (string (string_content) @import.module))))
  (#any-of? @_source "library" "source" "requireNamespace"))
(call function: (identifier) @reference.calls)
(call function: (namespace_operator) @reference.calls)

((parameter name: (identifier) @binding)
  (#set! within "function"))
