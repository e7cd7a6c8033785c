; Clojure, in which a declaration is a list that begins with "def" or the like. A comment joins the list below it.

(comment) @comment

((list_lit . (sym_lit name: (sym_name) @_ns) . (sym_lit name: (sym_name) @package))
  (#any-of? @_ns "ns" "in-ns"))
((list_lit . (sym_lit name: (sym_name) @_ns) . (sym_lit) . (str_lit) @doc.before)
  (#eq? @_ns "ns"))

; Functions and macros. The body begins behind the parameters, or with the first of several forms.

((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name)) @definition.function @test
  (#any-of? @_def "deftest" "defspec"))
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name)) @definition.function
  (#any-of? @_def "defn" "defn-" "defmulti"))
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name) . (_) @receiver) @definition.method
  (#eq? @_def "defmethod"))
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name)) @definition.macro
  (#eq? @_def "defmacro"))
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name) (vec_lit) . (_) @body)
  (#any-of? @_def "defn" "defn-" "defmacro" "defmethod"))
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name) . (str_lit)? . (list_lit) @body)
  (#any-of? @_def "defn" "defn-" "defmacro" "deftest"))

; Types, of which the functions of protocols that they implement are members

((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name)) @definition.interface
  (#any-of? @_def "defprotocol" "definterface"))
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name)) @definition.struct
  (#any-of? @_def "defrecord" "deftype" "defstruct"))
((list_lit . (sym_lit name: (sym_name) @_def) (list_lit . (sym_lit name: (sym_name) @name) . (vec_lit) . (_)? @body) @definition.method)
  (#any-of? @_def "defprotocol" "definterface" "defrecord" "deftype"))

; Data

((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name) . (_)) @definition.constant
  (#any-of? @_def "def" "defonce"))
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name) (_) @value .)
  (#any-of? @_def "def" "defonce"))

((list_lit . (sym_lit name: (sym_name) @private) . (sym_lit name: (sym_name) @name))
  (#any-of? @private "defn-" "def-"))
((list_lit . (sym_lit) . (sym_lit meta: (meta_lit value: (kwd_lit name: (kwd_name) @private)) name: (sym_name) @name))
  (#eq? @private "private"))
((list_lit . (sym_lit name: (sym_name) @_def) . (sym_lit name: (sym_name) @name) . (str_lit) @doc . (_))
  (#match? @_def "^def"))

; What a namespace requires, imports and uses

((list_lit . (sym_lit name: (sym_name) @_ns) (list_lit . (kwd_lit name: (kwd_name) @_how) [
    (sym_lit name: (sym_name) @import.module @import)
    (vec_lit . (sym_lit name: (sym_name) @import.module @import))]))
  (#eq? @_ns "ns")
  (#any-of? @_how "require" "use" "require-macros"))
((list_lit . (sym_lit name: (sym_name) @_ns) (list_lit . (kwd_lit name: (kwd_name) @_how)
    (vec_lit . (sym_lit name: (sym_name) @import.module) (kwd_lit name: (kwd_name) @_as) . (sym_lit name: (sym_name) @import.alias))))
  (#eq? @_ns "ns")
  (#any-of? @_how "require" "require-macros")
  (#any-of? @_as "as" "as-alias"))
((list_lit . (sym_lit name: (sym_name) @_ns) (list_lit . (kwd_lit name: (kwd_name) @_how)
    (vec_lit . (sym_lit name: (sym_name) @import.module) (kwd_lit name: (kwd_name) @_refer) . (vec_lit (sym_lit name: (sym_name) @import.name)))))
  (#eq? @_ns "ns")
  (#any-of? @_how "require" "use" "require-macros")
  (#any-of? @_refer "refer" "only"))
((list_lit . (sym_lit name: (sym_name) @_ns) (list_lit . (kwd_lit name: (kwd_name) @_how)
    (list_lit . (sym_lit name: (sym_name) @import.module) (sym_lit name: (sym_name) @import.name))))
  (#eq? @_ns "ns")
  (#eq? @_how "import"))

((list_lit . (sym_lit) @reference.calls)
  (#not-any-of? @reference.calls
    "ns" "in-ns" "def" "defn" "defn-" "defonce" "defmacro" "defmulti" "defmethod" "defprotocol" "definterface" "defrecord" "deftype" "deftest" "declare"
    "let" "letfn" "loop" "recur" "fn" "if" "if-let" "if-not" "when" "when-let" "when-not" "cond" "case" "do" "doseq" "dotimes" "for" "quote" "var"
    "try" "catch" "finally" "throw" "new" "set!" "binding" "and" "or" "comment" "extend-protocol" "extend-type" "reify" "proxy" "->" "->>" ".." "."))

((list_lit . (sym_lit name: (sym_name) @_fn) (vec_lit (sym_lit name: (sym_name) @binding)))
  (#any-of? @_fn "defn" "defn-" "defmacro" "defmethod" "fn")
  (#set! within "function"))
