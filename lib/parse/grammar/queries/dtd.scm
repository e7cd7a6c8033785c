; Document type definitions. A parameter entity is text that is put in elsewhere, as a macro is. Attributes
; belong to their element, which may be declared somewhere else.

(Comment) @comment

(elementdecl . (Name) @name) @definition.type
(AttlistDecl . (Name) @receiver (AttDef . (Name) @name) @definition.field)
(PEDecl (Name) @name) @definition.macro
(GEDecl (Name) @name) @definition.constant
(NotationDecl . (Name) @name) @definition.constant

(PEDecl (ExternalID (SystemLiteral (URI) @import)))
(GEDecl (ExternalID (SystemLiteral (URI) @import)))
