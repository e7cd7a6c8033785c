; Solidity. Contracts and libraries are classes; events, errors and value types are types. What is internal is seen by
; contracts in other files, so only "private" hides. Assembly has functions of its own.

(comment) @comment

(import_directive source: (string) @import)

(contract_declaration name: (identifier) @name body: (contract_body) @body) @definition.class
(library_declaration name: (identifier) @name body: (contract_body) @body) @definition.class
(interface_declaration name: (identifier) @name body: (contract_body) @body) @definition.interface
(struct_declaration name: (identifier) @name body: (struct_body) @body) @definition.struct
(enum_declaration name: (identifier) @name body: (enum_body) @body) @definition.enum
(enum_body (enum_value) @name @definition.constant)
(event_definition name: (identifier) @name) @definition.type
(error_declaration name: (identifier) @name) @definition.type
(user_defined_type_definition name: (identifier) @name) @definition.type

(function_definition name: (identifier) @name body: (function_body)? @body) @definition.function
(modifier_definition name: (identifier) @name body: (function_body)? @body) @definition.method
(constructor_definition "constructor" @name body: (function_body)? @body) @definition.method
(fallback_receive_definition ["receive" "fallback" "function"] @name body: (function_body)? @body) @definition.method
(yul_function_definition . "function" . (yul_identifier) @name (yul_block) @body) @definition.function

(constant_variable_declaration name: (identifier) @name value: (_) @value) @definition.constant
(state_variable_declaration "constant" name: (identifier) @name value: (_)? @value) @definition.constant
(state_variable_declaration name: (identifier) @name value: (_)? @value) @definition.field

((function_definition name: (identifier) @name (visibility) @private) (#eq? @private "private"))
((state_variable_declaration visibility: (visibility) @private name: (identifier) @name) (#eq? @private "private"))

; Foundry's and Truffle's test contracts.
((contract_declaration name: (identifier) @name @test
    (inheritance_specifier ancestor: (user_defined_type (identifier) @_base)))
  (#any-of? @_base "Test" "DSTest" "StdInvariant"))

; References

(import_directive source: (string) @import.module)
(import_directive import_name: (identifier) @import.name source: (string) @import.module)
(import_directive import_name: (identifier) @import.name . alias: (identifier) @import.alias source: (string) @import.module)

(inheritance_specifier ancestor: (_) @reference.extends)
(call_expression function: (expression (identifier) @reference.calls))
(call_expression function: (expression (member_expression) @reference.calls))
(new_expression name: (_) @reference.instantiates)
(emit_statement name: (_) @reference.calls)
(revert_statement error: (_) @reference.calls)
(modifier_invocation . (_) @reference.calls)
(using_directive (type_alias) @reference.uses)
(user_defined_type) @reference.uses

(return_type_definition (parameter type: (_) @result))

((parameter type: (_) @binding.type name: (identifier) @binding)
  (#set! within "function"))
(state_variable_declaration type: (_) @binding.type name: (identifier) @binding)
((variable_declaration type: (_) @binding.type name: (identifier) @binding)
  (#set! within "function"))
