
; JavaScript with JSX: on top of ecmascript.scm.

(field_definition property: (_) @name value: (_)? @value) @definition.field

(method_definition name: (private_property_identifier) @name @private)
(field_definition property: (private_property_identifier) @name @private)

; References

(class_heritage [(identifier) (member_expression)] @reference.extends)

(variable_declarator name: (identifier) @binding value: (_)? @binding.value)
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @binding @binding.property)
  value: (_) @binding.value)
(variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @binding.property value: (identifier) @binding))
  value: (_) @binding.value)
(variable_declarator name: (array_pattern (identifier) @binding))
(formal_parameters (identifier) @binding)
(formal_parameters (assignment_pattern left: (identifier) @binding right: (_) @binding.value))
(formal_parameters (object_pattern [
  (shorthand_property_identifier_pattern) @binding
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @binding)
  (pair_pattern value: (identifier) @binding)]))
(field_definition property: (_) @binding value: (_)? @binding.value)
(field_definition value: [(identifier) (member_expression)] @reference.passes)

; Functions that are called with the elements of a list

((call_expression
  function: (member_expression object: (_) @binding.element property: (property_identifier) @_each)
  arguments: (arguments . [
    (arrow_function parameter: (identifier) @binding)
    (_ parameters: (formal_parameters . [(identifier) @binding (object_pattern [
        (shorthand_property_identifier_pattern) @binding @binding.property
        (pair_pattern key: (property_identifier) @binding.property value: (identifier) @binding)])]))]))
  (#any-of? @_each "forEach" "map" "filter" "some" "every" "find" "findIndex" "findLast" "findLastIndex" "flatMap" "sort" "toSorted"))
((call_expression
  function: (member_expression object: (_) @binding.element property: (property_identifier) @_each)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (_) . (identifier) @binding))))
  (#any-of? @_each "reduce" "reduceRight" "sort" "toSorted"))
