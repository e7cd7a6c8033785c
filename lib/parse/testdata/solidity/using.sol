pragma solidity ^0.8.13;

using ShelfLib for Shelf global;
using {add, count as size} for Shelf global;

struct Shelf { uint256 books; }

/// Counts books.
library ShelfLib {
    using ShelfLib for Shelf;

    /// The number of books.
    function count(Shelf storage shelf) internal view returns (uint256) {
        return shelf.books;
    }
}
