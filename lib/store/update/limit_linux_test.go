package update

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/safeopen/safeopentest"
)

// Where the process may open too few files, that is the error, of readers and of the writer, and the index stays as it
// is.
func TestFewOpenFiles(t *testing.T) {
	dir := newDir(t)
	full := func(text string) string {
		items := []any{begin(record.Full, 20)}
		for i := range 20 {
			path := fmt.Sprintf("%02d.go", i)
			items = append(items, file(path, record.StatusOK), code("code-impl-"+path+"#F", path, text))
		}
		return stream(t, append(items, end(20))...)
	}
	split := func(o *Options) { o.perShard = 5 }
	mustApply(t, dir, full("old"), split)
	if n := len(mustLoad(t, dir).Manifest.Shards); n < 4 {
		t.Fatalf("%d shards", n)
	}
	jobs := map[string]func() error{"run": func() error { return apply(t, dir, full("new"), split).err }}
	for name, read := range readers {
		jobs[name] = func() error { return read(dir) }
	}
	for name, job := range jobs {
		failed := 0
		const most = 25
		for more := range most {
			var err error
			safeopentest.WithOpenFiles(t, more, func() { err = job() })
			if err == nil {
				continue
			}
			failed++
			if !errors.Is(err, syscall.EMFILE) || !strings.Contains(hint.Of(err), "ulimit -n") {
				t.Errorf("%s, %d more files: %v, hint: %s", name, more, err, hint.Of(err))
			}
			if more > 0 && name == "run" && !strings.Contains(ids(mustLoad(t, dir)), "=old") {
				t.Errorf("%s, %d more files: the index has changed", name, more)
			}
		}
		if failed == 0 || failed == most {
			t.Errorf("%s: %d of %d failed", name, failed, most)
		}
	}
}
