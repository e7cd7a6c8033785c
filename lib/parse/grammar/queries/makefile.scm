; Makefile. A target with a recipe is a function: it is what one calls; one without a recipe
; is a key. Targets that make gives a meaning are none, nor is a variable of one target alone.

(comment) @comment

(include_directive filenames: (list (_) @import))

((rule (targets (_) @name) (recipe) @body) @definition.function
  (#not-any-of? @name ".PHONY" ".SUFFIXES" ".DEFAULT" ".PRECIOUS" ".INTERMEDIATE" ".SECONDARY" ".SECONDEXPANSION" ".DELETE_ON_ERROR"
    ".IGNORE" ".LOW_RESOLUTION_TIME" ".SILENT" ".EXPORT_ALL_VARIABLES" ".NOTPARALLEL" ".ONESHELL" ".POSIX"))
((rule (targets (_) @name)) @definition.key
  (#not-any-of? @name ".PHONY" ".SUFFIXES" ".DEFAULT" ".PRECIOUS" ".INTERMEDIATE" ".SECONDARY" ".SECONDEXPANSION" ".DELETE_ON_ERROR"
    ".IGNORE" ".LOW_RESOLUTION_TIME" ".SILENT" ".EXPORT_ALL_VARIABLES" ".NOTPARALLEL" ".ONESHELL" ".POSIX"))

(define_directive name: (word) @name value: (raw_text)? @body) @definition.macro

(variable_assignment !target_or_pattern name: (_) @name value: (_)? @value) @definition.variable
(shell_assignment name: (_) @name value: (_)? @value) @definition.variable
(override_directive (variable_assignment name: (_) @name)) @span
(export_directive (variable_assignment name: (_) @name)) @span
