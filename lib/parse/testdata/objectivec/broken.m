@interface Before : NSObject
- (void)first;
@end

@implementation Before
- (void)first {
    [self call:
}
- (void)second:(int)x {
    if (x) {
@end

@implementation After
- (void)third { [self second:3]; }
@end
