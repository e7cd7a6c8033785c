package mcp

import (
	"testing"
	"time"

	"cortex/lib/parallel"
)

// TestCourtesy works while questions are answered that never end: as long as it takes, the work gives way.
func TestCourtesy(t *testing.T) {
	var c courtesy
	c.questions.Store(1 << 20)
	ctx := c.during(t.Context())
	begun := time.Now()
	for range 3 {
		time.Sleep(10 * time.Millisecond)
		parallel.Yield(ctx)
	}
	if took := time.Since(begun); took < 50*time.Millisecond {
		t.Errorf("30 ms of work took %v", took)
	}
}

// TestQuestionsAreCounted borrows editions and reloads meanwhile, which makes loans that are no questions.
func TestQuestionsAreCounted(t *testing.T) {
	s := benchShelf(t, 40)
	check := func(want int64) {
		t.Helper()
		if n := s.courtesy.questions.Load(); n != want {
			t.Errorf("%d questions, want %d", n, want)
		}
	}
	check(0)
	e, err := s.borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	check(1)
	write(t, s.find(), some(20, 1))
	reload(s)
	check(1)
	if s.closing.Load() != 0 {
		t.Error("what a question needs is being closed")
	}
	s.giveBack(e)
	check(0)
	for end := time.Now().Add(30 * time.Second); s.closing.Load() != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the old edition is not closed")
		}
	}
	if n := answers(t, s.current, "version1"); n != 20 {
		t.Errorf("found %d chunks of the new version", n)
	}
}
