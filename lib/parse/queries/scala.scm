; scala
