
; JavaScript with JSX: on top of ecmascript.scm.

(field_definition property: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)]) @definition.method
(field_definition property: (_) @name value: (_)? @value) @definition.field

(method_definition name: (private_property_identifier) @name @private)
(field_definition property: (private_property_identifier) @name @private)
