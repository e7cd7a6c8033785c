; Pascal. A routine is the one with a body; what has none elsewhere counts where it is declared: of an interface, abstract
; or external. What the interface of a unit names is visible, and all of a file without one.

(comment) @comment

(declUses (moduleName) @import)
(unit (moduleName) @name (interface)? @body) @definition.module @exported
(program (moduleName) @name . (_) @body) @definition.module @exported
(library (moduleName) @name . (_) @body) @definition.module @exported

; Routines

(defProc header: (declProc name: (identifier) @name) . (_) @body) @definition.function
(defProc header: (declProc name: (genericTpl entity: (identifier) @name)) . (_) @body) @definition.function
(defProc header: (declProc name: (genericDot lhs: (_) @receiver rhs: (identifier) @name)) . (_) @body) @definition.method
(defProc header: (declProc name: (genericDot lhs: (_) @receiver rhs: (genericTpl entity: (identifier) @name))) . (_) @body) @definition.method
(defProc header: (declProc name: (operatorName) @name) . (_) @body) @definition.function
(declIntf (declProc name: (identifier) @name) @definition.method)
(declIntf (declProp name: (identifier) @name) @definition.field)
(declProc name: (identifier) @name attribute: (procAttribute (kAbstract))) @definition.method
(declProc name: (identifier) @name (procExternal)) @definition.function

; Types

(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] type: (declClass (kClass) [(declSection) (declField) (declProc) (declProp) (declConsts) (declTypes) (declVars) (kEnd)] @body)) @definition.class
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] type: (declClass (kRecord) [(declSection) (declField) (declProc) (declProp) (declConsts) (declTypes) (declVars) (kEnd)] @body)) @definition.struct
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] type: (declClass (kObject) [(declSection) (declField) (declProc) (declProp) (declConsts) (declTypes) (declVars) (kEnd)] @body)) @definition.class
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] type: (declHelper)) @definition.class
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] type: (declIntf (kInterface) [(guid) (declProc) (declProp) (kEnd)] @body)) @definition.interface
(declType name: (identifier) @name type: (type (declEnum))) @definition.enum
(declEnumValue name: (identifier) @name) @definition.constant
((declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] type: (_) @value) @definition.type
  (#not-match? @value "(?i)^class$"))
(declProp name: (identifier) @name) @definition.field

((declSection . [(kPrivate) (kStrict)] (declProp name: (identifier) @name @private)))

; Data

(declConst name: (identifier) @name defaultValue: (_) @value) @definition.constant
(interface (declVars (declVar name: (identifier) @name) @definition.variable))
(implementation (declVars (declVar name: (identifier) @name) @definition.variable))

; The interface of a unit

(interface (declProc name: (identifier) @exported.name))
(interface (declTypes (declType name: (identifier) @exported.name)))
(interface (declTypes (declType name: (genericTpl entity: (identifier) @exported.name))))
(interface (declConsts (declConst name: (identifier) @exported.name)))
(interface (declVars (declVar name: (identifier) @exported.name)))

; References

(declUses (moduleName) @import.module)

(exprCall entity: [(identifier) (exprDot) (exprTpl)] @reference.calls)
(statement . [(identifier) (exprDot)] @reference.calls .)
(inherited (identifier) @reference.calls)
(declClass parent: (typeref) @reference.extends)
(declIntf parent: (typeref) @reference.extends)
(typeref) @reference.uses

((declArg name: (identifier) @binding type: (type) @binding.type)
  (#set! within "function"))
((declVar name: (identifier) @binding type: (type) @binding.type)
  (#set! within "function"))
((declField name: (identifier) @binding type: (type) @binding.type)
  (#set! within "type"))
(defProc header: (declProc type: (typeref) @result))
