package parallel

import (
	"context"
	"testing"
)

func TestYield(t *testing.T) {
	Yield(t.Context()) // nobody is to be let past
	times := 0
	ctx, cancel := context.WithCancel(WithYield(t.Context(), func() { times++ }))
	cancel()
	Yield(ctx)
	if times != 1 {
		t.Errorf("called %d times", times)
	}
}
