#import <Foundation/Foundation.h>

@protocol Runner
- (void)run;
@end

@interface Queue<__covariant Item> : NSObject {
    id<Runner> _runner;
}
@property (nonatomic) Queue<Item> *next;
- (nullable Queue<Item> *)rest;
- (id<Runner>)runner;
@end

void drain(Queue<NSString *> *queue, NSArray<Queue *> *others) {
    [[queue rest] drain];
    [queue.next drain];
    Queue<NSString *> *last = nil;
    [last drain];
    for (id<Runner> runner in others) {
        [runner run];
    }
    id<Runner> first = [queue runner];
    [first run];
}
