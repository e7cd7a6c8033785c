; JSON, with or without comments. The keys of the first object of the file count, and those at the second
; level of objects whose keys are names.

(comment) @comment

((document . (comment)* . (object
  (pair . key: (string) @name value: (_) @value) @definition.key))
  (#set! most "200"))

((document (object (pair .
    key: (string (string_content) @_of)
    value: (object (pair . key: (string) @name value: (_) @value) @definition.key))))
  (#any-of? @_of "scripts" "bin" "exports" "imports" "engines" "workspaces" "config" "dependencies" "devDependencies" "peerDependencies"
    "optionalDependencies" "overrides" "resolutions" "require" "require-dev" "autoload" "extra" "compilerOptions" "rules" "targets" "tasks"
    "projects" "commands" "paths" "webhooks" "definitions" "$defs" "properties" "components" "parameters" "variables" "resources" "outputs"
    "Parameters" "Resources" "Outputs" "Conditions" "Mappings" "ConnectionStrings" "contributes" "env" "services" "mcpServers")
  (#set! most "2000"))

; Operations and schemas of OpenAPI, at the third level

((document (object (pair .
    key: (string (string_content) @_paths)
    value: (object (pair value: (object (pair . key: (string (string_content) @name) value: (_) @value) @definition.key))))))
  (#any-of? @_paths "paths" "webhooks")
  (#any-of? @name "get" "put" "post" "delete" "options" "head" "patch" "trace" "query"))
((document (object (pair .
    key: (string (string_content) @_paths)
    value: (object (pair value: (object (pair value: (object
      (pair . key: (string (string_content) @_operation) value: (string (string_content) @name)) @definition.key))))))))
  (#any-of? @_paths "paths" "webhooks")
  (#eq? @_operation "operationId"))
((document (object (pair .
    key: (string (string_content) @_components)
    value: (object (pair value: (object (pair . key: (string) @name value: (_) @value) @definition.key))))))
  (#eq? @_components "components")
  (#set! most "2000"))

; Packages and what they need

((document (object (pair . key: (string (string_content) @_name) value: (string (string_content) @package))))
  (#eq? @_name "name")
  (#file? "package.json" "composer.json" "deno.json" "jsr.json" "bower.json"))
((document (object (pair .
    key: (string (string_content) @_of)
    value: (object (pair . key: (string) @import)))))
  (#any-of? @_of "dependencies" "devDependencies" "peerDependencies" "optionalDependencies" "require" "require-dev")
  (#file? "package.json" "composer.json" "bower.json"))
((document (object (pair . key: (string (string_content) @_extends) value: (string) @import)))
  (#any-of? @_extends "extends" "$schema"))
