; Erlang. The clauses of a function are one symbol; its "-spec" belongs to it.

(comment) @comment

(module_attribute name: (atom) @package)
(pp_include file: (string) @import)
(pp_include_lib file: (string) @import)
(behaviour_attribute name: (atom) @import)
(import_attribute module: (atom) @import)

; what EUnit takes for a test
((fun_decl clause: (function_clause name: (atom) @name body: (_) @body)) @definition.function @test
  (#match? @name "_test_?$")
  (#set! repeated "join"))
((fun_decl clause: (function_clause name: (atom) @name body: (_) @body)) @definition.function
  (#set! repeated "join"))
(spec) @attribute

(record_decl name: (atom) @name) @definition.struct
(record_decl fields: (record_field name: (atom) @name) @definition.field)
(type_alias name: (type_name name: (atom) @name)) @definition.type
(opaque name: (type_name name: (atom) @name)) @definition.type
(callback fun: (atom) @name) @definition.method
(pp_define lhs: (macro_lhs name: (_) @name !args) replacement: (_) @value) @definition.constant
(pp_define lhs: (macro_lhs name: (_) @name args: (_)) replacement: (_) @body) @definition.macro

(export_attribute funs: (fa fun: (atom) @exported.name))
(export_type_attribute types: (fa fun: (atom) @exported.name))

; References

(pp_include file: (string) @import.module)
(pp_include_lib file: (string) @import.module)
(behaviour_attribute name: (atom) @import.module)
(import_attribute module: (atom) @import.module funs: (fa fun: (atom) @import.name))

; A type looks as a call does.
(field_type expr: (call expr: (_) @reference.uses))
(type_alias ty: (call expr: (_) @reference.uses))
(opaque ty: (call expr: (_) @reference.uses))
(type_sig ty: (call expr: (_) @reference.uses))
(type_sig ty: (pipe (call expr: (_) @reference.uses)))
(type_sig ty: (pipe (tuple (call expr: (_) @reference.uses))))
(type_sig ty: (tuple (call expr: (_) @reference.uses)))
(type_sig args: (expr_args (call expr: (_) @reference.uses)))
(type_sig args: (expr_args (pipe (call expr: (_) @reference.uses))))
(type_sig args: (expr_args (ann_type ty: (call expr: (_) @reference.uses))))

(call expr: (atom) @reference.calls)
(call expr: (remote) @reference.calls)
(internal_fun fun: (atom) @reference.calls)
(external_fun module: (module name: (atom) @reference.calls) fun: (atom) @reference.calls)
(external_fun module: (module name: (macro_call_expr)) fun: (atom) @reference.calls)
(macro_call_expr name: (_) @reference.calls args: (_))
(record_expr name: (record_name name: (atom) @reference.uses))
(record_field_expr name: (record_name name: (atom) @reference.uses))
(record_update_expr name: (record_name name: (atom) @reference.uses))
