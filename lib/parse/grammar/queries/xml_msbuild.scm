; MSBuild and NuGet: on top of xml.scm.

((element [
  (EmptyElemTag . (Name) @_reference (Attribute (Name) @_name (AttValue) @import))
  (STag . (Name) @_reference (Attribute (Name) @_name (AttValue) @import))])
  (#any-of? @_reference "PackageReference" "ProjectReference" "Reference" "PackageVersion" "package" "Import")
  (#any-of? @_name "Include" "Project" "id"))
