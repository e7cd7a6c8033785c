class Shelf {
  func open() { make(is: 1, true: 2) }
  func close() {}
}
