; Rust. Members of an implementation are members of its type, or of its trait if the type
; has no name. What is "pub" within bounds, such as "pub(crate)", is not exported; variants, items of
; traits and of their implementations have no mark of their own. Fields stand in the
; span of their struct.

(line_comment) @comment
(block_comment) @comment

; Attributes

(attribute_item) @attribute
((attribute_item (attribute . (identifier) @_test)) @attribute.test
  (#any-of? @_test "test" "bench" "rstest" "test_case" "proptest" "quickcheck" "wasm_bindgen_test"))
((attribute_item (attribute . (scoped_identifier name: (identifier) @_test))) @attribute.test
  (#any-of? @_test "test" "bench"))
((attribute_item (attribute . (identifier) @_cfg arguments: (token_tree . (identifier) @_test .))) @attribute.test
  (#eq? @_cfg "cfg")
  (#eq? @_test "test"))
((attribute_item (attribute . (identifier) @_cfg
    arguments: (token_tree . (identifier) @_all . (token_tree (identifier) @_test)))) @attribute.test
  (#eq? @_cfg "cfg")
  (#eq? @_all "all")
  (#eq? @_test "test"))

((attribute_item (attribute . (identifier) @_export)) @attribute.exported
  (#eq? @_export "macro_export"))
((attribute_item (attribute . (identifier) @_doc value: [(string_literal) (raw_string_literal)] @doc.before))
  (#eq? @_doc "doc"))

; Imports

(use_declaration argument: (_) @import)
(extern_crate_declaration name: (identifier) @import)

; Functions

(function_item
  name: [(identifier) (metavariable)] @name
  body: (block) @body) @definition.function
(function_signature_item
  name: [(identifier) (metavariable)] @name) @definition.function
(macro_definition
  name: (identifier) @name
  ["(" "[" "{"] @body) @definition.macro

; Types

(struct_item
  name: (type_identifier) @name
  body: (field_declaration_list)? @body) @definition.struct
(union_item
  name: (type_identifier) @name
  body: (field_declaration_list) @body) @definition.struct
(enum_item
  name: (type_identifier) @name
  body: (enum_variant_list) @body) @definition.enum
(trait_item
  name: (type_identifier) @name
  body: (declaration_list) @body) @definition.trait
(type_item
  name: (type_identifier) @name
  type: (_) @value) @definition.type
(associated_type
  name: (type_identifier) @name) @definition.type
(mod_item
  name: (identifier) @name
  body: (declaration_list)? @body) @definition.module
(mod_item
  name: (identifier) @name
  body: (declaration_list . (line_comment (inner_doc_comment_marker)) @doc))

; Data

(enum_variant
  name: (identifier) @name
  body: (_)? @value) @definition.constant @exported
(const_item
  name: (identifier) @name
  value: (_)? @value) @definition.constant
(static_item
  name: (identifier) @name
  value: (_)? @value) @definition.variable

(block) @local

; What a macro is given may be items: those of "cfg_rt! { ... }"

(macro_invocation (token_tree . "{") @embedded.rust)

; Members

(impl_item type: [
  [(type_identifier) (primitive_type)] @receiver
  (scoped_type_identifier name: (type_identifier) @receiver)
  (generic_type type: [
    (type_identifier) @receiver
    (scoped_type_identifier name: (type_identifier) @receiver)])
  (reference_type type: [
    [(type_identifier) (primitive_type)] @receiver
    (scoped_type_identifier name: (type_identifier) @receiver)
    (generic_type type: [
      (type_identifier) @receiver
      (scoped_type_identifier name: (type_identifier) @receiver)])])
  (dynamic_type trait: [
    (type_identifier) @receiver
    (scoped_type_identifier name: (type_identifier) @receiver)
    (generic_type type: (type_identifier) @receiver)])
  (bounded_type . (dynamic_type trait: (type_identifier) @receiver))
]) @scope

(impl_item
  trait: [
    (type_identifier) @receiver
    (scoped_type_identifier name: (type_identifier) @receiver)
    (generic_type type: [
      (type_identifier) @receiver
      (scoped_type_identifier name: (type_identifier) @receiver)])]
  type: [(array_type) (tuple_type) (unit_type) (pointer_type) (function_type) (never_type)
    (reference_type type: [(array_type) (tuple_type) (dynamic_type) (bounded_type)])]) @scope

; Visibility

([(function_item (visibility_modifier) @exported name: (_) @name)
  (function_signature_item (visibility_modifier) @exported name: (_) @name)
  (struct_item (visibility_modifier) @exported name: (_) @name)
  (union_item (visibility_modifier) @exported name: (_) @name)
  (enum_item (visibility_modifier) @exported name: (_) @name)
  (trait_item (visibility_modifier) @exported name: (_) @name)
  (type_item (visibility_modifier) @exported name: (_) @name)
  (mod_item (visibility_modifier) @exported name: (_) @name)
  (const_item (visibility_modifier) @exported name: (_) @name)
  (static_item (visibility_modifier) @exported name: (_) @name)]
  (#eq? @exported "pub"))

(trait_item body: (declaration_list (_ name: (_) @name @exported)))
(impl_item trait: (_) body: (declaration_list (_ name: (_) @name @exported)))

; References

(use_declaration argument: [(identifier) (crate) (self) (super)] @import.module)
(use_declaration argument: (scoped_identifier path: (_) @import.module name: (_) @import.name))
(use_declaration argument: (use_wildcard (_) @import.module "*" @import.name))
(use_declaration argument: (use_as_clause path: (identifier) @import.module alias: (_) @import.alias))
(use_declaration argument: (use_as_clause
  path: (scoped_identifier path: (_) @import.module name: (_) @import.name) alias: (_) @import.alias))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list [(identifier) (self)] @import.name)))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_identifier path: (_) @import.module name: (_) @import.name))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: [(identifier) (self)] @import.name alias: (_) @import.alias))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: (scoped_identifier path: (_) @import.module name: (_) @import.name) alias: (_) @import.alias))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard (_) @import.module "*" @import.name))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard . "*" @import.name))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list [(identifier) (self)] @import.name)))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_identifier path: (_) @import.module name: (_) @import.name))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: [(identifier) (self)] @import.name alias: (_) @import.alias))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: (scoped_identifier path: (_) @import.module name: (_) @import.name) alias: (_) @import.alias))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard (_) @import.module "*" @import.name))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard . "*" @import.name))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list [(identifier) (self)] @import.name)))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_identifier path: (_) @import.module name: (_) @import.name))))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: [(identifier) (self)] @import.name alias: (_) @import.alias))))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: (scoped_identifier path: (_) @import.module name: (_) @import.name) alias: (_) @import.alias))))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard (_) @import.module "*" @import.name))))))))
(use_declaration argument: (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard . "*" @import.name))))))))
(use_declaration argument: (use_list [(identifier) (crate)] @import.module))
(use_declaration argument: (use_list (scoped_identifier path: (_) @import.module name: (_) @import.name)))
(use_declaration argument: (use_list (use_as_clause path: (identifier) @import.module alias: (_) @import.alias)))
(use_declaration argument: (use_list (use_as_clause path: (scoped_identifier path: (_) @import.module name: (_) @import.name) alias: (_) @import.alias)))
(use_declaration argument: (use_list (use_wildcard (_) @import.module "*" @import.name)))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list [(identifier) (self)] @import.name))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_identifier path: (_) @import.module name: (_) @import.name)))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: [(identifier) (self)] @import.name alias: (_) @import.alias)))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: (scoped_identifier path: (_) @import.module name: (_) @import.name) alias: (_) @import.alias)))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard (_) @import.module "*" @import.name)))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard . "*" @import.name)))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list [(identifier) (self)] @import.name))))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_identifier path: (_) @import.module name: (_) @import.name)))))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: [(identifier) (self)] @import.name alias: (_) @import.alias)))))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_as_clause path: (scoped_identifier path: (_) @import.module name: (_) @import.name) alias: (_) @import.alias)))))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard (_) @import.module "*" @import.name)))))))
(use_declaration argument: (use_list (scoped_use_list path: (_) @import.module list: (use_list (scoped_use_list path: (_) @import.module list: (use_list (use_wildcard . "*" @import.name)))))))
(extern_crate_declaration name: (identifier) @import.module alias: (identifier)? @import.alias)
((mod_item name: (identifier) @import.module) @_mod
  (#not-match? @_mod "\\{"))

(call_expression function: (_) @reference.calls)
(macro_invocation macro: (_) @reference.calls)
(arguments [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(field_initializer value: [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(array_expression [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(tuple_expression [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(let_declaration value: [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(static_item value: [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(const_item value: [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(assignment_expression right: [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(match_arm value: [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(return_expression [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(type_cast_expression value: [(identifier) (scoped_identifier) (generic_function)] @reference.passes)
(block [(identifier) (scoped_identifier) (generic_function)] @reference.passes .)
(match_pattern (scoped_identifier) @reference.passes)
(or_pattern (scoped_identifier) @reference.passes)
(tuple_struct_pattern type: (scoped_identifier) @reference.passes)
(binary_expression (scoped_identifier) @reference.passes)
(struct_expression name: (_) @reference.instantiates)
(macro_invocation (token_tree) @reference.text)
(macro_rule right: (token_tree) @reference.text)
(impl_item trait: (_) @reference.implements)
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @reference.extends))
(type_identifier) @reference.uses
(scoped_type_identifier) @reference.uses

; Type parameters: those of an implementation are in the order of its type's

(impl_item type: (generic_type type_arguments: (type_arguments) @parameters)) @parameters.scope
(impl_item type: (reference_type type: (generic_type type_arguments: (type_arguments) @parameters))) @parameters.scope
(struct_item type_parameters: (type_parameters) @parameters) @parameters.scope
(enum_item type_parameters: (type_parameters) @parameters) @parameters.scope
(type_item type_parameters: (type_parameters) @parameters) @parameters.scope
([
  (enum_item (type_parameters (type_parameter name: (type_identifier) @binding)))
  (function_item (type_parameters (type_parameter name: (type_identifier) @binding)))
  (function_signature_item (type_parameters (type_parameter name: (type_identifier) @binding)))
  (impl_item (type_parameters (type_parameter name: (type_identifier) @binding)))
  (struct_item (type_parameters (type_parameter name: (type_identifier) @binding)))
  (trait_item (type_parameters (type_parameter name: (type_identifier) @binding)))
  (type_item (type_parameters (type_parameter name: (type_identifier) @binding)))
  (union_item (type_parameters (type_parameter name: (type_identifier) @binding)))] @binding.scope)

; Names in patterns

[(closure_expression) (match_arm)] @binding.scope
(closure_parameters (identifier) @binding)
(match_pattern (identifier) @binding)
(tuple_struct_pattern type: (_) (identifier) @binding)
(tuple_pattern (identifier) @binding)
(slice_pattern (identifier) @binding)
(or_pattern (identifier) @binding)
(ref_pattern (identifier) @binding)
(mut_pattern (identifier) @binding)
(reference_pattern (identifier) @binding)
(captured_pattern . (identifier) @binding)
(field_pattern name: (shorthand_field_identifier) @binding)
(field_pattern pattern: (identifier) @binding)

; Types of what has a name

((parameter pattern: [(identifier) (tuple_pattern)] @binding type: (_) @binding.type)
  (#set! within "function"))
(let_declaration pattern: [(identifier) (tuple_pattern)] @binding type: (_) @binding.type)
(let_declaration pattern: [(identifier) (tuple_pattern)] @binding value: (_) @binding.value)
(for_expression pattern: [(identifier) (tuple_pattern)] @binding value: (_) @binding.element)
((for_expression
  pattern: [(identifier) (tuple_pattern)] @binding
  value: (call_expression function: (field_expression value: (_) @binding.element field: (field_identifier) @_iterator)))
  (#any-of? @_iterator "iter" "iter_mut" "into_iter" "drain"))
((for_expression
  pattern: (tuple_pattern [(identifier) (tuple_pattern)] @binding .)
  value: (call_expression function: (field_expression value: (_) @binding.element field: (field_identifier) @_numbered)))
  (#eq? @_numbered "enumerate"))
((let_condition pattern: (tuple_struct_pattern . (_) @_holder . [(identifier) (tuple_pattern)] @binding .) value: (_) @binding.value)
  (#any-of? @_holder "Some" "Ok"))
((match_expression
    value: (_) @binding.value
    body: (match_block (match_arm pattern: (match_pattern
      (tuple_struct_pattern . (_) @_holder . [(identifier) (tuple_pattern)] @binding .)))))
  (#any-of? @_holder "Some" "Ok"))
(field_declaration name: (field_identifier) @binding type: (_) @binding.type)
(struct_item body: (ordered_field_declaration_list) @binding.parts)
(static_item name: (identifier) @binding type: (_) @binding.type)
(const_item name: (identifier) @binding type: (_) @binding.type)
(function_item return_type: (_) @result)
(function_signature_item return_type: (_) @result)
(type_item type: (_) @result)
