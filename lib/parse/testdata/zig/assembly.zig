/// Waits for an interrupt.
pub fn wait() void {
    asm volatile ("wfi" ::: .{ .memory = true });
}

fn swap(a: u32) u32 {
    return asm volatile ("swap"
        : [b] "=r" (-> u32),
        : [a] "{r0}" (a),
        : .{
          .r1 = true,
          .memory = true,
        });
}

pub const last = 1;
