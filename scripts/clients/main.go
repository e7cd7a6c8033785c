// Command clients queries a cortex-serve on HTTP like many concurrent clients, half of them with sessions and half with
// version 2026-07-28 of the protocol. It prints how long handshakes and answers took. With --typing the clients are
// people who type the questions into the page.
//
//	cortex-serve --root DIR --http 127.0.0.1:8137 &
//	go run ./scripts/clients [--clients 200] [--time 2m] http://127.0.0.1:8137/mcp QUESTION...
//	go run ./scripts/clients --typing --clients 20 http://127.0.0.1:8137 QUESTION...
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"cortex/scripts/assistant"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

// times collects durations.
type times struct {
	mu  sync.Mutex
	all []time.Duration
}

func (t *times) add(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, d)
}

func (t *times) String() string {
	slices.Sort(t.all)
	if len(t.all) == 0 {
		return "none"
	}
	at := func(part float64) time.Duration {
		return t.all[int(part*float64(len(t.all)-1))].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("%d, p50 %v, p99 %v, longest %v", len(t.all), at(0.5), at(0.99), at(1))
}

func run() error {
	clients := pflag.Int("clients", 200, "how many ask at once")
	long := pflag.Duration("time", 2*time.Minute, "how long they ask")
	pause := pflag.Duration("pause", 0, "how long each waits after an answer")
	types := pflag.Bool("typing", false, "they type the questions into the page")
	pflag.Parse()
	if pflag.NArg() < 2 {
		return errors.New("usage: clients [--clients N] [--time DURATION] URL QUESTION [QUESTION]")
	}
	url, questions := pflag.Arg(0), pflag.Args()[1:]
	ctx, stop := context.WithTimeout(context.Background(), *long)
	defer stop()
	var mu sync.Mutex
	failures := map[string]int{}
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failures[err.Error()]++
	}
	if *types {
		typing(ctx, *clients, url, questions, fail)
	} else {
		calling(ctx, *clients, *pause, url, questions, fail)
	}
	for text, n := range failures {
		fmt.Printf("failed %d times: %s\n", n, text)
	}
	if len(failures) > 0 {
		return errors.New("not all were answered")
	}
	return nil
}

// calling makes clients call a tool repeatedly until ctx ends.
func calling(ctx context.Context, clients int, pause time.Duration, url string, questions []string, fail func(error)) {
	var handshakes, answers times
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			begun := time.Now()
			session, err := assistant.Connect(context.Background(), url, []string{"2025-11-25", "2026-07-28"}[i%2])
			if err != nil {
				fail(fmt.Errorf("connect: %w", err))
				return
			}
			defer session.Close()
			handshakes.add(time.Since(begun))
			for n := i; ctx.Err() == nil; n++ {
				begun := time.Now()
				_, err := session.Call(context.Background(), "cortex_search", map[string]any{"query": questions[n%len(questions)]})
				if err != nil {
					fail(err)
				} else {
					answers.add(time.Since(begun))
				}
				time.Sleep(pause)
			}
		})
	}
	all.Wait()
	fmt.Printf("handshakes: %v\nanswers: %v\n", &handshakes, &answers)
}
