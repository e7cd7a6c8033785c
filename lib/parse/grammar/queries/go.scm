; Go. Methods of interfaces and fields of structs are no symbols of their own: they
; stand in the span of their type. Types, constants and variables inside functions
; are local.

(comment) @comment

(package_clause (package_identifier) @package)
(import_spec path: (_) @import)

(func_literal body: (block) @local)

(function_declaration
  name: (identifier) @name
  body: (block)? @body) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: [
      (type_identifier) @receiver
      (generic_type type: (type_identifier) @receiver)
      (pointer_type [
        (type_identifier) @receiver
        (generic_type type: (type_identifier) @receiver)])
      (parenthesized_type (_ (type_identifier) @receiver))
    ]))
  name: (field_identifier) @name
  body: (block)? @body) @definition.method

((type_declaration "type" @prefix
  (type_spec name: (type_identifier) @name
    type: (struct_type (field_declaration_list) @body)) @definition.struct)
  (#set! within "file"))

((type_declaration "type" @prefix
  (type_spec name: (type_identifier) @name
    type: (interface_type "{" @body)) @definition.interface)
  (#set! within "file"))

((type_declaration "type" @prefix
  [(type_spec name: (type_identifier) @name type: (_) @value)
   (type_alias name: (type_identifier) @name type: (_) @value)] @definition.type)
  (#set! within "file"))

((type_declaration . "type" . [
  (type_spec name: (type_identifier) @name)
  (type_alias name: (type_identifier) @name)] .) @span
  (#not-match? @span "^type\\s*\\("))

; The grammar makes the commas names too, so that of a list with "name:" only the first would match.
(const_declaration "const" @prefix
  (const_spec (identifier) @name value: (_)? @value) @definition.constant)
((const_declaration . "const" . (const_spec (identifier) @name) .) @span
  (#not-match? @span "^const\\s*\\("))

(var_declaration "var" @prefix
  (var_spec name: (identifier) @name value: (_)? @value) @definition.variable)
(var_declaration "var" @prefix (var_spec_list
  (var_spec name: (identifier) @name value: (_)? @value) @definition.variable))
(var_declaration . "var" . (var_spec name: (identifier) @name)) @span

; References.

(import_spec name: (_)? @import.alias path: (_) @import.module)

((call_expression function: (_) @reference.calls)
  (#not-any-of? @reference.calls "append" "cap" "clear" "close" "complex" "copy" "delete" "imag" "len" "make" "max" "min" "new" "panic" "print"
    "println" "real" "recover" "bool" "byte" "error" "float32" "float64" "int" "int16" "int32" "int64" "int8" "rune" "string" "uint" "uint16"
    "uint32" "uint64" "uint8" "uintptr"))
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @reference.instantiates)

(struct_type (field_declaration_list (field_declaration !name type: (_) @reference.embeds)))
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @reference.embeds .))

; What may be a function that stands as a value.
(argument_list [(identifier) (selector_expression)] @reference.passes)
(literal_value (literal_element [(identifier) (selector_expression)] @reference.passes))
(keyed_element (_) . (literal_element [(identifier) (selector_expression)] @reference.passes))
(assignment_statement right: (expression_list [(identifier) (selector_expression)] @reference.passes))
(short_var_declaration right: (expression_list [(identifier) (selector_expression)] @reference.passes))
(var_spec value: (expression_list [(identifier) (selector_expression)] @reference.passes))
(return_statement (expression_list [(identifier) (selector_expression)] @reference.passes))

; An embedded type is a field by its name.
(struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @binding @binding.type
  (qualified_type name: (_) @binding) @binding.type
  (generic_type type: [(type_identifier) @binding (qualified_type name: (_) @binding)]) @binding.type])))

(qualified_type) @reference.uses
((type_identifier) @reference.uses
  (#not-any-of? @reference.uses "any" "bool" "byte" "comparable" "complex128" "complex64" "error" "float32" "float64" "int" "int16"
    "int32" "int64" "int8" "rune" "string" "uint" "uint16" "uint32" "uint64" "uint8" "uintptr"))

(method_elem name: (field_identifier) @member.method parameters: (_) @member.signature result: (_)? @member.signature @result)
((function_declaration result: (_) @result)
  (#not-any-of? @result "bool" "byte" "error" "float32" "float64" "int" "int16" "int32" "int64" "int8" "rune" "string" "uint" "uint16"
    "uint32" "uint64" "uint8" "uintptr" "[]byte" "[]string"))
((method_declaration result: (_) @result)
  (#not-any-of? @result "bool" "byte" "error" "float32" "float64" "int" "int16" "int32" "int64" "int8" "rune" "string" "uint" "uint16"
    "uint32" "uint64" "uint8" "uintptr" "[]byte" "[]string"))

; What a type stands for.
(type_alias type: (_) @result)
(type_spec type: [(type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type) (array_type) (map_type) (channel_type)] @result)

; A name is known in the innermost of these around it.
(func_literal) @binding.scope
(block) @binding.scope
(if_statement) @binding.scope
(for_statement) @binding.scope
(expression_switch_statement) @binding.scope
(type_switch_statement) @binding.scope
(expression_case) @binding.scope
(default_case) @binding.scope
(communication_case) @binding.scope

((field_declaration name: (field_identifier) @binding type: (_) @binding.type)
  (#not-any-of? @binding.type "bool" "byte" "error" "float32" "float64" "int" "int16" "int32" "int64" "int8" "rune" "string" "uint" "uint16"
    "uint32" "uint64" "uint8" "uintptr" "[]byte" "[]string")
  (#set! within "type"))
((parameter_declaration name: (identifier) @binding type: (_) @binding.type)
  (#set! within "function"))
((variadic_parameter_declaration name: (identifier) @binding type: (_) @binding.list)
  (#set! within "function"))
((type_parameter_declaration name: (identifier) @binding)
  (#set! within "function"))
(type_spec type_parameters: (type_parameter_list (type_parameter_declaration name: (identifier) @binding))) @binding.scope
((short_var_declaration left: (_) @binding right: (_) @binding.value)
  (#set! within "function"))
(var_spec name: (identifier) @binding type: (_)? @binding.type value: (_)? @binding.value)
((const_spec (identifier) @binding)
  (#set! within "function"))
((range_clause left: (_) @binding right: (_) @binding.element)
  (#set! within "function"))
(receive_statement left: (_) @binding right: (_) @binding.value)
(type_switch_statement alias: (_) @binding)
(type_switch_statement alias: (_) @binding
  (type_case type: (_) @binding.type) @binding.scope)
