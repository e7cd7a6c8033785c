; HTML, and Vue and Svelte with it. What has an id or is a heading counts; scripts and styles are
; in their own language unless their type says otherwise.

(comment) @comment

((element . (start_tag . (tag_name) @_tag) . [(text) (entity)]+ @name) @definition.heading
  (#any-of? @_tag "title" "h1" "h2" "h3" "h4" "h5" "h6")
  (#set! most "1000"))
((element . (start_tag . (tag_name) @_tag) . (element (start_tag) . [(text) (entity)]+ @name)) @definition.heading
  (#any-of? @_tag "h1" "h2" "h3" "h4" "h5" "h6"))

((element .
  (start_tag (attribute . (attribute_name) @_id [
    (quoted_attribute_value (attribute_value) @name)
    (attribute_value) @name])) .
  (_) @body) @definition.block
  (#eq? @_id "id")
  (#set! most "1000"))
((element . (self_closing_tag (attribute . (attribute_name) @_id [
    (quoted_attribute_value (attribute_value) @name)
    (attribute_value) @name]))) @definition.block
  (#eq? @_id "id"))

; What is loaded

((script_element . (start_tag (attribute . (attribute_name) @_src [
    (quoted_attribute_value (attribute_value) @import)
    (attribute_value) @import])))
  (#eq? @_src "src"))
((start_tag . (tag_name) @_link (attribute . (attribute_name) @_href (quoted_attribute_value (attribute_value) @import)))
  (#eq? @_link "link")
  (#eq? @_href "href"))
((self_closing_tag . (tag_name) @_link (attribute . (attribute_name) @_href (quoted_attribute_value (attribute_value) @import)))
  (#eq? @_link "link")
  (#eq? @_href "href"))

; Scripts and styles: the first of these that fits counts

((script_element .
  (start_tag (attribute . (attribute_name) @_type (quoted_attribute_value (attribute_value) @_json)))
  (raw_text) @embedded.json)
  (#eq? @_type "type")
  (#any-of? @_json "application/json" "application/ld+json" "importmap" "speculationrules"))
((script_element .
  (start_tag (attribute . (attribute_name) @_type (quoted_attribute_value (attribute_value) @_other)))
  (raw_text) @embedded.other)
  (#eq? @_type "type")
  (#not-any-of? @_other "module" "text/javascript" "application/javascript" "text/ecmascript" "text/babel" "text/typescript"))
((script_element .
  (start_tag (attribute . (attribute_name) @_lang (quoted_attribute_value (attribute_value) @_ts)))
  (raw_text) @embedded.typescript)
  (#any-of? @_lang "lang" "type")
  (#any-of? @_ts "ts" "typescript" "text/typescript"))
((script_element .
  (start_tag (attribute . (attribute_name) @_lang (quoted_attribute_value (attribute_value) @_tsx)))
  (raw_text) @embedded.tsx)
  (#eq? @_lang "lang")
  (#eq? @_tsx "tsx"))
(script_element (raw_text) @embedded.javascript)

((style_element .
  (start_tag (attribute . (attribute_name) @_lang (quoted_attribute_value (attribute_value) @_other)))
  (raw_text) @embedded.other)
  (#any-of? @_lang "lang" "type")
  (#not-any-of? @_other "css" "postcss" "text/css"))
(style_element (raw_text) @embedded.css)
