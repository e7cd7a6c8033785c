; Fortran. Procedures in interface blocks are declared elsewhere; those of an abstract interface are interfaces. Components
; stand in the span of their type; type-bound procedures are its methods. Data count in modules alone.

(comment) @comment

(use_statement (module_name) @import)
(include_statement path: (_) @import)
(preproc_include path: (_) @import)

; Program units

(module . (module_statement (name) @name) . (_)? @body) @definition.module @exported
(submodule . (submodule_statement (name) @name) . (_)? @body) @definition.module @exported
(submodule_statement ancestor: (module_name) @import)
(program . (program_statement (name) @name) . (_)? @body) @definition.function @exported
(block_data . (block_data_statement (name) @name) . (_)? @body) @definition.module @exported

; Procedures

(translation_unit (function . (function_statement name: (_) @name @exported) . (_)? @body) @definition.function)
(internal_procedures (function . (function_statement name: (_) @name) . (_)? @body) @definition.function)
(preproc_if (function . (function_statement name: (_) @name) . (_)? @body) @definition.function)
(preproc_ifdef (function . (function_statement name: (_) @name) . (_)? @body) @definition.function)
(preproc_else (function . (function_statement name: (_) @name) . (_)? @body) @definition.function)
(ERROR (function . (function_statement name: (_) @name) . (_)? @body) @definition.function)
(translation_unit (subroutine . (subroutine_statement name: (_) @name @exported) . (_)? @body) @definition.function)
(internal_procedures (subroutine . (subroutine_statement name: (_) @name) . (_)? @body) @definition.function)
(preproc_if (subroutine . (subroutine_statement name: (_) @name) . (_)? @body) @definition.function)
(preproc_ifdef (subroutine . (subroutine_statement name: (_) @name) . (_)? @body) @definition.function)
(preproc_else (subroutine . (subroutine_statement name: (_) @name) . (_)? @body) @definition.function)
(ERROR (subroutine . (subroutine_statement name: (_) @name) . (_)? @body) @definition.function)
(ERROR [(subroutine_statement name: (_) @name) (function_statement name: (_) @name)] @definition.function)
(module_procedure . (module_procedure_statement name: (_) @name) . (_)? @body) @definition.function
(interface (interface_statement (abstract_specifier)) [
  (subroutine . (subroutine_statement name: (_) @name) . (_)? @body)
  (function . (function_statement name: (_) @name) . (_)? @body)] @definition.interface)
(interface . (interface_statement [(name) (operator) (assignment)] @name) . (_)? @body) @definition.interface
(preproc_def name: (identifier) @name value: (_)? @value) @definition.macro
(preproc_function_def name: (identifier) @name value: (_)? @value) @definition.macro

((function . (function_statement name: (_) @name) . (comment) @doc) (#match? @doc "^![!>]"))
((subroutine . (subroutine_statement name: (_) @name) . (comment) @doc) (#match? @doc "^![!>]"))
((module . (module_statement (name) @name) . (comment) @doc) (#match? @doc "^![!>]"))
((interface . (interface_statement (name) @name) . (comment) @doc) (#match? @doc "^![!>]"))
((derived_type_definition . (derived_type_statement (type_name) @name) . (comment) @doc) (#match? @doc "^![!>]"))

; Types

(derived_type_definition . (derived_type_statement (type_name) @name) . (_)? @body) @definition.struct
((derived_type_definition (derived_type_statement access: (access_specifier) @exported (type_name) @name))
  (#match? @exported "(?i)^public$"))
(derived_type_procedures (procedure_statement (procedure_kind ["procedure" "final"]) declarator: (method_name) @name) @definition.method)
(derived_type_procedures (procedure_statement declarator: (binding (binding_name) @name)) @definition.method)
((derived_type_procedures (procedure_statement (procedure_attribute) @private declarator: [
    (method_name) @name
    (binding (binding_name) @name)]))
  (#match? @private "(?i)^private$"))
(enumerator_statement declarator: [
  (identifier) @name
  (init_declarator left: (identifier) @name)]) @definition.constant

; Data

(module (variable_declaration
  attribute: (type_qualifier "parameter")
  declarator: (init_declarator left: (_) @name right: (_) @value)) @definition.constant)
(module (variable_declaration declarator: [
  (identifier) @name
  (sized_declarator . (identifier) @name)
  (init_declarator left: (identifier) @name right: (_) @value)
  (init_declarator left: (sized_declarator . (identifier) @name) right: (_) @value)]) @definition.variable)
(module (parameter_statement (parameter_assignment . (identifier) @name (_) @value)) @definition.constant)
((variable_declaration attribute: (type_qualifier) @exported declarator: [
  (identifier) @name
  (sized_declarator . (identifier) @name)
  (init_declarator left: (identifier) @name)
  (init_declarator left: (sized_declarator . (identifier) @name))])
  (#match? @exported "(?i)^public$"))
((variable_declaration attribute: (type_qualifier) @private declarator: [
  (identifier) @name
  (sized_declarator . (identifier) @name)
  (init_declarator left: (identifier) @name)
  (init_declarator left: (sized_declarator . (identifier) @name))])
  (#match? @private "(?i)^private$"))

(public_statement [(identifier) (operator)] @exported.name)

; References. To the grammar an element of an array is a call too; the graph looks for functions alone.

(use_statement (module_name) @import.module)
(use_statement (module_name) @import.module (included_items (identifier) @import.name))
(use_statement (module_name) @import.module (included_items (use_alias (local_name) @import.alias (identifier) @import.name)))
(include_statement path: (_) @import.module)
(preproc_include path: (_) @import.module)

(subroutine_call subroutine: (_) @reference.calls)
(call_expression . [(identifier) (derived_type_member_expression)] @reference.calls)
(base_type_specifier (identifier) @reference.extends)
(derived_type name: (type_name) @reference.uses)

((variable_declaration
  type: (derived_type name: (type_name) @binding.type)
  declarator: [
    (identifier) @binding
    (sized_declarator . (identifier) @binding)
    (init_declarator left: (identifier) @binding)])
  (#set! within "function"))
((variable_declaration
  type: (intrinsic_type)
  declarator: [
    (identifier) @binding
    (sized_declarator . (identifier) @binding)
    (init_declarator left: (identifier) @binding)
    (init_declarator left: (sized_declarator . (identifier) @binding))])
  (#set! within "function"))
((derived_type_definition (variable_declaration
  type: (derived_type name: (type_name) @binding.type)
  declarator: [(identifier) @binding (sized_declarator . (identifier) @binding)]))
  (#set! within "type"))
