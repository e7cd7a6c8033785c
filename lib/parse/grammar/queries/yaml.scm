; YAML. Keys count to the third level. What is known by its content counts deeper: objects of
; Kubernetes, jobs of CI, services of Compose, paths and schemas of OpenAPI, rules of Prometheus.

(comment) @comment

; Objects of Kubernetes are named by kind and name: Deployment.web. Their usual keys say nothing.

((block_mapping .
  (block_mapping_pair)? .
  (block_mapping_pair . key: (flow_node) @_kind value: (flow_node) @receiver) .
  (block_mapping_pair)? .
  (block_mapping_pair . key: (flow_node) @_metadata value: (block_node (block_mapping
    (block_mapping_pair . key: (flow_node) @_name value: (flow_node) @name)))) @body) @definition.block
  (#eq? @_kind "kind")
  (#eq? @_metadata "metadata")
  (#any-of? @_name "name" "generateName"))

; A name that a template makes is none

((block_mapping .
  (block_mapping_pair)? .
  (block_mapping_pair . key: (flow_node) @_kind value: (flow_node) @name) .
  (block_mapping_pair)? .
  (block_mapping_pair . key: (flow_node) @_metadata value: (block_node (block_mapping
    (block_mapping_pair . key: (flow_node) @_name value: (flow_node) @_template)))) @body) @definition.block
  (#eq? @_kind "kind")
  (#eq? @_metadata "metadata")
  (#eq? @_name "name")
  (#eq? @_template "_"))

; Blocks at the second level

((document (block_node (block_mapping (block_mapping_pair .
    key: (flow_node) @_of
    value: (block_node (block_mapping
      (block_mapping_pair . key: (flow_node) @name value: (_)? @body) @definition.block))))))
  (#any-of? @_of "jobs" "services" "paths" "webhooks" "definitions" "stages")
  (#set! most "2000"))

; Operations and schemas of OpenAPI, at the third

((document (block_node (block_mapping (block_mapping_pair .
    key: (flow_node) @_paths
    value: (block_node (block_mapping (block_mapping_pair
      value: (block_node (block_mapping
        (block_mapping_pair . key: (flow_node) @name value: (_) @body) @definition.block)))))))))
  (#any-of? @_paths "paths" "webhooks")
  (#any-of? @name "get" "put" "post" "delete" "options" "head" "patch" "trace" "query"))
((document (block_node (block_mapping (block_mapping_pair .
    key: (flow_node) @_paths
    value: (block_node (block_mapping (block_mapping_pair
      value: (block_node (block_mapping (block_mapping_pair
        value: (block_node (block_mapping
          (block_mapping_pair . key: (flow_node) @_operation value: (flow_node) @name) @definition.key))))))))))))
  (#any-of? @_paths "paths" "webhooks")
  (#eq? @_operation "operationId"))
((document (block_node (block_mapping (block_mapping_pair .
    key: (flow_node) @_components
    value: (block_node (block_mapping (block_mapping_pair
      value: (block_node (block_mapping
        (block_mapping_pair . key: (flow_node) @name value: (_)? @body) @definition.block)))))))))
  (#eq? @_components "components")
  (#set! most "2000"))

; Keys

((document (block_node (block_mapping
    (block_mapping_pair . key: (flow_node) @name value: (_)? @value) @definition.key)))
  (#not-any-of? @name "apiVersion" "kind" "metadata" "spec" "<<")
  (#set! most "200"))
((document (block_node (block_mapping (block_mapping_pair .
    key: (flow_node) @_of
    value: (block_node (block_mapping
      (block_mapping_pair . key: (flow_node) @name value: (_)? @value) @definition.key))))))
  (#not-any-of? @_of "metadata" "spec" "status")
  (#not-eq? @name "<<")
  (#set! most "100"))
((document (block_node (block_mapping (block_mapping_pair .
    key: (flow_node) @_of
    value: (block_node (block_mapping (block_mapping_pair
      value: (block_node (block_mapping
        (block_mapping_pair . key: (flow_node) @name value: (_)? @value) @definition.key)))))))))
  (#not-any-of? @_of "metadata" "spec" "status" "jobs" "paths" "webhooks" "components" "definitions")
  (#not-eq? @name "<<")
  (#set! most "500"))
((document (flow_node (flow_mapping (flow_pair key: (flow_node) @name value: (_)? @value) @definition.key)))
  (#set! most "200"))

; Items of lists that have names: tasks and plays of Ansible, rules of Prometheus

((document (block_node (block_sequence (block_sequence_item
    (block_node (block_mapping .
      (block_mapping_pair . key: (flow_node) @_name value: (flow_node) @name)) @definition.block)))))
  (#any-of? @_name "name" "id")
  (#set! most "500"))
((block_sequence_item (block_node (block_mapping .
    (block_mapping_pair . key: (flow_node) @_rule value: (flow_node) @name)))) @definition.block
  (#any-of? @_rule "alert" "record"))

; What other files and images are used

((block_mapping_pair . key: (flow_node) @_uses value: (flow_node) @import)
  (#any-of? @_uses "uses" "image" "repo" "include" "import_playbook"))
