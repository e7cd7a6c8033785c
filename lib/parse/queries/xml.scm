; XML. Elements with a name or id count, qualified by their tag: bean.dataSource; of the others those at
; the first level, and at the second those that hold a word. The root does not.

(Comment) @comment

((element
  (STag . (Name) @receiver (Attribute (Name) @_name (AttValue) @name)) .
  (_) @body) @definition.block
  (#any-of? @_name "name" "id" "Name" "Id" "Include" "x:Name" "x:Key" "x:Class" "xml:id" "android:id" "android:name")
  (#set! most "2000"))
((element
  (EmptyElemTag . (Name) @receiver (Attribute (Name) @_name (AttValue) @name))) @definition.key
  (#any-of? @_name "name" "id" "key" "Name" "Id" "Include" "x:Name" "x:Key" "xml:id" "android:id" "android:name")
  (#set! most "2000"))

((document root: (element (content (element
    (STag . (Name) @name .) .
    (_) @body) @definition.block)))
  (#set! most "200"))
((document root: (element (content (element (content (element
    (STag . (Name) @name .)
    (content . (CharData) @value .)) @definition.key)))))
  (#set! most "200"))

; Maven

((document root: (element
    (STag . (Name) @_project)
    (content (element (STag . (Name) @_artifact) (content . (CharData) @package .)))))
  (#eq? @_project "project")
  (#eq? @_artifact "artifactId")
  (#file? "pom.xml" "*.pom"))
((element
  (STag . (Name) @receiver .) .
  (content (element (STag . (Name) @_id .) (content . (CharData) @name .))) @body) @definition.block
  (#any-of? @receiver "dependency" "plugin" "parent" "profile" "execution" "repository")
  (#any-of? @_id "artifactId" "id")
  (#file? "pom.xml" "*.pom"))
((element
  (STag . (Name) @_dependency .)
  (content (element (STag . (Name) @_id .) (content . (CharData) @import .))))
  (#any-of? @_dependency "dependency" "parent" "plugin")
  (#eq? @_id "artifactId")
  (#file? "pom.xml" "*.pom"))

; MSBuild and NuGet

((element [
  (EmptyElemTag . (Name) @_reference (Attribute (Name) @_name (AttValue) @import))
  (STag . (Name) @_reference (Attribute (Name) @_name (AttValue) @import))])
  (#any-of? @_reference "PackageReference" "ProjectReference" "Reference" "PackageVersion" "package" "Import")
  (#any-of? @_name "Include" "Project" "id"))
