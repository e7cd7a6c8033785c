; TOML. An item of an array of tables is named by the name in its first pair, if that is one.

(comment) @comment

(table . "[" . [(bare_key) (quoted_key)] @name . "]" . (pair)? @body) @definition.table
(table . "[" . (dotted_key [(bare_key) (dotted_key)] @receiver . (_) @name .) . "]" . (pair)? @body) @definition.table

((table_array_element . "[[" . [(bare_key) (quoted_key) (dotted_key)] @name . "]]" . (pair . (_) @_first) @body) @definition.table
  (#not-any-of? @_first "name" "id"))
(table_array_element . "[[" . [(bare_key) (quoted_key) (dotted_key)] @name . "]]" .) @definition.table
((table_array_element . "[[" . [(bare_key) (quoted_key) (dotted_key)] @receiver . "]]" .
  (pair . (bare_key) @_first (string) @name) @body) @definition.table
  (#any-of? @_first "name" "id")
  (#set! most "2000"))

((document (pair . [(bare_key) (quoted_key)] @name (_) @value) @definition.key)
  (#set! most "200"))
((document (pair . (dotted_key (_) @receiver . (_) @name .) (_) @value) @definition.key)
  (#set! most "200"))
((table (pair . [(bare_key) (quoted_key)] @name (_) @value) @definition.key)
  (#set! most "200"))
((table (pair . (dotted_key (_) @receiver . (_) @name .) (_) @value) @definition.key)
  (#set! most "200"))

; Packages and what they need

((table . (bare_key) @_package (pair . (bare_key) @_name (string) @package))
  (#any-of? @_package "package" "project")
  (#eq? @_name "name"))
((table . [(bare_key) (dotted_key)] @_of (pair . (_) @import))
  (#any-of? @_of "dependencies" "dev-dependencies" "build-dependencies" "workspace.dependencies" "packages" "dev-packages"
    "tool.poetry.dependencies" "tool.poetry.dev-dependencies" "tool.poetry.group.dev.dependencies"))
((table . (dotted_key (bare_key) @_of . (_) @import .))
  (#any-of? @_of "dependencies" "dev-dependencies" "build-dependencies"))
((table . (bare_key) @_project (pair . (bare_key) @_dependencies (array (string) @import)))
  (#eq? @_project "project")
  (#eq? @_dependencies "dependencies"))
