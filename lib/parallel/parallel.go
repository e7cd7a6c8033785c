// Package parallel distributes work over goroutines and keeps the order of the results, so that the output of a stage
// does not depend on the number of workers.
package parallel

import (
	"context"
	"io"

	"golang.org/x/sync/errgroup"
)

// Map calls next for one item after another until it returns io.EOF, work on the items in up to n goroutines, and emit
// on the results in the order of the items. It holds at most n+2 items at a time.
//
// One goroutine calls next and one calls emit, so data that only one of them uses needs no lock. The first error, or
// the end of ctx, stops all goroutines, and Map returns it. If next blocks in a read, Map returns only after the read.
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
