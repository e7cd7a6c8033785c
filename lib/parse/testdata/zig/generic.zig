/// A list of any type.
pub fn List(comptime T: type) type {
    return struct {
        const Self = @This();
        pub const Node = struct { value: T };
        pub const empty: Self = .{};
        items: []T = &.{},

        /// Adds.
        pub fn push(self: *Self, value: T) void {
            const local = value;
        }
        fn grow() void {}
    };
}

fn Hidden(comptime T: type) type {
    const local = 1;
    return union(enum) {
        pub const first: T = local;
    };
}
