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
	// maxJoining is how long it is tried to lead or to join.
	maxJoining = 2 * time.Second
	joinAgain  = 10 * time.Millisecond
	// leaderPatience is how long nothing is heard of a leader with calls to answer before it is asked whether it lives, and then how long it has for that.
	leaderPatience = 2 * time.Second
	// maxGuests is how many processes a leader answers.
	maxGuests = 64
)

// A member is one of the processes of a user that serve the same. It answers the messages of its client; calls of tools it passes on to the process that leads,
// if that is another one. When the leader ends, however that happens, one of the members leads, and calls that have no answer yet are asked again: they only
// read.
type member struct {
	repositories *repositories
	server       *server.MCPServer
	// ctx ends all loading, and seeking the search for who leads.
	ctx, seeking context.Context
	stopSeeking  context.CancelFunc

	mu sync.Mutex
	// leads tells that this process answers calls itself, and loan lends its indexes to others, nil if it does not.
	leads bool
	loan  *loan
	// leader is who answers calls otherwise; nil if that is not known.
	leader *leader
	// left tells that this process ends, and neither leads nor joins any more.
	left bool
}

// newMember is a member that begins to find out who leads.
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

// leave ends what others have of this process, and what it has of them.
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
			return nil // nobody waits for it
		}
		response, err := leader.call(ctx, in)
		if err == nil {
			return response
		}
		m.lose(leader, err)
	}
}

// find returns who answers calls: a leader, or this process; neither if it ends.
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
		select { // it begins or ends
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

// join connects with the process that leads.
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
		m.find() // so that somebody keeps the index, whether or not anybody asks
	}()
	return nil
}

// lead lets this process answer, and others through it if it has the lead. It is called with the lock held, or before there are others.
func (m *member) lead(lead *share.Lead) {
	m.leads = true
	m.repositories.start(m.ctx)
	if lead != nil {
		m.loan = lend(m.ctx, m.repositories, lead)
	}
}

// lose gives a leader up that does not answer. One that is there all the same, but stopped, leads nobody who does not have to wait for it.
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

// A loan lets other processes ask the indexes of this one.
type loan struct {
	lead   *share.Lead
	leave  context.CancelCauseFunc
	guests sync.WaitGroup
}

func lend(ctx context.Context, l *repositories, lead *share.Lead) *loan {
	ctx, leave := context.WithCancelCause(ctx)
	a := &loan{lead: lead, leave: leave}
	answers := stdio.By(newServer(l, l.opts.Version))
	places := make(chan struct{}, maxGuests)
	a.guests.Go(func() {
		for {
			conn, err := lead.Accept()
			if err != nil {
				return // closed
			}
			select {
			case places <- struct{}{}:
			default:
				conn.Close() // it serves itself
				continue
			}
			a.guests.Go(func() {
				defer func() { <-places }()
				defer conn.Close()
				if _, err := io.WriteString(conn, hello); err != nil {
					return
				}
				// How it ends is for the other process to tell its client.
				_, _ = stdio.Serve(ctx, answers, conn, conn, stdio.LastAnswers, l.opts.Report)
			})
		}
	})
	return a
}

// end lets another process lead.
func (a *loan) end() {
	a.leave(stdio.ErrLeaving)
	_ = a.lead.Close() // the system closes it otherwise
	a.guests.Wait()
}

// leadAgain is how often a process that answers itself tries to lead.
const leadAgain = time.Second

// lendWhenFree lends the indexes to others as soon as nobody else leads, until ctx ends. The channel is closed when that is over.
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

// errSilent says that the leader neither answers nor has ended, errGone that it has.
var (
	errSilent = errors.New("the process that leads does not answer")
	errGone   = errors.New("the process that leads has ended")
)

// A leader is the process that answers calls, as another one sees it.
type leader struct {
	conn     *share.Conn
	patience time.Duration
	writing  sync.Mutex
	// heard is when something came from it last, in nanoseconds since 1970.
	heard atomic.Int64
	// gone is closed when nothing more comes.
	gone chan struct{}

	mu sync.Mutex
	// calls are those that have no answer yet, by their identifiers as they were written.
	calls map[string][]chan json.RawMessage
	// client is who is told of progress.
	client *stdio.Stream
}

// hello is what a leader says first to those whom it answers, and to nobody whom it turns away.
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

// read passes on what comes from the leader.
func (l *leader) read(in *bufio.Reader) {
	defer close(l.gone)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return // what has no end is no answer
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

// forget removes a call. It is called with the lock held.
func (l *leader) forget(id string, answer chan json.RawMessage) {
	list := slices.DeleteFunc(l.calls[id], func(c chan json.RawMessage) bool { return c == answer })
	if l.calls[id] = list; len(list) == 0 {
		delete(l.calls, id)
	}
}

// pingID is the identifier of the question whether a leader lives, which no client has.
const pingID = `"cortex-is-anybody-there"`

// call passes a call on and waits for its answer. The error says that there will be none from this leader.
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
			case line := <-answer: // the last thing that came
				return line, nil
			default:
				return nil, errGone
			}
		case <-ctx.Done():
			timer.Stop()
			// Whoever asked knows, or is told here.
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

// write writes a message to the leader.
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
