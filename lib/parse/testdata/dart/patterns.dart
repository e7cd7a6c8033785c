/// A shelf.
abstract class Shelf {
  /// How many books.
  abstract final int count;
  abstract String title;

  int pages(Book book) {
    switch (book) {
      case Bound():
        return 1;
      case Loose():
        return 2;
    }
  }

  int last() => 1;
}
