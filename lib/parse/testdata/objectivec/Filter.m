#import "Filter.h"

NSString *const kFilterProgram = FILTER_TEXT
(
    varying highp vec2 place;
    uniform sampler2D picture;

    void main()
    {
        lowp vec4 color = texture2D(picture, place);
        gl_FragColor = vec4(color.rgb * max(0.5, (color.r + color.g)), color.a);
    }
);

typedef BOOK_CLOSED_ENUM(int32_t, FilterMode) {
    FilterModeNone,
    FilterModeGray,
};

BOOK_SENDABLE BOOK_FINAL // is never changed
@interface Filter : NSObject
_Pragma("clang diagnostic push") \
_Pragma("clang diagnostic ignored \"-Wstrict-prototypes\"") \
@property (nonatomic) FilterMode mode;
- (void)apply;
@end

id FilterNamed(NSString *name) BOOK_HIDDEN;

@implementation Filter {
    // Keeps the modes apart.
    BOOK_LOCK_DECLARE(_lock); // a lock
}

#if BOOK_MAC
- (void)viewDidMoveToWindow
#else
- (void)didMoveToWindow
#endif
{
    [self apply];
}

- (void)apply {
    lock(_lock);
    @onExit {
        unlock(_lock);
    };
    [self reset];
}

@end
