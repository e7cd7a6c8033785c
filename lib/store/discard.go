package store

import (
	"context"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"cortex/lib/parallel"
)

// discardAtOnce is how much of a file is discarded between two calls of parallel.Yield, in bytes. The system needs about a third of a millisecond for it.
const discardAtOnce = 1 << 20

// Discard is for who is about to close the lines of a generation that was replaced: it lets the system free, piece by piece, the memory in which it holds
// files that nobody can open any more. Close does so as well, at once, which takes a third of a second for a gigabyte and slows all others down.
func (l *Lines) Discard(ctx context.Context) {
	for _, f := range l.files {
		if f != nil {
			discard(ctx, f)
		}
	}
}

// DiscardGraph does so for what OpenGraph has opened and nobody has read.
func DiscardGraph(ctx context.Context, r io.ReadCloser) {
	if opened, ok := r.(*graphReader); ok {
		discard(ctx, opened.f)
	}
}

func discard(ctx context.Context, f *os.File) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &stat); err != nil || stat.Nlink > 0 {
		return
	}
	for at := int64(0); at < stat.Size && ctx.Err() == nil; at += discardAtOnce {
		parallel.Yield(ctx)
		forgetPages(f, at, discardAtOnce)
	}
}
