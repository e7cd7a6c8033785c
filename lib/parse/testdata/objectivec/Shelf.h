// Every form of a declaration in a header.
#import <Foundation/Foundation.h>
#import "Book.h"
@import UIKit;

NS_ASSUME_NONNULL_BEGIN

@class Page, Cover;
@protocol Reader;

/// Posted when a book leaves the shelf.
FOUNDATION_EXPORT NSString *const ShelfDidLoseBookNotification;
SHELF_EXPORT void ShelfCount(Shelf *shelf, NSUInteger *count) NS_SWIFT_NAME(count(of:into:));

#define SHELF_LIMIT 40
#define SHELF_FITS(n) ((n) < SHELF_LIMIT)

/// How books are sorted.
typedef NS_ENUM(NSInteger, ShelfOrder) {
    ShelfOrderTitle = 0, // by title
    ShelfOrderAuthor,
} NS_SWIFT_NAME(Shelf.Order);

typedef NS_OPTIONS(NSUInteger, ShelfOptions)
{
    ShelfOptionsNone = 0,
    ShelfOptionsOpen API_AVAILABLE(ios(13.0)) = 1 << 0,
};

enum { SHELF_LOW, SHELF_HIGH };

typedef NSString *ShelfKey NS_TYPED_ENUM;
typedef void (^ShelfVisitor)(Book *book, BOOL *stop);

struct ShelfSize {
    int width;
};

static inline int ShelfArea(struct ShelfSize size) { return size.width * SHELF_LIMIT; }

/**
 * A shelf holds books.
 */
NS_SWIFT_UI_ACTOR
@interface Shelf<__covariant ItemType : id> : NSObject <NSCopying, Reader>
{
@public
    int width;
@private
    NSString *_label;
}

/// The title, in capitals.
@property (nonatomic, copy, nullable) NSString *title NS_SWIFT_NAME(name);
@property (nonatomic, weak, readonly) id<Reader> reader;
@property (nonatomic, copy) void (^handler)(BOOL done);
@property (class, readonly) Shelf *sharedShelf API_DEPRECATED("use shelves", ios(8.0, 9.0));

/// Adds a book.
- (void)addBook:(Book *)book
        atIndex:(NSInteger)index
     completion:(nullable void (^)(NSError *_Nullable error))completion API_AVAILABLE(macos(11.0));
- (instancetype)init NS_UNAVAILABLE;
- (instancetype)initWithTitle:(NSString *)title NS_DESIGNATED_INITIALIZER;
+ (instancetype)shelfWithBooks:(Book *)first, ... NS_REQUIRES_NIL_TERMINATION;
- (int)sum:(int)a :(int)b;
- count;

@end

/// Sorting of shelves.
@interface Shelf (Sorting)
- (void)sortBy:(ShelfOrder)order;
@end

/// Who reads books.
@protocol Reader <NSObject>
@required
- (BOOL)reader:(id)reader shouldOpen:(Book *)book;
@optional
@property (nonatomic) NSInteger speed;
- (void)readerDidFinish;
@end

NS_ASSUME_NONNULL_END
