; HCL, as Terraform, Packer and Nomad write it. A block is named by its type and labels,
; joined by dots. Blocks in blocks count if they have labels.

(comment) @comment

(config_file (body (block . (identifier) @name . (block_start) @body) @definition.block))
(block . (identifier) @receiver . [(string_lit) (identifier)] @name . (block_start) @body) @definition.block
(block . (identifier) @receiver . [(string_lit) (identifier)] @receiver . [(string_lit) (identifier)] @name
  . (block_start) @body) @definition.block

; A description is the documentation of variables and outputs

((block . (identifier) . (string_lit) @name . (block_start)
  (body (attribute (identifier) @_description (expression . (literal_value . (string_lit) @doc)))))
  (#eq? @_description "description"))

; Keys: locals, and all of a file of values

((block . (identifier) @_locals . (block_start)
  (body (attribute (identifier) @name (expression) @value) @definition.key))
  (#any-of? @_locals "locals" "inputs"))
(config_file (body (attribute (identifier) @name (expression) @value) @definition.key))

; Sources of modules and providers

((block . (identifier) @_module
  (body (attribute (identifier) @_source (expression . (literal_value . (string_lit) @import)))))
  (#any-of? @_module "module" "terraform")
  (#eq? @_source "source"))
((block . (identifier) @_required . (block_start)
  (body (attribute (identifier) @name
    (expression (collection_value (object (object_elem
      key: (expression) @_source
      val: (expression (literal_value (string_lit) @import))))))) @definition.key))
  (#eq? @_required "required_providers")
  (#eq? @_source "source"))
