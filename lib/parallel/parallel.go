// Package parallel spreads work over goroutines and keeps the order of its results,
// so that the output of a stage does not depend on the number of workers.
package parallel

import (
	"context"
	"io"

	"golang.org/x/sync/errgroup"
)

// Map calls next for one item after another until it returns io.EOF, work on the items with up to
// n goroutines at once, and emit on the results in the order of the items. It holds at
// most n+2 items at a time.
//
// next is called by one goroutine and emit by another, so what only one of them touches needs no lock.
// The first error stops all three and is returned; a
// cancelled ctx counts as one. When next blocks in a read, Map returns only after it.
func Map[In, Out any](ctx context.Context, n int, next func() (In, error), work func(context.Context, In) (Out, error), emit func(Out) error) error {
	n = max(n, 1)
	group, ctx := errgroup.WithContext(ctx)
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
