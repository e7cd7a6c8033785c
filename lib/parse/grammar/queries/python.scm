; Python. Assignments inside functions are local, and so are attributes of self. What
; stands under "if", "try" or "with" counts for the scope around it.

(comment) @comment
(decorator) @attribute

(import_statement name: [
  (dotted_name) @import
  (aliased_import name: (dotted_name) @import)])
(import_from_statement module_name: (_) @import)
(future_import_statement "__future__" @import)

(function_definition
  name: (identifier) @name
  body: (block) @body) @definition.function

(function_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)))

(class_definition
  name: (identifier) @name
  body: (block) @body) @definition.class

(class_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)))

(type_alias_statement
  left: (type [(identifier) @name (generic_type . (identifier) @name)])
  right: (_) @value) @definition.type

(lambda body: (_) @body) @function

((expression_statement
  (assignment left: (identifier) @name right: (_)? @value)) @definition.constant
  (#constant-case? @name))

(expression_statement
  (assignment left: (identifier) @name right: (_)? @value)) @definition.variable

((expression_statement
  (assignment
    left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]
    right: (_) @value)) @definition.constant
  (#constant-case? @name))

(expression_statement
  (assignment
    left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]
    right: (_) @value)) @definition.variable

; a = b = c = value

((expression_statement (assignment right: [
    (assignment left: (identifier) @name right: (_) @value)
    (assignment right: (assignment left: (identifier) @name right: (_) @value))])) @definition.constant
  (#constant-case? @name))

(expression_statement (assignment right: [
  (assignment left: (identifier) @name right: (_) @value)
  (assignment right: (assignment left: (identifier) @name right: (_) @value))])) @definition.variable

; References

(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (_) @import.module alias: (_) @import.alias))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module name: (aliased_import name: (_) @import.name alias: (_) @import.alias))
(future_import_statement "__future__" @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.name)

(call function: [(identifier) (attribute)] @reference.calls)
(decorator [(identifier) (attribute)] @reference.calls)
(raise_statement . [(identifier) (attribute)] @reference.instantiates)

(class_definition superclasses: (argument_list [
  (identifier) @reference.extends
  (attribute) @reference.extends
  (subscript value: (_) @reference.extends)
  (keyword_argument value: [(identifier) (attribute)] @reference.uses)]))

; The basic types are not worth a line. A type in a subscript is an expression to the grammar.

(type [
  (identifier) @reference.uses
  (attribute) @reference.uses
  (string (string_content) @reference.uses)
  (subscript value: (_) @reference.uses)
  (subscript subscript: [
    (identifier) @reference.uses
    (attribute) @reference.uses
    (string (string_content) @reference.uses)
    (subscript value: (_) @reference.uses)
    (subscript subscript: [(identifier) (attribute)] @reference.uses)])
  (binary_operator left: [(identifier) (attribute)] @reference.uses)
  (binary_operator left: (binary_operator [(identifier) (attribute)] @reference.uses))
  (binary_operator right: [(identifier) (attribute)] @reference.uses)])
(generic_type . (identifier) @reference.uses)
(except_clause value: [
  (identifier) @reference.uses
  (attribute) @reference.uses
  (tuple [(identifier) (attribute)] @reference.uses)
  (as_pattern . (identifier) @reference.uses)
  (as_pattern . (attribute) @reference.uses)
  (as_pattern . (tuple [(identifier) (attribute)] @reference.uses))])
(class_pattern . (dotted_name) @reference.uses)
((call function: (identifier) @_is arguments: (argument_list . (_) . [
    (identifier) @reference.uses
    (attribute) @reference.uses
    (tuple [(identifier) (attribute)] @reference.uses)]))
  (#any-of? @_is "isinstance" "issubclass"))

; What may be a function that stands as a value.

(argument_list [(identifier) (attribute)] @reference.passes)
(keyword_argument value: [(identifier) (attribute)] @reference.passes)
(default_parameter value: [(identifier) (attribute)] @reference.passes)
(typed_default_parameter value: [(identifier) (attribute)] @reference.passes)
(lambda body: [(identifier) (attribute)] @reference.passes)
(pair value: [(identifier) (attribute)] @reference.passes)
(list [(identifier) (attribute)] @reference.passes)
(tuple [(identifier) (attribute)] @reference.passes)
(set [(identifier) (attribute)] @reference.passes)
(assignment right: [(identifier) (attribute)] @reference.passes)
(return_statement [(identifier) (attribute)] @reference.passes)
(conditional_expression . [(identifier) (attribute)] @reference.passes)
(conditional_expression [(identifier) (attribute)] @reference.passes .)
(boolean_operator right: [(identifier) (attribute)] @reference.passes)
((comparison_operator (attribute object: (identifier) @_type) @reference.passes)
  (#upper-case? @_type))
((binary_operator (attribute object: (identifier) @_type) @reference.passes)
  (#upper-case? @_type))

(function_definition return_type: (_) @result)
(return_statement (_) @result.value)
(yield (_) @result.value)

; Of what a name stands for the last assignment counts.

(lambda) @binding.scope
(list_comprehension (for_in_clause left: (_) @binding right: (_) @binding.element)) @binding.scope
(set_comprehension (for_in_clause left: (_) @binding right: (_) @binding.element)) @binding.scope
(dictionary_comprehension (for_in_clause left: (_) @binding right: (_) @binding.element)) @binding.scope
(generator_expression (for_in_clause left: (_) @binding right: (_) @binding.element)) @binding.scope

((parameters (identifier) @binding)
  (#set! within "function"))

; pytest calls a test, and a fixture, with the results of the functions that have the names of the parameters

((function_definition name: (identifier) @_test parameters: (parameters (identifier) @binding @binding.value))
  (#match? @_test "^test")
  (#set! within "function"))
((decorated_definition
  (decorator [
    (identifier) @_fixture
    (attribute attribute: (identifier) @_fixture)
    (call function: [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)])])
  definition: (function_definition parameters: (parameters (identifier) @binding @binding.value)))
  (#eq? @_fixture "fixture")
  (#set! within "function"))

((lambda_parameters (identifier) @binding)
  (#set! within "function"))
((typed_parameter . (identifier) @binding type: (_) @binding.type)
  (#set! within "function"))
((default_parameter name: (identifier) @binding value: (_) @binding.value)
  (#set! within "function"))
((typed_default_parameter name: (identifier) @binding type: (_) @binding.type)
  (#set! within "function"))
((list_splat_pattern (identifier) @binding)
  (#set! within "function"))
((dictionary_splat_pattern (identifier) @binding)
  (#set! within "function"))
(assignment left: [(identifier) (pattern_list)] @binding type: (_)? @binding.type right: (_)? @binding.value)
((assignment
    left: (attribute object: (identifier) @_self attribute: (_) @binding.member)
    type: (_)? @binding.type
    right: (_)? @binding.value)
  (#any-of? @_self "self" "cls"))
(assignment left: (identifier) @binding right: [
  (boolean_operator right: (_) @binding.value)
  (conditional_expression . (_) @binding.value)])
((assignment
    left: (attribute object: (identifier) @_self attribute: (_) @binding.member)
    right: [
      (boolean_operator right: (_) @binding.value)
      (conditional_expression . (_) @binding.value)])
  (#any-of? @_self "self" "cls"))
((named_expression name: (_) @binding value: (_) @binding.value)
  (#set! within "function"))
((for_statement left: [(identifier) (pattern_list)] @binding right: (_) @binding.element)
  (#set! within "function"))
((with_item value: (as_pattern (_) @binding.entered alias: (as_pattern_target (identifier) @binding)))
  (#set! within "function"))
((except_clause value: (as_pattern (_) @binding.type alias: (as_pattern_target (identifier) @binding)))
  (#set! within "function"))

; Type parameters, whose values are those of type arguments

(class_definition type_parameters: (_) @parameters) @parameters.scope
((class_definition superclasses: (argument_list (subscript value: (identifier) @_generic) @parameters)) @parameters.scope
  (#any-of? @_generic "Generic" "Protocol"))
