; Maven: on top of xml.scm.

((document root: (element
    (STag . (Name) @_project)
    (content (element (STag . (Name) @_artifact) (content . (CharData) @package .)))))
  (#eq? @_project "project")
  (#eq? @_artifact "artifactId"))
((element
  (STag . (Name) @receiver .) .
  (content (element (STag . (Name) @_id .) (content . (CharData) @name .))) @body) @definition.block
  (#any-of? @receiver "dependency" "plugin" "parent" "profile" "execution" "repository")
  (#any-of? @_id "artifactId" "id"))
((element
  (STag . (Name) @_dependency .)
  (content (element (STag . (Name) @_id .) (content . (CharData) @import .))))
  (#any-of? @_dependency "dependency" "parent" "plugin")
  (#eq? @_id "artifactId"))
