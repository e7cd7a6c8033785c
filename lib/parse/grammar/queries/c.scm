; C. A prototype is no symbol, and neither is "extern int x;": the definition is.
; Fields stand in the span of their struct. Macros the grammar does not know leave
; errors in front of names; those lie beside the nodes that count here.

(comment) @comment
((comment) @doc.after (#match? @doc.after "^/[*/][*/!]<"))

(preproc_include path: [(string_literal) (system_lib_string)] @import @import.module)

(compound_statement) @local

; Functions. The declarator may be wrapped in pointers, for a function that returns
; a pointer to a function in parentheses too.

((function_definition
  declarator: [
    (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])
    (pointer_declarator declarator: [
      (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)])
      (pointer_declarator declarator: [
        (function_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))])])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name))))]
  body: (_) @body) @definition.function
  (#not-any-of? @name "if" "else" "for" "while" "switch" "do" "return" "sizeof" "defined"
    "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P" "TEST_BEGIN" "START_TEST"))

; Tests of GoogleTest and its like have the names that it prints, those of Catch2 their
; text. Other functions that a macro heads have the name that is its first argument, those of
; classes the two arguments, and otherwise the name of the macro. To the grammar such a head is
; a call, a declarator in parentheses or a function without type, and the
; body may be a block beside it.

((function_definition
  declarator: (function_declarator
    declarator: (identifier) @_test
    parameters: (parameter_list
      . (parameter_declaration type: (type_identifier) @receiver)
      . (parameter_declaration type: (type_identifier) @name) .))
  body: (_) @body) @definition.function @test
  (#any-of? @_test "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P"))
((translation_unit
  (expression_statement (call_expression
    function: (identifier) @_test
    arguments: (argument_list . (identifier) @receiver . (identifier) @name .))) @definition.function @test
  . (compound_statement) @body @span)
  (#any-of? @_test "TEST" "Test" "TEST_F"))
((translation_unit
  (expression_statement (call_expression
    function: (identifier) @_test
    arguments: (argument_list . (identifier) @name))) @definition.function @test
  . (compound_statement) @body @span)
  (#any-of? @_test "TEST_BEGIN" "START_TEST"))
((translation_unit
  (expression_statement (call_expression
    function: (identifier) @_macro
    arguments: (argument_list . (identifier) @receiver . (identifier) @name .))) @definition.method
  . (compound_statement) @body @span)
  (#constant-case? @_macro)
  (#match? @_macro "_METHOD$"))
((translation_unit
  (expression_statement (call_expression
    function: (identifier) @_macro
    arguments: (argument_list . (identifier) @name) @_arguments) @_call) @definition.function
  . (compound_statement) @body @span)
  (#constant-case? @_macro)
  (#not-match? @_macro "TEST|SCENARIO")
  (#not-match? @_call "^\\w+_METHOD\\s*\\(\\s*\\w+\\s*,\\s*\\w+\\s*\\)$")
  (#match? @_arguments "^\\(\\s*\\w+\\s*[,)]"))
((translation_unit
  (expression_statement (call_expression function: (identifier) @name arguments: (_) @_arguments)) @definition.function
  . (compound_statement) @body @span)
  (#constant-case? @name)
  (#not-match? @name "TEST|SCENARIO")
  (#not-match? @_arguments "^\\(\\s*[A-Za-z_]\\w*\\s*[,)]"))
((function_definition
  type: (type_identifier) @_test
  declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body) @definition.function @test
  (#any-of? @_test "TEST_BEGIN" "START_TEST"))
((function_definition
  type: (type_identifier) @_macro
  declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body) @definition.function
  (#constant-case? @_macro))
((function_definition
  type: (type_identifier) @name
  declarator: (parenthesized_declarator (identifier))
  body: (_) @body) @definition.function
  (#not-constant-case? @name))
((function_definition
  declarator: (function_declarator
    declarator: (identifier) @_test
    parameters: (parameter_list . (parameter_declaration type: (type_identifier) @name) .))
  body: (_) @body) @definition.function @test
  (#any-of? @_test "TEST" "TEST_BEGIN" "START_TEST"))
((translation_unit
  (expression_statement (call_expression
    function: (identifier) @_test
    arguments: (argument_list . (string_literal) @name))) @definition.function @test
  . (compound_statement) @body @span)
  (#any-of? @_test "TEST_CASE" "SCENARIO" "TEST" "TEMPLATE_TEST_CASE" "TEMPLATE_LIST_TEST_CASE"))
((translation_unit
  (expression_statement (call_expression
    function: (identifier) @_test
    arguments: (argument_list . (identifier) @receiver . (string_literal) @name))) @definition.function @test
  . (compound_statement) @body @span)
  (#any-of? @_test "TEST_CASE_METHOD" "TEMPLATE_TEST_CASE_METHOD" "TEST_CASE_PERSISTENT_FIXTURE"))

; Static functions are visible to those who include a header alone

((function_definition
  (storage_class_specifier "static" @private)
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: [
      (function_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))])])
  (#file? "*.c" "*.cc" "*.cpp" "*.cxx" "*.m" "*.mm"))

; Types

(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name value: (_)? @value) @definition.constant

(type_definition type: (_ name: (type_identifier) @name body: (_))) @span

(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum

(type_definition type: (_ body: (_) @body) declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)]) @definition.type

(type_definition type: (_ !body) declarator: [
  (type_identifier) @name
    (primitive_type) @name
  (pointer_declarator declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (pointer_declarator declarator: [(type_identifier) (primitive_type)] @name)
    (function_declarator declarator: [
      (type_identifier) @name
    (primitive_type) @name
      (parenthesized_declarator (pointer_declarator declarator: [(type_identifier) (primitive_type)] @name))])])
  (array_declarator declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (array_declarator declarator: [(type_identifier) (primitive_type)] @name)])
  (function_declarator declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (parenthesized_declarator [(type_identifier) (primitive_type)] @name)
    (parenthesized_declarator (pointer_declarator declarator: [(type_identifier) (primitive_type)] @name))])]) @definition.type

; Macros

((preproc_def name: (identifier) @name value: (_)? @value) @definition.macro
  (#set! within "nothing"))
((preproc_function_def name: (identifier) @name value: (_)? @value) @definition.macro
  (#set! within "nothing"))

; Constants and variables of the file, with their statement unless that declares the
; type in place

((declaration
  (type_qualifier) @_const
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (array_declarator declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)])]
    value: (_) @value)) @definition.constant
  (#any-of? @_const "const" "constexpr"))
((declaration
  declarator: (init_declarator
    declarator: (pointer_declarator (type_qualifier) @_const . declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)])
    value: (_) @value)) @definition.constant
  (#eq? @_const "const"))

((declaration
  type: (_ !body)
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (array_declarator declarator: (identifier) @name)])
    (array_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)])))
    (init_declarator
      declarator: [
        (identifier) @name
        (pointer_declarator declarator: [
          (identifier) @name
          (pointer_declarator declarator: (identifier) @name)
          (array_declarator declarator: (identifier) @name)])
        (array_declarator declarator: [
          (identifier) @name
          (array_declarator declarator: (identifier) @name)])
        (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
          (identifier) @name
          (array_declarator declarator: (identifier) @name)])))]
      value: (_) @value)]) @definition.variable @_declaration
  (#not-match? @_declaration "^extern\\b"))

((declaration
  type: (_ . _ @prefix body: (_))
  declarator: [
    (identifier) @name @definition.variable
    (pointer_declarator declarator: (identifier) @name) @definition.variable
    (array_declarator declarator: (identifier) @name) @definition.variable
    (init_declarator
      declarator: [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (array_declarator declarator: (identifier) @name)]
      value: (_) @value) @definition.variable]))

((declaration
  (storage_class_specifier "static" @private)
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [
      (identifier) @name
      (pointer_declarator declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)])
      (array_declarator declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)])])])
  (#file? "*.c" "*.cc" "*.cpp" "*.cxx" "*.m" "*.mm"))

; References. What a field or a variable holds is no function that is called by its name.

(call_expression function: (identifier) @reference.calls)
(preproc_function_def value: (preproc_arg) @reference.text)
(preproc_def value: (preproc_arg) @reference.text)

; What may be a function that stands as a value

([(initializer_list (identifier) @reference.passes)
  (initializer_pair value: (identifier) @reference.passes)
  (init_declarator value: (identifier) @reference.passes)
  (argument_list (identifier) @reference.passes)
  (assignment_expression right: (identifier) @reference.passes)
  (return_statement (identifier) @reference.passes)
  (conditional_expression consequence: (identifier) @reference.passes)
  (conditional_expression alternative: (identifier) @reference.passes)
  (pointer_expression operator: "&" argument: (identifier) @reference.passes)
  (cast_expression value: (identifier) @reference.passes)]
  (#not-constant-case? @reference.passes))
(initializer_list (identifier) @reference.uses)
(initializer_pair value: (identifier) @reference.uses)
(type_identifier) @reference.uses
((function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @binding)))
  (#set! within "function"))

; Names in functions, which hide functions of their name

((parameter_declaration declarator: [
    (identifier) @binding
    (pointer_declarator declarator: [
      (identifier) @binding
      (pointer_declarator declarator: (identifier) @binding)])
    (array_declarator declarator: (identifier) @binding)])
  (#set! within "function"))
((declaration declarator: [
    (identifier) @binding
    (pointer_declarator declarator: [
      (identifier) @binding
      (pointer_declarator declarator: (identifier) @binding)])
    (array_declarator declarator: (identifier) @binding)
    (init_declarator declarator: [
      (identifier) @binding
      (pointer_declarator declarator: [
        (identifier) @binding
        (pointer_declarator declarator: (identifier) @binding)])
      (array_declarator declarator: (identifier) @binding)])])
  (#set! within "function"))
