import Testing
import XCTest

@Suite("Shelves") struct ShelfSuite {
    let shelf = 1
    @Test("adds", arguments: [1, 2]) func adds(n: Int) {}
}

@Test func alone() async {}

final class ShelfCase: XCTestCase {
    override func setUp() {}
    func testPut() throws {}
}

class Plain { func testNot() {} }
