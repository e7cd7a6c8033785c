
; JavaScript with JSX: on top of ecmascript.scm.

(class_body (field_definition property: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)]) @definition.method)
(class_body (field_definition property: (_) @name value: (_)? @value) @definition.field)

(class_body (_ name: (private_property_identifier) @name @private))
(class_body (_ property: (private_property_identifier) @name @private))
