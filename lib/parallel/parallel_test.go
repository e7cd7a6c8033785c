package parallel

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// count returns a next function that yields the numbers 0 to n-1.
func count(n int) func() (int, error) {
	i := -1
	return func() (int, error) {
		if i++; i == n {
			return 0, io.EOF
		}
		return i, nil
	}
}

func square(_ context.Context, i int) (int, error) { return i * i, nil }

func TestMapKeepsTheOrder(t *testing.T) {
	for _, workers := range []int{-1, 1, 2, 16} {
		var got []int
		err := Map(t.Context(), workers, count(500), square, func(i int) error {
			got = append(got, i)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := make([]int, 500)
		for i := range want {
			want[i] = i * i
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: out of order: %v", workers, got)
		}
	}
}

func TestMapReturnsTheFirstError(t *testing.T) {
	fault := errors.New("fault")
	tests := map[string]func() error{
		"next": func() error {
			next := func() (int, error) { return 0, fault }
			return Map(t.Context(), 2, next, square, func(int) error { return nil })
		},
		"work": func() error {
			work := func(_ context.Context, i int) (int, error) {
				if i == 7 {
					return 0, fault
				}
				return i, nil
			}
			return Map(t.Context(), 2, count(1000), work, func(int) error { return nil })
		},
		"emit": func() error {
			return Map(t.Context(), 2, count(1000), square, func(int) error { return fault })
		},
	}
	for name, run := range tests {
		if err := run(); !errors.Is(err, fault) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestMapStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	endless := func() (int, error) { return 1, nil }
	seen := 0
	err := Map(ctx, 2, endless, square, func(int) error {
		if seen++; seen == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestMapHoldsFewItems(t *testing.T) {
	const workers = 3
	var taken, emitted, most atomic.Int64
	next := count(300)
	err := Map(t.Context(), workers, func() (int, error) {
		i, err := next()
		if err == nil {
			held := taken.Add(1) - emitted.Load()
			for old := most.Load(); held > old && !most.CompareAndSwap(old, held); old = most.Load() {
			}
		}
		return i, err
	}, square, func(int) error {
		emitted.Add(1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// n items are in the queue, next holds one, and emit holds one.
	if limit := int64(workers + 2); most.Load() > limit {
		t.Errorf("held %d items at once, want at most %d", most.Load(), limit)
	}
}

// A panic in any of the functions reaches the caller of Map or Wait, with the stack of where it happened.
func TestPanicsArePassedOn(t *testing.T) {
	fault := func(i int) {
		if i == 7 {
			panic("fault")
		}
	}
	for name, run := range map[string]func() error{
		"next": func() error {
			next := count(1000)
			return Map(t.Context(), 2, func() (int, error) {
				i, err := next()
				fault(i)
				return i, err
			}, square, func(int) error { return nil })
		},
		"work": func() error {
			return Map(t.Context(), 2, count(1000), func(_ context.Context, i int) (int, error) {
				fault(i)
				return i, nil
			}, func(int) error { return nil })
		},
		"emit": func() error {
			return Map(t.Context(), 2, count(1000), func(_ context.Context, i int) (int, error) { return i, nil }, func(i int) error {
				fault(i)
				return nil
			})
		},
		"group": func() error {
			group, _ := NewGroup(t.Context())
			for i := range 10 {
				group.Go(func() error { fault(i); return nil })
			}
			return group.Wait()
		},
		"group with a free goroutine": func() error {
			group, _ := NewGroup(t.Context())
			if !group.TryGo(func() error { fault(7); return nil }) {
				t.Error("no goroutine is free")
			}
			return group.Wait()
		},
	} {
		func() {
			defer func() {
				p, ok := recover().(*Panic)
				if !ok || p.Value != "fault" || !strings.Contains(p.Error(), "parallel_test.go") {
					t.Errorf("%s: recovered %v", name, p)
				}
			}()
			t.Errorf("%s: %v", name, run())
		}()
	}
}
