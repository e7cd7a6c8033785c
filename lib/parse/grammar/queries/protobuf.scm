; Protocol Buffers. Fields stand in the span of their message; those of an extension are names of their own.

(comment) @comment

(package (full_ident) @package)
(import path: (string) @import @import.module)

(message (message_name (identifier) @name) (message_body) @body) @definition.struct
(enum (enum_name (identifier) @name) (enum_body) @body) @definition.enum
(enum_field . (identifier) @name) @definition.constant
(service (service_name (identifier) @name) "{" @body) @definition.interface
(rpc (rpc_name (identifier) @name) ["{" ";"]? @body) @definition.method
(extend (message_body (field (identifier) @name) @definition.field))

; References

(message_or_enum_type) @reference.uses
(extend (full_ident) @reference.extends)
