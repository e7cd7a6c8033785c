; Scala 2 and 3. What an instance of an anonymous class defines belongs to what it is the value of. Types and
; abstract members of refinements are no symbols. Given instances without a name have that of their type.

[(comment) (block_comment)] @comment
(annotation) @attribute
((annotation name: (type_identifier) @_name) @attribute.test
  (#any-of? @_name "Test" "Before" "After" "BeforeEach" "AfterEach" "ParameterizedTest"))

((package_clause name: (_) @package) (#set! repeated "join"))
(import_declaration ["import" ","] . path: (_) @import ("." . (_) @import)*)

[(block) (indented_block) (case_block) (indented_cases) (structural_type) (refinement)] @local
(instance_expression (template_body) @local)
(extension_definition
  . type_parameters: (_)?
  . parameters: (parameters . (parameter type: [(type_identifier) (generic_type) (stable_type_identifier)] @receiver))) @scope
(extension_definition) @scope

; Types and what holds members

(class_definition name: (_) @name body: (_)? @body) @definition.class
(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(object_definition name: (_) @name body: (_)? @body) @definition.class
(enum_definition name: (_) @name body: (_) @body) @definition.enum
(package_object name: (_) @name body: (_)? @body) @definition.module
((type_definition name: (_) @name type: (_)? @value) @definition.type
  (#set! within "file"))
(instance_expression (template_body (type_definition name: (_) @name) @definition.type))
(given_definition name: (_) @name body: (with_template_body) @body) @definition.class
(given_definition !name return_type: [(type_identifier) @name (generic_type type: (_) @name)]
  body: (with_template_body) @body) @definition.class
((given_definition name: (_) @name body: (_)? @value) @definition.constant
  (#set! member "field"))
((given_definition !name return_type: [(type_identifier) @name (generic_type type: (_) @name)] body: (_)? @value)
  @definition.constant (#set! member "field"))

; Functions

(instance_expression (template_body (function_definition name: (_) @name) @definition.method))
(function_definition name: (_) @name body: (_) @body) @definition.function
((function_declaration name: (_) @name) @definition.function
  (#set! within "file"))

; Data

(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant
(enum_case_definitions "case" . (simple_enum_case name: (_) @name) .) @span
(enum_case_definitions "case" . (full_enum_case name: (_) @name) .) @span

(class_parameter ["val" "var"] name: (_) @name) @definition.field
(class_definition "case" name: (_) . class_parameters: (class_parameters
  (class_parameter name: (_) @name) @definition.field))
(class_definition "case" type_parameters: (_) . class_parameters: (class_parameters
  (class_parameter name: (_) @name) @definition.field))
(class_definition "case" (access_modifier) . class_parameters: (class_parameters
  (class_parameter name: (_) @name) @definition.field))

((val_definition pattern: [
    (identifier) @name
    (operator_identifier) @name
    (typed_pattern pattern: (identifier) @name)
    (identifiers (_) @name)
    (tuple_pattern (identifier) @name)
    (tuple_pattern (typed_pattern pattern: (identifier) @name))
    (case_class_pattern pattern: (identifier) @name)
    (case_class_pattern pattern: (typed_pattern pattern: (identifier) @name))]
  value: (_) @value) @definition.constant
  (#set! member "field"))
((val_declaration name: (_) @name) @definition.constant
  (#set! member "field"))
((var_definition pattern: [
    (identifier) @name
    (operator_identifier) @name
    (identifiers (_) @name)
    (tuple_pattern (identifier) @name)]
  value: (_) @value) @definition.variable
  (#set! member "field"))
((var_declaration name: (_) @name) @definition.variable
  (#set! member "field"))

; Visibility

(class_definition (modifiers (access_modifier "private")) name: (_) @name @private)
(trait_definition (modifiers (access_modifier "private")) name: (_) @name @private)
(object_definition (modifiers (access_modifier "private")) name: (_) @name @private)
(enum_definition (modifiers (access_modifier "private")) name: (_) @name @private)
(type_definition (modifiers (access_modifier "private")) name: (_) @name @private)
(given_definition (modifiers (access_modifier "private")) name: (_) @name @private)
(function_definition (modifiers (access_modifier "private")) name: (_) @name @private)
(function_declaration (modifiers (access_modifier "private")) name: (_) @name @private)
(class_parameter (modifiers (access_modifier "private")) name: (_) @name @private)
(val_declaration (modifiers (access_modifier "private")) name: (_) @name @private)
(var_declaration (modifiers (access_modifier "private")) name: (_) @name @private)
(val_definition (modifiers (access_modifier "private"))
  pattern: [(identifier) @name (identifiers (_) @name) (tuple_pattern (identifier) @name)] @private)
(var_definition (modifiers (access_modifier "private"))
  pattern: [(identifier) @name (identifiers (_) @name) (tuple_pattern (identifier) @name)] @private)

; What is imported

(import_declaration ["import" ","] . path: (_) @import.module ("." . (identifier) @import.module)*)
(import_declaration ["import" ","] . path: (_) @import.module ("." . (identifier) @import.module)* . "." . (namespace_wildcard) @import.name)
(import_declaration ["import" ","] . path: (_) @import.module ("." . (identifier) @import.module)* . "." . (namespace_selectors
  [(identifier) (namespace_wildcard)] @import.name))
(import_declaration ["import" ","] . path: (_) @import.module ("." . (identifier) @import.module)* . "." . (namespace_selectors
  [(arrow_renamed_identifier name: (_) @import.name alias: (identifier) @import.alias)
   (as_renamed_identifier name: (_) @import.name alias: (identifier) @import.alias)]))

; What is called, made, inherited and named

(call_expression function: (identifier) @reference.calls)
(call_expression function: (field_expression) @reference.calls)
(call_expression function: (generic_function function: (_) @reference.calls))
(instance_expression [(type_identifier) (stable_type_identifier)] @reference.instantiates)
(instance_expression (generic_type type: (_) @reference.instantiates))
(extends_clause type: [(type_identifier) (stable_type_identifier)] @reference.extends)
(extends_clause type: (generic_type type: (_) @reference.extends))
(type_identifier) @reference.uses
((field_expression value: (identifier) @reference.uses)
  (#upper-case? @reference.uses)
  (#not-constant-case? @reference.uses))
((stable_identifier . (identifier) @reference.uses)
  (#upper-case? @reference.uses)
  (#not-constant-case? @reference.uses))
(stable_type_identifier) @reference.uses

; Types of names

[(lambda_expression) (case_clause) (for_expression)] @binding.scope
(val_definition pattern: (identifier) @binding type: (_)? @binding.type value: (_) @binding.value)
(var_definition pattern: (identifier) @binding type: (_)? @binding.type value: (_) @binding.value)
(val_declaration name: (identifier) @binding type: (_) @binding.type)
(var_declaration name: (identifier) @binding type: (_) @binding.type)
((parameter name: (identifier) @binding type: (_) @binding.type)
  (#set! within "function"))
(class_parameter name: (identifier) @binding type: (_) @binding.type)
(binding name: (identifier) @binding type: (_)? @binding.type)
(lambda_expression parameters: (identifier) @binding)
(typed_pattern pattern: (identifier) @binding type: (_) @binding.type)
(tuple_pattern (identifier) @binding)
(case_class_pattern pattern: (identifier) @binding)
(capture_pattern name: (identifier) @binding)
(case_clause pattern: (identifier) @binding)
(enumerator . (identifier) @binding)
(function_definition return_type: (_) @result)
(function_declaration return_type: (_) @result)

(class_definition type_parameters: (type_parameters name: (identifier) @binding)) @binding.scope
(trait_definition type_parameters: (type_parameters name: (identifier) @binding)) @binding.scope
(function_definition parameters: (type_parameters name: (identifier) @binding)) @binding.scope
(function_declaration parameters: (type_parameters name: (identifier) @binding)) @binding.scope
