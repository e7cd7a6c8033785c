package stdio

import (
	"context"
	"encoding/json"
	"sync"
)

// Calls are those that are being answered. A client may withdraw its own.
type Calls struct {
	mu      sync.Mutex
	running map[callKey]*call
}

// A callKey names a call by the session of its client, "" if there is only one, and by its identifier as it was written.
type callKey struct{ session, id string }

type call struct{ cancel context.CancelCauseFunc }

// Track lets the call be withdrawn until over is called, which ends its context in any case. Of calls with the same identifier the last one is withdrawn.
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

// Withdraw cancels the call of the session that the parameters of a notification name.
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
