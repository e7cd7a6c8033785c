package derived

var RemoveUnused = removeUnused
