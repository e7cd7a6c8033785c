package update

import (
	"os"
	"strconv"
	"strings"
	"syscall"

	"cortex/lib/safeopen"
)

// holder returns the process that holds the lock on the file or folder, and the name of its program as the system has
// it; 0 if the system does not tell, as of processes in other containers.
func holder(f *os.File) (pid int, program string) {
	info, err := f.Stat()
	if err != nil {
		return 0, ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, ""
	}
	locks, err := safeopen.ReadFile("/proc/locks", 16<<20)
	if err != nil {
		return 0, ""
	}
	// A line is "1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE START END"; those who wait for a lock have "->" behind
	// the number. The device is that of the file system, which need not be the one that stat names.
	end := ":" + strconv.FormatUint(stat.Ino, 10)
	for line := range strings.Lines(string(locks)) {
		fields := strings.Fields(line)
		if len(fields) < 6 || fields[1] != "FLOCK" || !strings.HasSuffix(fields[5], end) {
			continue
		}
		if pid, err = strconv.Atoi(fields[4]); err != nil || pid <= 0 {
			continue
		}
		name, err := safeopen.ReadFile("/proc/"+fields[4]+"/comm", 1<<10)
		if err == nil {
			return pid, strings.TrimSpace(string(name))
		}
	}
	return 0, ""
}
