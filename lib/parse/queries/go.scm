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

(const_declaration "const" @prefix
  (const_spec name: (identifier) @name value: (_)? @value) @definition.constant)
((const_declaration . "const" . (const_spec name: (identifier) @name) .) @span
  (#not-match? @span "^const\\s*\\("))

(var_declaration "var" @prefix
  (var_spec name: (identifier) @name value: (_)? @value) @definition.variable)
(var_declaration "var" @prefix (var_spec_list
  (var_spec name: (identifier) @name value: (_)? @value) @definition.variable))
(var_declaration . "var" . (var_spec name: (identifier) @name)) @span
