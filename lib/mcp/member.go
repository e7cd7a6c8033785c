package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/flock"
	"cortex/lib/mcp/stdio"
	"cortex/lib/share"
)

const (
	// maxJoining is how long a process tries to lead or to join.
	maxJoining = 2 * time.Second
	joinAgain  = 10 * time.Millisecond
	// leaderPatience is the time without any message from a leader with pending calls after which the leader is pinged.
	// After the same time again it is given up.
	leaderPatience = 2 * time.Second
	// maxGuests is the number of processes that a leader serves.
	maxGuests = 64
)

// A member is one of a user's processes that serve the same indexes. It answers its client's messages. If another
// process leads, the member forwards tool calls to that leader. When the leader ends for any reason, another member
// takes the lead, and unanswered calls are sent again, which is safe since calls only read.
type member struct {
	repositories *repositories
	server       *server.MCPServer
	// ctx ends all loading. seeking ends the search for a leader.
	ctx, seeking context.Context
	stopSeeking  context.CancelFunc

	mu sync.Mutex
	// leads says that this process answers calls itself. loan lends its indexes to other processes; nil if it does not
	// lend.
	leads bool
	loan  *loan
	// leader is the process that answers calls if this one does not lead; nil if it is unknown.
	leader *leader
	// left says that this process is ending and neither leads nor joins any more.
	left bool
}

// newMember returns a member that starts to look for the leader.
func newMember(ctx context.Context, opts Options) *member {
	m := &member{repositories: newRepositories(opts), ctx: ctx}
	m.server = newServer(m.repositories, opts.Version)
	m.seeking, m.stopSeeking = context.WithCancel(ctx)
	if opts.Share == nil {
		m.lead(nil)
	} else {
		go m.find()
	}
	return m
}

// leave ends the member's connections: to its leader, and from the processes it serves.
func (m *member) leave() {
	m.stopSeeking()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left = true
	if m.loan != nil {
		m.loan.end()
	}
	if m.leader != nil {
		m.leader.conn.Close()
	}
}

// answer answers a message of the client.
func (m *member) answer(ctx context.Context, in *stdio.Message) protocol.JSONRPCMessage {
	if in.Method != string(protocol.MethodToolsCall) {
		return m.server.HandleMessage(ctx, in.Line)
	}
	for {
		leader, leads := m.find()
		switch {
		case leads:
			return m.server.HandleMessage(ctx, in.Line)
		case leader == nil:
			return nil // the process is ending, and nobody waits for the answer
		}
		response, err := leader.call(ctx, in)
		if err == nil {
			return response
		}
		m.lose(leader, err)
	}
}

// find returns the leader, or true if this process leads. It returns neither if this process is ending.
func (m *member) find() (l *leader, leads bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.leads || m.leader != nil || m.left {
		return m.leader, m.leads
	}
	group := m.repositories.opts.Share
	for until := time.Now().Add(maxJoining); m.seeking.Err() == nil && time.Now().Before(until); {
		lead, err := group.Lead()
		if err == nil {
			m.lead(lead)
			return nil, true
		}
		if !errors.Is(err, flock.ErrHeld) {
			break
		}
		if err = m.join(group); err == nil {
			return m.leader, false
		}
		if !errors.Is(err, share.ErrNone) && !errors.Is(err, errGone) {
			break
		}
		select { // the leader is starting or ending
		case <-m.seeking.Done():
		case <-time.After(joinAgain):
		}
	}
	if m.seeking.Err() != nil {
		return nil, false
	}
	m.lead(nil)
	return nil, true
}

// join connects to the leader.
func (m *member) join(group *share.Group) error {
	conn, err := group.Join()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(m.seeking, func() { conn.Close() })
	in, err := greeted(conn)
	stop()
	if err != nil {
		conn.Close()
		return err
	}
	l := newLeader(conn, in)
	m.leader = l
	go func() {
		<-l.gone
		m.lose(l, errGone)
		m.find() // so that one of the processes keeps the index even if no calls come
	}()
	return nil
}

// lead makes this process answer calls, and with lead also those of other processes. The caller holds the lock, or no
// other goroutine exists yet.
func (m *member) lead(lead *share.Lead) {
	m.leads = true
	m.repositories.start(m.ctx)
	if lead != nil {
		m.loan = lend(m.ctx, m.repositories, lead)
	}
}

// lose disconnects from a leader that does not answer. A leader that is alive but silent, such as a stopped process,
// keeps the lead, so this process opens the index too and leads nobody.
func (m *member) lose(l *leader, why error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l.conn.Close()
	if m.leader != l {
		return
	}
	m.leader = nil
	if errors.Is(why, errSilent) {
		m.repositories.opts.Warn("the cortex-serve that shares its index does not answer; this one opens it too")
		m.lead(nil)
	}
}

// A loan lets other processes use the indexes of this one.
type loan struct {
	lead   *share.Lead
	leave  context.CancelCauseFunc
	guests sync.WaitGroup
}

func lend(ctx context.Context, l *repositories, lead *share.Lead) *loan {
	ctx, leave := context.WithCancelCause(ctx)
	a := &loan{lead: lead, leave: leave}
	answers := stdio.By(newServer(l, l.opts.Version))
	seats := make(chan struct{}, maxGuests)
	a.guests.Go(func() {
		for {
			conn, err := lead.Accept()
			if err != nil {
				return // the lead was closed
			}
			select {
			case seats <- struct{}{}:
			default:
				conn.Close() // the turned-away process opens the index itself
				continue
			}
			a.guests.Go(func() {
				defer func() { <-seats }()
				defer conn.Close()
				if _, err := io.WriteString(conn, hello); err != nil {
					return
				}
				// The other process reports to its client how the connection ended.
				_, _ = stdio.Serve(ctx, answers, conn, conn, stdio.LastAnswers, l.opts.Report)
			})
		}
	})
	return a
}

// end closes the lead, so that another process can take it, and waits for running calls.
func (a *loan) end() {
	a.leave(stdio.ErrLeaving)
	_ = a.lead.Close() // the system closes the socket when the process ends
	a.guests.Wait()
}

// leadAgain is the time between two attempts to lead, in a process that serves itself.
const leadAgain = time.Second

// lendWhenFree lends the indexes to other processes as soon as nobody else leads, until ctx ends. The channel is closed
// when lending has ended.
func lendWhenFree(ctx context.Context, l *repositories) <-chan struct{} {
	over := make(chan struct{})
	go func() {
		defer close(over)
		for l.opts.Share != nil && ctx.Err() == nil {
			lead, err := l.opts.Share.Lead()
			if err == nil {
				a := lend(ctx, l, lead)
				<-ctx.Done()
				a.end()
				return
			}
			if !errors.Is(err, flock.ErrHeld) {
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(leadAgain):
			}
		}
	}()
	return over
}

// errSilent says that the leader is connected but does not answer, errGone that it has ended.
var (
	errSilent = errors.New("the process that leads does not answer")
	errGone   = errors.New("the process that leads has ended")
)

// A leader is this process's connection to the process that answers calls.
type leader struct {
	conn     *share.Conn
	patience time.Duration
	writing  sync.Mutex
	// heard is when the last message came from the leader, in nanoseconds since 1970.
	heard atomic.Int64
	// gone is closed when the connection has ended.
	gone chan struct{}

	mu sync.Mutex
	// calls are the pending calls, by their identifiers as written.
	calls map[string][]chan json.RawMessage
	// client is the stream to which the leader's notifications are forwarded.
	client *stdio.Stream
}

// hello is the first line that a leader sends to a process it serves. A process it turns away gets nothing.
const hello = "cortex\n"

// greeted waits for the leader's hello.
func greeted(conn *share.Conn) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(conn, 64<<10)
	if err := conn.SetReadDeadline(time.Now().Add(leaderPatience)); err != nil {
		return nil, err
	}
	if line, err := in.ReadString('\n'); errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, errSilent
	} else if line != hello {
		return nil, errGone
	}
	return in, conn.SetReadDeadline(time.Time{})
}

func newLeader(conn *share.Conn, in *bufio.Reader) *leader {
	l := &leader{conn: conn, patience: leaderPatience, gone: make(chan struct{}), calls: map[string][]chan json.RawMessage{}}
	l.heard.Store(time.Now().UnixNano())
	go l.read(in)
	return l
}

// read forwards the leader's messages until the connection ends.
func (l *leader) read(in *bufio.Reader) {
	defer close(l.gone)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return // a line without a newline is no complete answer
		}
		l.heard.Store(time.Now().UnixNano())
		line = bytes.TrimSpace(line)
		var e stdio.Envelope
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		l.mu.Lock()
		client := l.client
		if list := l.calls[string(e.ID)]; e.Method == "" && len(list) > 0 {
			list[0] <- line
			l.forget(string(e.ID), list[0])
		}
		l.mu.Unlock()
		if e.Method != "" && client != nil {
			client.Send(line)
		}
	}
}

// forget removes a pending call. The caller holds the lock.
func (l *leader) forget(id string, answer chan json.RawMessage) {
	list := slices.DeleteFunc(l.calls[id], func(c chan json.RawMessage) bool { return c == answer })
	if l.calls[id] = list; len(list) == 0 {
		delete(l.calls, id)
	}
}

// pingID is the identifier of the ping request. No client uses it.
const pingID = `"cortex-is-anybody-there"`

// call forwards a call and waits for its answer. An error means that this leader will not answer.
func (l *leader) call(ctx context.Context, m *stdio.Message) (protocol.JSONRPCMessage, error) {
	id, answer := string(m.ID), make(chan json.RawMessage, 1)
	l.mu.Lock()
	l.calls[id] = append(l.calls[id], answer)
	l.client = stdio.Of(ctx)
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		l.forget(id, answer)
		l.mu.Unlock()
	}()
	if err := l.write(m.Line); err != nil {
		return nil, err
	}
	for asked := time.Now(); ; {
		timer := time.NewTimer(l.patience)
		select {
		case line := <-answer:
			timer.Stop()
			return line, nil
		case <-l.gone:
			timer.Stop()
			select {
			case line := <-answer: // the answer may have been the last message
				return line, nil
			default:
				return nil, errGone
			}
		case <-ctx.Done():
			timer.Stop()
			// The client has either cancelled the call or gets this error.
			_ = l.write([]byte(`{"jsonrpc":"2.0","method":"` + string(protocol.MethodNotificationCancelled) + `","params":{"requestId":` + id + `}}`))
			return stdio.InternalError(m.ID, context.Cause(ctx).Error()), nil
		case <-timer.C:
			heard := time.Unix(0, l.heard.Load())
			if asked.Before(heard) {
				asked = heard
			}
			switch silent := time.Since(asked); {
			case silent >= 2*l.patience:
				return nil, errSilent
			case silent >= l.patience:
				if err := l.write([]byte(`{"jsonrpc":"2.0","id":` + pingID + `,"method":"ping"}`)); err != nil {
					return nil, err
				}
			}
		}
	}
}

// write sends a message to the leader.
func (l *leader) write(line []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if err := l.conn.SetWriteDeadline(time.Now().Add(2 * l.patience)); err != nil {
		return errGone
	}
	if _, err := l.conn.Write(append(slices.Clone(line), '\n')); errors.Is(err, os.ErrDeadlineExceeded) {
		return errSilent
	} else if err != nil {
		return errGone
	}
	return nil
}
