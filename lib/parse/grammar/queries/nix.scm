; Nix, in which a file is one expression. What is bound is a function or a constant; it belongs to the binding around it.

(comment) @comment

; Of several parameters, one after the other, the body stands behind the last.
(binding attrpath: (attrpath) @name expression: (function_expression body: (function_expression body: (function_expression body: (_) @body))))
(binding attrpath: (attrpath) @name expression: (function_expression body: (function_expression body: (_) @body)))
(binding attrpath: (attrpath) @name expression: (function_expression body: (_) @body)) @definition.function
(binding attrpath: (attrpath) @name expression: (_) @value) @definition.constant
(binding expression: (let_expression) @local)

; A file that is brought in: import ./a.nix, callPackage ./a.nix { }

((apply_expression
    function: (variable_expression name: (identifier) @_import)
    argument: [(path_expression) (spath_expression) (hpath_expression)] @import.module)
  (#any-of? @_import "import" "callPackage" "callPackages"))
((apply_expression
    function: (select_expression attrpath: (attrpath attr: (identifier) @_import .))
    argument: [(path_expression) (spath_expression) (hpath_expression)] @import.module)
  (#any-of? @_import "import" "callPackage" "callPackages" "scopedImport"))
((apply_expression
    function: (variable_expression name: (identifier) @_import)
    argument: [(path_expression) (spath_expression) (hpath_expression)] @import)
  (#any-of? @_import "import" "callPackage" "callPackages"))
((apply_expression
    function: (select_expression attrpath: (attrpath attr: (identifier) @_import .))
    argument: [(path_expression) (spath_expression) (hpath_expression)] @import)
  (#any-of? @_import "import" "callPackage" "callPackages" "scopedImport"))
((binding
    attrpath: (attrpath) @import.alias
    expression: (apply_expression
      function: (apply_expression
        function: (variable_expression name: (identifier) @_import)
        argument: [(path_expression) (spath_expression) (hpath_expression)] @import.module)))
  (#any-of? @_import "import" "callPackage" "callPackages"))
((binding
    attrpath: (attrpath) @import.alias
    expression: (apply_expression
      function: (variable_expression name: (identifier) @_import)
      argument: [(path_expression) (spath_expression) (hpath_expression)] @import.module))
  (#any-of? @_import "import" "callPackage" "callPackages"))

(apply_expression function: [(variable_expression) (select_expression)] @reference.calls)

((formal name: (identifier) @binding)
  (#set! within "function"))
((function_expression universal: (identifier) @binding)
  (#set! within "function"))
