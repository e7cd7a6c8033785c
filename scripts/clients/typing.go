package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// typingPause is the time after the last key at which the page asks, as its script does. reading is how long a person
// reads an answer.
const (
	typingPause = 150 * time.Millisecond
	reading     = time.Second
)

// A typist types questions into the page letter by letter, waits for the answer and reads it.
type typist struct {
	page     string
	client   *http.Client
	keys     *rand.Rand
	answers  *times
	whole    *times // durations for questions typed in full
	givenUp  *atomic.Int64
	fail     func(error)
	stop     context.CancelFunc
	finished chan struct{}
}

func (t *typist) question(ctx context.Context, text string) {
	for i := range text {
		t.ask(ctx, text[:i+1], false, time.Duration(80+t.keys.IntN(220))*time.Millisecond)
	}
	t.ask(ctx, text, true, reading)
}

// ask simulates a key: text is in the field afterwards, and the next key follows after the time next. The page asks if
// that time is longer than typingPause, and cancels its previous request. If full is set, ask waits for the answer.
func (t *typist) ask(ctx context.Context, text string, full bool, next time.Duration) {
	until := time.Now().Add(next)
	if next > typingPause {
		rest(ctx, typingPause)
		if t.stop != nil {
			t.stop()
			<-t.finished
		}
		asking, stop := context.WithCancel(ctx)
		t.stop, t.finished = stop, make(chan struct{})
		go func(finished chan struct{}) {
			defer close(finished)
			defer stop()
			begun := time.Now()
			err := t.get(asking, text)
			switch {
			case err == nil:
				t.answers.add(time.Since(begun))
				if full {
					t.whole.add(time.Since(begun))
				}
			case asking.Err() != nil:
				t.givenUp.Add(1)
			default:
				t.fail(err)
			}
		}(t.finished)
		if full {
			<-t.finished
		}
	}
	rest(ctx, time.Until(until))
}

func (t *typist) get(ctx context.Context, text string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.page+"/?q="+url.QueryEscape(strings.TrimSpace(text)), nil)
	if err != nil {
		return err
	}
	r.Header.Set("X-Cortex-Part", "1")
	answer, err := t.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}

func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// typing simulates people who type questions into the page until ctx ends.
func typing(ctx context.Context, people int, page string, questions []string, fail func(error)) {
	var answers, whole times
	var givenUp atomic.Int64
	var all sync.WaitGroup
	for i := range people {
		all.Go(func() {
			t := &typist{
				page: page, client: &http.Client{Transport: &http.Transport{}}, keys: rand.New(rand.NewPCG(1, uint64(i))),
				answers: &answers, whole: &whole, givenUp: &givenUp, fail: fail,
			}
			for n := i; ctx.Err() == nil; n++ {
				t.question(ctx, questions[n%len(questions)])
			}
			if t.stop != nil {
				t.stop()
				<-t.finished
			}
		})
	}
	all.Wait()
	fmt.Printf("answers: %v\nto questions typed in full: %v\ngiven up, since the person typed on: %d\n", &answers, &whole, givenUp.Load())
}
