//! The container doc.
const std = @import("std");
const Allocator = std.mem.Allocator;
pub usingnamespace @import("other.zig");

/// A point.
pub const Point = struct {
    x: f32 = 0,
    y: f32,

    pub const origin = Point{ .x = 0, .y = 0 };
    const Self = @This();

    /// Adds.
    pub fn add(self: Self, o: Point) Point {
        const local = 1;
        const Inner = struct { fn f() void {} };
        return .{};
    }
    fn hidden() void {}
};

const Kind = enum(u8) { a = 1, b, _ };
pub const Value = union(enum) { int: i64, none };
pub const Error = error{ OutOfMemory, Bad };
const Handle = opaque {};
pub const P = packed struct(u32) { a: u1 };
const other = @import("other.zig").thing;
pub const again = @import("again.zig");
pub const E2 = extern union { a: u8 };
const All = Error || Allocator.Error;

pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        /// Appends.
        pub fn append(self: *@This(), item: T) !void {}
    };
}
pub extern "c" fn write(fd: c_int) isize;
export fn exported() void {}
pub inline fn fast() void {}
var counter: usize = 0;
pub threadlocal var tl: u32 = 1;
extern var environ: u8;
const f_ptr: *const fn () void = undefined;
const @"weird name" = 3;

test "adds numbers" {
    const T = struct { fn g() void {} };
    _ = T;
}
test List { }
test { }
comptime { _ = Point; }
const T = if (x) struct { y: u8 } else void;

pub const @"not a word" = 1;
pub fn @"x-y"() void {}
