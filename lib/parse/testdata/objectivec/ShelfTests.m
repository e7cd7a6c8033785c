// A test, as XCTest finds it.
#import <XCTest/XCTest.h>

@interface ShelfTests : XCTestCase
@end

@implementation ShelfTests
- (void)testSort { XCTAssertEqual([Shelf sharedShelf].books.count, SHELF_LIMIT); }
@end
