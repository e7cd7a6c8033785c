; Dockerfile. A stage reaches to the next; without a name of its own it has that of its image.

((comment) @comment
  (#not-match? @comment "^#\\s*(syntax|escape|check)="))

(from_instruction (image_spec) @import)
((from_instruction (image_spec) as: (image_alias) @name) @definition.block
  (#set! level "1"))
((from_instruction !as (image_spec name: (image_name) @name)) @definition.block
  (#set! level "1"))

(arg_instruction name: (_) @name default: (_)? @value) @definition.key
(env_instruction (env_pair name: (_) @name value: (_)? @value) @definition.key)
(env_instruction . "ENV" . (env_pair name: (_) @name) .) @span
(label_instruction (label_pair key: (_) @name value: (_)? @value) @definition.key)

(expose_instruction "EXPOSE" @name) @definition.key
(entrypoint_instruction "ENTRYPOINT" @name) @definition.key
(source_file (cmd_instruction "CMD" @name) @definition.key)
(healthcheck_instruction "HEALTHCHECK" @name) @definition.key
(volume_instruction "VOLUME" @name) @definition.key
(user_instruction "USER" @name) @definition.key
