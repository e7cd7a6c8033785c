// Implementations and references.
#import "Shelf.h"

static const NSInteger kDefaultCount = 12;
NSString *const ShelfDidLoseBookNotification = @"lost";
static NSMutableDictionary *cache;

@interface Shelf () <Closing>
@property (nonatomic, strong) NSMutableArray<Book *> *books;
- (void)hide;
@end

static void closeAll(NSArray *books)
{
    for (Book *book in books) {
        [book close];
    }
}

#pragma mark - Life

@implementation Shelf {
    dispatch_queue_t _queue;
    AS_LOCK *_lock;
}

@synthesize title = _title;
@dynamic speed;

- (instancetype)initWithTitle:(NSString *)title
{
    if ((self = [super init])) {
        _title = [title copy];
        _queue = dispatch_queue_create("shelf", DISPATCH_QUEUE_SERIAL);
    }
    return self;
}

/// Adds a book at the end if the index is too large.
- (void)addBook:(Book *)book atIndex:(NSInteger)index completion:(void (^)(NSError *))completion {
    NSInteger place = index > self.books.count ? self.books.count : index;
    [self.books insertObject:book atIndex:place];
    dispatch_async(_queue, ^{
        [[Book alloc] initWithTitle:book.title ? book.title : @":" author:@"a:b" /* c:d */ pages:@[@1, @2]];
        [self.reader reader:self shouldOpen:book];
        completion(nil);
        self.handler(YES);
    });
    [[NSNotificationCenter defaultCenter] addObserver:self
                                             selector:@selector(hide)
                                                 name:ShelfDidLoseBookNotification
                                               object:nil];
    [self visit:^(Book *each, BOOL *stop) {
        [each open];
    } finally:^{ closeAll(self.books); }];
    @try { [book lend]; } @catch (NSException *error) { [error raise]; } @finally { NSLog(@"%@ %"PRIu64" done", book, 1); }
    [self sum:1 :2];
    [cache[@"a"] close];
    [(Cover *)book.cover fold];
    [[[self first] next] turn:2];
}

- (void)hide NS_REQUIRES_SUPER {
}

- (int) sum:(int)a :(int)b { return a + b; }

+ (Shelf *)sharedShelf
{
    static Shelf *shared;
    static dispatch_once_t once;
    dispatch_once(&once, ^{ shared = [[self alloc] init]; });
    return shared;
}

@end

@implementation Shelf (Sorting)
- (void)sortBy:(ShelfOrder)order { Book *book = [self.books firstObject]; [book open]; }
@end

