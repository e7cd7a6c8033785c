// Objective-C++: C++ is masked where the grammar stumbles over it.
#import "Cover.h"
#include <vector>

using namespace std;

template <typename T>
static T largest(const std::vector<T> &all) { return all[0]; }

@implementation Cover {
    std::vector<CGRect> _frames;
    art::Mutex _lock;
}

- (void)drawWith:(const art::Style &)style {
    auto count = static_cast<int>(_frames.size());
    art::Lock guard(_lock);
    [self fill:count with:[&](int x) { return x; }];
    try {
        paint::draw(style, nullptr);
    } catch (const std::exception &e) {
        [self fail];
    }
}

@end
