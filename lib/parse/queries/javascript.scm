
; JavaScript with JSX: on top of ecmascript.scm.

(field_definition property: (_) @name value: (_)? @value) @definition.field

(method_definition name: (private_property_identifier) @name @private)
(field_definition property: (private_property_identifier) @name @private)
