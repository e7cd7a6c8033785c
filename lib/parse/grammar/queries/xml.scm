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
((document root: (element (content (element (STag . (Name) .) (content (element
    (STag . (Name) @name .)
    (content . (CharData) @value .)) @definition.key)))))
  (#set! most "200"))
