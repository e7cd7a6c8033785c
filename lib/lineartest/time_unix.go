//go:build unix

package lineartest

import (
	"syscall"
	"testing"
	"time"
)

// processorTime returns the processor time of work on all processors.
func processorTime(t *testing.T, work func()) time.Duration {
	t.Helper()
	usage := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	begin := usage()
	work()
	return usage() - begin
}
