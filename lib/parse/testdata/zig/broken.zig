const std = @import("std");

pub fn before() void {
    std.debug.print("x", .{};
}

const first, const second = .{ 1, 2 };

/// Survives.
pub fn after(n: usize) usize {
    return n +;
}

test "broken" {
    try expect(;
}

pub const Last = struct {
    pub fn method() void {}
};
