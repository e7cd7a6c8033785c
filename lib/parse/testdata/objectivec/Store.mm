#import "Store.h"

using namespace books;

namespace {
Book first(const books::Book& book, bool up = true) {
    for (auto& other : book.others) {
        visit(other);
    }
    return {book};
}

BOOL matches(Book const& a, Book &b, Book&& c) {
    if (auto found = find(a, {1, 2})) {
        return found->matches(b);
    }
    throw std::runtime_error("no such book");
}
}

@implementation Store

- (BOOL)read:(NSURL *)url options:(books::Options&&)options error:(NSError **)error {
    @autoreleasepool {
        try {
            Reader reader(_config, url.path);
            [self open:books::Options{url, 1} autoreverses:NO];
            return reader.each([self](Book const& book) { [self keep:book]; });
        }
        catch (const std::exception& e) {
            [self fail:&e];
        }
    }
    @try {
        [self close];
    } @catch (NSException *exception) {
        [self report:exception];
    }
    for (auto [key, value] : _index) {
        [self keep:value];
    }
    return [&] { return NO; }();
}

- (void)keep:(Book)book {
    delete _last;
}

@end
