; CSS. Each selector of a rule is a name of it. Inside @media and the like the condition qualifies them.

(comment) @comment

(import_statement [
  (string_value (string_content) @import)
  (call_expression (arguments [(string_value (string_content) @import) (plain_value) @import]))])

((rule_set (selectors (_) @name) (block) @body) @definition.block
  (#set! most "3000"))

((declaration . (property_name) @name) @definition.variable
  (#match? @name "^--")
  (#set! most "1000"))

(media_statement . (_) @name (block) @body) @definition.block
(supports_statement . (_) @name (block) @body) @definition.block
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.block
((at_rule . (at_keyword) @_rule . [(keyword_query) (feature_query) (binary_query)] @name (block) @body) @definition.block
  (#not-eq? @_rule "@media"))
((at_rule . (at_keyword) @_font (block (declaration . (property_name) @_family [
    (string_value (string_content) @name)
    (plain_value) @name])) @body) @definition.block
  (#eq? @_font "@font-face")
  (#eq? @_family "font-family"))
