package keep

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Stages returns the commands of the pipeline in their order.
func Stages() []string {
	return []string{"cortex-parse", "cortex-chunk", "cortex-embed", "cortex-store"}
}

// stages are the processes of a pipeline, joined by pipes, except for the last two: the keeper passes the records on.
type stages struct {
	running []*stage
	// from is the output of cortex-embed, to the input of cortex-store.
	from *os.File
	to   io.WriteCloser
	// end ends the processes with SIGTERM, and with SIGKILL after lastWords.
	end  context.CancelFunc
	done sync.WaitGroup
}

// startStages starts the stages in the folder root, with the arguments of each. The caller closes the stages.
func startStages(ctx context.Context, bin, root string, args [][]string) (_ *stages, err error) {
	ctx, end := context.WithCancel(context.WithoutCancel(ctx))
	s := &stages{end: end}
	var ends []io.Closer // of the pipes, which the processes hold open
	defer func() {
		for _, pipe := range ends {
			pipe.Close()
		}
		if err != nil {
			s.close()
		}
	}()
	list := make([]*stage, len(args))
	for i, name := range Stages() {
		cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args[i]...)
		cmd.Dir = root
		list[i] = &stage{Cmd: cmd, said: &tail{}}
		cmd.Stderr = list[i].said
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
		cmd.WaitDelay = lastWords
	}
	last := len(list) - 1
	for i := range last {
		out, in, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		list[i].Stdout = in
		ends = append(ends, in)
		if i+1 == last {
			s.from = out
			break
		}
		list[i+1].Stdin = out
		ends = append(ends, out)
	}
	if s.to, err = list[last].StdinPipe(); err != nil {
		return nil, err
	}
	for i, one := range list {
		if err := one.Start(); err != nil {
			return nil, err
		}
		s.running = append(s.running, one)
		s.done.Go(func() {
			_ = one.Wait() // errors are reported from the stage's stderr
			one.ended = time.Now()
			if i == last {
				s.from.Close() // so that pass does not wait for the next record, which may be an hour away
			}
		})
	}
	return s, nil
}

// close ends the processes and waits for them.
func (s *stages) close() {
	s.end()
	if s.to != nil {
		s.to.Close()
	}
	s.from.Close()
	s.done.Wait()
}

// A stage is a process of the pipeline.
type stage struct {
	*exec.Cmd
	said  *tail
	ended time.Time
}

// killed says which signal has ended the stage. It returns "" for SIGTERM and SIGPIPE, and for the SIGKILL that the
// keeper sends lastWords after end.
func (s *stage) killed(end time.Time) string {
	status, ok := s.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case !ok || !status.Signaled():
	case status.Signal() == syscall.SIGTERM, status.Signal() == syscall.SIGPIPE:
	case status.Signal() == syscall.SIGKILL && s.ended.After(end.Add(lastWords)):
	default:
		return fmt.Sprintf("%s was ended by a signal: %v", filepath.Base(s.Path), status.Signal())
	}
	return ""
}

// A tail keeps the end of the text written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxTail is the number of bytes that a tail keeps.
const maxTail = 1000

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, data...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(data), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
