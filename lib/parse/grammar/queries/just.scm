; Justfile. Recipes are functions with their parameters.

(comment) @comment
(attribute) @attribute

(import (string) @import)
(module name: (identifier) @import)

(recipe (recipe_header name: (identifier) @name) (recipe_body)? @body) @definition.function
(recipe (attribute (identifier) @_doc (string) @doc) (recipe_header name: (identifier) @name)
  (#eq? @_doc "doc"))
(recipe (attribute (identifier) @private) (recipe_header name: (identifier) @name)
  (#eq? @private "private"))
((recipe_header name: (identifier) @name @private)
  (#match? @private "^_"))

(alias left: (identifier) @name) @definition.key
(assignment left: (identifier) @name right: (_) @value) @definition.variable
(export (assignment left: (identifier) @name)) @span
