#import <Foundation/Foundation.h>

namespace books {
struct Book;
}

Result *open(books::Book& book, const books::Book& other, books::Book&& last);

@interface Store : NSObject
- (void)keep:(books::Book const&)book;
- (BOOL)close;
@end
