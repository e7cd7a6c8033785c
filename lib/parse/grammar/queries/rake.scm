; Rake: on top of ruby.scm. Tasks are functions, their namespaces modules.

((call !receiver method: (identifier) @_task
  arguments: (argument_list . [
    (simple_symbol) @name
    (string . (string_content) @name .)
    (pair key: [(simple_symbol) @name (hash_key_symbol) @name (string . (string_content) @name .)])])) @definition.function
  (#any-of? @_task "task" "multitask" "file"))
((call !receiver method: (identifier) @_task
  arguments: (argument_list . [
    (simple_symbol) @name
    (string . (string_content) @name .)
    (pair key: [(simple_symbol) @name (hash_key_symbol) @name (string . (string_content) @name .)])])
  block: (_) @body)
  (#any-of? @_task "task" "multitask" "file"))
((call !receiver method: (identifier) @_namespace
  arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])
  block: (_) @body @open) @definition.module
  (#eq? @_namespace "namespace"))
((call !receiver method: (identifier) @_desc arguments: (argument_list (string) @doc.before .)) @attribute
  (#eq? @_desc "desc"))
