// Package parallel distributes work over goroutines and keeps the order of the results, so that the output of a stage
// does not depend on the number of workers.
package parallel

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Map calls next for one item after another until it returns io.EOF, work on the items in up to n goroutines, and emit
// on the results in the order of the items. It holds at most n+2 items at a time.
//
// One goroutine calls next and one calls emit, so data that only one of them uses needs no lock. The first error, or
// the end of ctx, stops all goroutines, and Map returns it. If next blocks in a read, Map returns only after the read.
//
// A panic in a function stops all goroutines too, and Map panics with a *Panic, so that the caller can recover it.
func Map[In, Out any](ctx context.Context, n int, next func() (In, error), work func(context.Context, In) (Out, error), emit func(Out) error) error {
	n = max(n, 1)
	group, ctx := errgroup.WithContext(ctx)
	start := func(part func() error) { group.Go(func() error { return guarded(part) }) }
	type task struct {
		in   In
		done chan Out
	}
	tasks := make(chan task)
	order := make(chan chan Out, n)
	start(func() error {
		defer close(tasks)
		defer close(order)
		for {
			in, err := next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			t := task{in: in, done: make(chan Out, 1)}
			select {
			case order <- t.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case tasks <- t:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	for range n {
		start(func() error {
			for t := range tasks {
				out, err := work(ctx, t.in)
				if err != nil {
					return err
				}
				t.done <- out
			}
			return nil
		})
	}
	start(func() error {
		for done := range order {
			select {
			case out := <-done:
				if err := emit(out); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	err := group.Wait()
	if p, ok := err.(*Panic); ok {
		panic(p)
	}
	return err
}

// A Panic is a panic of another goroutine.
type Panic struct {
	Value any
	// Stack is the stack of the goroutine that panicked, as debug.Stack returns it.
	Stack []byte
}

// Error implements error. The text has the stack, since that of the goroutine that panics again says nothing.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// guarded calls part and returns its panic as an error.
func guarded(part func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			if p, ok := value.(*Panic); ok {
				err = p
				return
			}
			err = &Panic{value, debug.Stack()}
		}
	}()
	return part()
}
