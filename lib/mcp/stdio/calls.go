package stdio

import (
	"context"
	"encoding/json"
	"sync"
)

// Calls are the calls in progress. A client may withdraw its own calls.
type Calls struct {
	mu      sync.Mutex
	running map[callKey]*call
}

// A callKey identifies a call by its client's session, "" if there is only one, and by the identifier as written.
type callKey struct{ session, id string }

type call struct{ cancel context.CancelCauseFunc }

// Track registers a call, so that Withdraw can cancel its context. over ends the context and the registration. Of calls
// with the same identifier, Withdraw cancels the latest.
func (c *Calls) Track(ctx context.Context, session string, id json.RawMessage) (_ context.Context, over func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	key, own := callKey{session, string(id)}, &call{cancel}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil {
		c.running = map[callKey]*call{}
	}
	c.running[key] = own
	return ctx, func() {
		cancel(nil)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.running[key] == own {
			delete(c.running, key)
		}
	}
}

// Withdraw cancels a call of the session. params are those of a notifications/cancelled message.
func (c *Calls) Withdraw(session string, params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if own := c.running[callKey{session, string(p.RequestID)}]; own != nil {
		own.cancel(ErrWithdrawn)
	}
}
