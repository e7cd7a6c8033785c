package update

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A call is a system call of a child process on a file of the store. The path is relative to the store.
type call struct {
	number uintptr
	path   string
}

// failable are the system calls on files that a disk may fail.
var failable = []uint32{unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_GETDENTS64, unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_FSYNC}

// failing makes every call fail for which it returns true, as a broken disk does.
func failing(fail func(call) bool) func(call) unix.Errno {
	return func(c call) unix.Errno {
		if fail(c) {
			return unix.EIO
		}
		return 0
	}
}

// runOnFailingDisk is runChild on a disk that fails those system calls for which fail gives an error: the kernel asks
// before it carries one out (seccomp_unotify(2)).
func runOnFailingDisk(t *testing.T, job, dir, input string, fail func(call) unix.Errno) (string, *os.ProcessState) {
	t.Helper()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(ends[0]), "supervisor"), os.NewFile(uintptr(ends[1]), "child")
	defer ours.Close()
	var supervisor sync.WaitGroup
	cmd, stderr := childCommand(t, job, dir, input)
	cmd.Env = append(cmd.Env, superviseVariable+"=1")
	cmd.ExtraFiles = []*os.File{theirs}
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		t.Fatal(err)
	}
	supervisor.Go(func() { supervise(t, ours, dir, fail) })
	_ = cmd.Wait() // the state tells
	supervisor.Wait()
	if cmd.ProcessState.ExitCode() == exitUnsupervised {
		t.Skip("the kernel does not let system calls be supervised: ", stderr)
	}
	return stderr.String(), cmd.ProcessState
}

const superviseVariable = "CORTEX_STORE_SUPERVISED"

// A notification is struct seccomp_notif, a response struct seccomp_notif_resp.
type notification struct {
	id         uint64
	pid, flags uint32
	number     int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

type response struct {
	id    uint64
	value int64
	error int32
	flags uint32
}

// supervise answers the kernel's questions until the child has ended.
func supervise(t *testing.T, socket *os.File, dir string, fail func(call) unix.Errno) {
	oob := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(int(socket.Fd()), make([]byte, 1), oob, 0)
	if err != nil || n == 0 {
		return // the child says why
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil {
		t.Error(err)
		return
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		t.Error(err)
		return
	}
	listener := fds[0]
	defer unix.Close(listener)
	for {
		poll := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(poll, -1); err == unix.EINTR {
			continue
		}
		if poll[0].Revents&unix.POLLIN == 0 {
			return
		}
		var asked notification
		if err := ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&asked)); err != nil {
			continue // the child was killed meanwhile
		}
		answer := response{id: asked.id, flags: 1} // SECCOMP_USER_NOTIF_FLAG_CONTINUE
		path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", asked.pid, int32(asked.args[0])))
		if err == nil {
			if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
				if errno := fail(call{uintptr(asked.number), rel}); errno != 0 {
					answer = response{id: asked.id, error: -int32(errno)}
				}
			}
		}
		_ = ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&answer))
	}
}

func ioctl(fd int, request uintptr, argument unsafe.Pointer) error {
	for {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(argument))
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return errno
		}
	}
}

// beSupervised hands the system calls of this process to the one that started it, if that wishes.
func beSupervised() error {
	if os.Getenv(superviseVariable) == "" {
		return nil
	}
	load := unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0} // the number of the call
	program := []unix.SockFilter{load}
	for i, number := range failable {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(len(failable) - i), K: number})
	}
	program = append(program, unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ALLOW}, unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_USER_NOTIF})
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// Who isn't root needs it.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH
	listener, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return errno
	}
	return unix.Sendmsg(3, []byte{0}, unix.UnixRights(int(listener)), nil, 0)
}

// The error of every reader names the file that cannot be read, and the cause.
func TestReadErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	one := layout.ShardPath("00.jsonl")
	change := stream(t, begin(record.Incremental, 2), file("a.go", "ok"), code("a1", "a.go", "changed"), file("b.go", "unchanged"), file("c.go", "unchanged"), end(2))
	tests := []struct {
		job, file string
		after     int // so many calls succeed
	}{
		{"load", one, 0},
		{"load", one, 1},
		{"load", layout.ManifestName, 0},
		{"chunks", one, 0},
		{"chunks", one, 2},
		{"chunks", layout.ManifestName, 0},
		{"indexed", layout.ManifestName, 0},
		{"indexed", one, 0},
		{"verify", one, 0},
		{"verify", layout.ManifestName, 0},
		{"cat", one, 0},
		{"cat", one, 2},
		{"status", layout.ManifestName, 0},
		{"run", layout.ManifestName, 0},
		{"run", one, 0},
		{"run", one, 1},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s %s %d", test.job, test.file, test.after), func(t *testing.T) {
			t.Parallel()
			dir := stored(t)
			before := contents(t, dir)
			n := 0
			message, state := runOnFailingDisk(t, test.job, dir, change, failing(func(c call) bool {
				if c.path == test.file {
					n++
				}
				return c.path == test.file && n > test.after
			}))
			if state.ExitCode() != 2 {
				t.Errorf("exit status %d", state.ExitCode())
			}
			checkContains(t, message, "read "+layout.Dir+"/"+test.file+": input/output error\n")
			if test.job != "chunks" { // who reads those knows what to do
				checkContains(t, message, "\nhint: ")
				checkContains(t, message, "the disk may be failing")
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Error(diff)
			}
			checkVerified(t, dir)
		})
	}
}

// The error of a writer names the file that cannot be read or written, and the cause; the store is unchanged.
func TestWriteErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	long := make([]any, 0, 2002)
	for i := range 100 {
		name := fmt.Sprintf("f%04d.go", i)
		long = append(long, file(name, "ok"), code(name, name, strings.Repeat("text ", 100)))
	}
	whole := stream(t, append(append([]any{begin(record.Full, 100)}, long...), end(100))...)
	change := stream(t, begin(record.Incremental, 1), calling(file("f0050.go", "ok"), 1), code("f0050.go", "f0050.go", "changed"), end(1))
	for _, test := range []struct {
		file   string
		number uintptr
		errno  unix.Errno
		after  int // so many calls succeed
	}{
		{"shard", unix.SYS_WRITE, unix.ENOSPC, 0},
		{"shard", unix.SYS_WRITE, unix.EDQUOT, 0},
		{"shard", unix.SYS_WRITE, unix.EIO, 0},
		{"shard", unix.SYS_FSYNC, unix.ENOSPC, 0},
		{manifestTemp, unix.SYS_WRITE, unix.ENOSPC, 0},
		{manifestTemp, unix.SYS_FSYNC, unix.EDQUOT, 0},
		{layout.ShardsDir, unix.SYS_FSYNC, unix.EIO, 0},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			t.Parallel()
			dir := newDir(t)
			mustApply(t, dir, whole, small)
			named := test.file
			if test.file == "shard" {
				twin := newDir(t)
				mustApply(t, twin, whole, small)
				mustApply(t, twin, change, small)
				shards := mustLoad(t, twin).Manifest.Shards
				written := &shards[shard.Of("f0050.go", len(shards))]
				test.file, named = layout.NewPath(written), layout.ShardPath(written.Name)
			}
			before := contents(t, dir)
			n := 0
			message, state := runOnFailingDisk(t, "run", dir, change, func(c call) unix.Errno {
				if c.path != test.file || c.number != test.number {
					return 0
				}
				if n++; n > test.after {
					return test.errno
				}
				return 0
			})
			if state.ExitCode() != 2 || n == 0 {
				t.Errorf("exit status %d after %d calls", state.ExitCode(), n)
			}
			want := fmt.Sprintf("write %s/%s: %v\nhint: the index is as it was; ", layout.Dir, named, test.errno)
			if !strings.HasPrefix(message, want) || strings.Contains(message, "read ") {
				t.Errorf("got %s\nwant %s", message, want)
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Error(diff)
			}
			checkVerified(t, dir)
			checkNoLeftovers(t, dir)
			mustApply(t, dir, change, small)
			checkVerified(t, dir)
		})
	}
}

// Whichever system call of a run, or of a run that cleans up after another one, fails: the store is in the old or in
// the new state, the error says which, and the next run continues.
func TestFailingDiskAtAnyPoint(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	inputs := threeGenerations(t)
	one := stream(t, code("zz", "a.go", "one more"))
	tests := []struct {
		name, killed string // killed is the step before which a writer of the next generation was killed
		input        string
	}{
		{"all", "", inputs[1]},
		{"one", "", one},
		{"one after a kill after the commit", "kill rename", one},
		{"one after a kill before the commit", "kill commit", one},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			// prepared is a store as the run finds it, and what is in it.
			prepared := func() (dir, before string) {
				dir = newDir(t)
				mustApply(t, dir, inputs[0], small)
				if test.killed != "" {
					if message, state := runChild(t, test.killed, dir, inputs[1]); !killed(state) {
						t.Fatal(message)
					}
				}
				return dir, ids(mustLoad(t, dir))
			}
			whole, _ := prepared()
			mustApply(t, whole, test.input, small)
			wanted := ids(mustLoad(t, whole))
			for nth, failed := 1, true; failed; nth += everyCall(t) {
				dir, before := prepared()
				n := 0
				var bad call
				failed = false
				lasting := nth%2 == 0
				message, state := runOnFailingDisk(t, "run", dir, test.input, failing(func(c call) bool {
					if n++; n == nth {
						bad = c
					}
					fails := n == nth || lasting && n > nth && c == bad
					failed = failed || fails
					return fails
				}))
				place := fmt.Sprintf("call %d (%d on %s, lasting %v), exit status %d: %s", nth, bad.number, bad.path, lasting, state.ExitCode(), message)
				snap, err := load(dir)
				if err != nil {
					t.Fatalf("%s: %v", place, err)
				}
				switch after := ids(snap); {
				case after != wanted && after != before, after != wanted && state.ExitCode() == 0:
					t.Fatalf("%s: the store has %s", place, after)
				case !failed && state.ExitCode() != 0:
					t.Fatalf("%s: nothing failed", place)
				case state.ExitCode() != 0:
					checkContains(t, message, "input/output error")
				}
				checkVerified(t, dir)
				mustApply(t, dir, inputs[2], small)
				if g := generationOf(t, mustLoad(t, dir)); g != 2 {
					t.Fatalf("%s: then generation %d", place, g)
				}
				checkNoLeftovers(t, dir)
			}
		})
	}
}

// everyCall is the distance between failing calls: CORTEX_SEQUENCES=100 or more tests all.
func everyCall(t *testing.T) int {
	if text := os.Getenv("CORTEX_SEQUENCES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("CORTEX_SEQUENCES: %v", err)
		}
		if n >= 100 {
			return 1
		}
	}
	return 7
}
