// Package parallel distributes work over goroutines. Map keeps the order of the results, so that the output of a stage
// does not depend on the number of workers; Group runs functions. Both pass a panic to the goroutine that waits.
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
	group, ctx := NewGroup(ctx)
	type task struct {
		in   In
		done chan Out
	}
	tasks := make(chan task)
	order := make(chan chan Out, n)
	group.Go(func() error {
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
		group.Go(func() error {
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
	group.Go(func() error {
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
	return group.Wait()
}

// A Group runs functions in goroutines, as errgroup.Group does. A panic of one of them, which would end the process, is
// passed to the goroutine that waits.
type Group struct{ group *errgroup.Group }

// NewGroup returns a Group and a context that ends when a function returns an error or panics, or Wait returns.
func NewGroup(ctx context.Context) (*Group, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	return &Group{group}, ctx
}

// SetLimit bounds the functions that run at once.
func (g *Group) SetLimit(n int) { g.group.SetLimit(n) }

// Go calls part in a goroutine.
func (g *Group) Go(part func() error) { g.group.Go(func() error { return guarded(part) }) }

// TryGo calls part in a goroutine if one is free, and reports whether it did.
func (g *Group) TryGo(part func() error) bool {
	return g.group.TryGo(func() error { return guarded(part) })
}

// Wait waits for all functions, and returns the first error. If that was a panic, Wait panics with a *Panic.
func (g *Group) Wait() error {
	err := g.group.Wait()
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
