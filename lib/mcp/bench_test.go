package mcp

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/embed"
	"cortex/lib/embed/lending"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/search"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// vocabulary has the words of the benchmarks' chunks, the frequent words first.
var vocabulary = func() []string {
	var words []string
	for _, a := range strings.Fields("read write open close find list parse index store load make take hold give keep count") {
		for _, b := range strings.Fields("File Chunk Record Token Query Vector Lock Node Graph Buffer Stream Error Event Cache Page") {
			for i := range 12 {
				words = append(words, fmt.Sprintf("%s%s%d", a, b, i))
			}
		}
	}
	return words
}()

// synthetic returns chunk number in the given version, with 800 bytes of text and 256 dimensions.
func synthetic(number, version int) *record.Chunk {
	r := rand.New(rand.NewPCG(uint64(number), uint64(version)))
	var text strings.Builder
	fmt.Fprintf(&text, "func F%d() { // version%d\n", number, version)
	for text.Len() < 800 {
		text.WriteString("\t")
		for range 6 {
			// Word frequencies follow Zipf's law.
			at := int(float64(len(vocabulary)) * r.Float64() * r.Float64() * r.Float64())
			text.WriteString(vocabulary[at] + " ")
		}
		text.WriteString("\n")
	}
	file := fmt.Sprintf("pkg%d/file%d.go", number/10%97, number/10)
	c := &record.Chunk{
		ID: fmt.Sprintf("code-impl-%s#F%d", file, number), ChunkType: record.Implementations, Title: fmt.Sprintf("F%d", number), Text: text.String(),
		Tags: []string{"code", "go", "implementations"}, EmbeddingModel: "hash-256", Embedding: make(record.Embedding, 256),
		Metadata: record.Metadata{Source: record.SourceCode, FilePath: file, Language: "go", Package: "p",
			StartLine: 1 + number%10*20, EndLine: 20 + number%10*20, ByteEnd: text.Len(), SymbolName: fmt.Sprintf("F%d", number), SymbolType: record.Function},
	}
	for i := range c.Embedding {
		c.Embedding[i] = r.Float32() - 0.5
	}
	return c
}

// write writes the chunks to the store, as a stream without Begin and End.
func write(b testing.TB, dir string, chunks func(yield func(*record.Chunk) bool)) {
	b.Helper()
	if err := apply(b.Context(), dir, chunks, func(err error) { b.Error(err) }); err != nil {
		b.Fatal(err)
	}
}

// apply is write without a testing.TB.
func apply(ctx context.Context, dir string, chunks func(yield func(*record.Chunk) bool), report func(error)) error {
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	for c := range chunks {
		if err := w.Write(c); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return update.Run(ctx, jsonl.NewReader(&stream, "chunks"), update.Options{Dir: dir, Jobs: 2, Report: report})
}

// benchManager serves a new store of the given number of chunks, whose index is ready. It is not watched.
func benchManager(b testing.TB, chunks int) *indexManager {
	b.Helper()
	root := b.TempDir()
	dir := filepath.Join(root, store.Dir)
	write(b, dir, func(yield func(*record.Chunk) bool) {
		for i := range chunks {
			yield(synthetic(i, 0))
		}
	})
	embedders := lending.New()
	embedders.Context = b.Context()
	s := &indexManager{ctx: b.Context(), embedders: embedders, Repository: Repository{Root: func() string { return root }}, opts: Options{
		Embedding: func(string) (embed.Config, error) { return embed.Config{}, nil },
		Report:    func(err error) { b.Error(err) },
		Warn:      b.Logf,
	}}
	reload(s)
	b.Cleanup(func() { s.swap(nil, nil) })
	return s
}

// reload loads the current store, and returns the time until the new index answers.
func reload(s *indexManager) time.Duration {
	start := time.Now()
	s.mu.Lock()
	s.refresh()
	l := s.loading
	s.mu.Unlock()
	if l == nil {
		return 0 // nothing has changed
	}
	<-l.done
	took := time.Since(start)
	<-l.over
	return took
}

// processorTime returns the processor time of this process.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// percentile returns the least time that is not exceeded by percent of the times.
func percentile(times []time.Duration, percent float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(int(float64(len(sorted))*percent/100), len(sorted)-1)]
}

func report(b *testing.B, name string, d time.Duration) {
	b.ReportMetric(float64(d.Microseconds())/1000, name+"-ms")
}

var sizes = []struct{ chunks, changed int }{{10_000, 100}, {100_000, 1000}}

// BenchmarkReload measures the time from a new manifest to answers from the new generation. One of 100 chunks has
// changed.
func BenchmarkReload(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprint(size.chunks), func(b *testing.B) {
			s := benchManager(b, size.chunks)
			var times []time.Duration
			spent := time.Duration(0)
			for version := 1; b.Loop(); version++ {
				b.StopTimer()
				write(b, s.find(), changes(size.chunks, size.changed, version))
				b.StartTimer()
				before := processorTime(b)
				times = append(times, reload(s))
				spent += processorTime(b) - before
			}
			report(b, "cpu", spent/time.Duration(len(times)))
			report(b, "p50", percentile(times, 50))
			report(b, "min", percentile(times, 0))
		})
	}
}

// BenchmarkOpen measures the time until a store is ready for requests: with building the index in memory, as a process
// without a saved index does, and with opening the saved index, with and without the warming that a server does.
func BenchmarkOpen(b *testing.B) {
	for _, size := range sizes {
		s := benchManager(b, size.chunks)
		dir := s.find()
		run := func(name string, open func() error) {
			b.Run(fmt.Sprintf("%d/%s", size.chunks, name), func(b *testing.B) {
				for b.Loop() {
					if err := open(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		noEmbedder := func(string) (embed.Embedder, error) { return nil, nil }
		ready := func(warm bool) error {
			x, err := search.Open(b.Context(), dir, noEmbedder, search.Settings{}, search.Making{}, nil)
			if err != nil {
				return err
			}
			if warm {
				err = x.Warm(b.Context())
			}
			return errors.Join(err, x.Close())
		}
		run("index", func() error { return ready(false) })
		run("index-warm", func() error { return ready(true) })
	}
}

// changes returns changed of the chunks, evenly distributed, in the given version.
func changes(chunks, changed, version int) func(yield func(*record.Chunk) bool) {
	return func(yield func(*record.Chunk) bool) {
		for i := range changed {
			if !yield(synthetic(i*(chunks/changed), version)) {
				return
			}
		}
	}
}

// BenchmarkQueriesUnderReload measures the queries of two clients, first undisturbed, and then while another process
// writes the store and the server reloads it repeatedly. It reports queries during a reload (reload-) and queries while
// the other process uses most of the machine (write-) separately. Steady clients ask at a constant rate, greedy ones
// without pause. A failed query fails the benchmark. TestReloadsUnderQueries checks the content of answers.
func BenchmarkQueriesUnderReload(b *testing.B) {
	for _, size := range sizes {
		s := benchManager(b, size.chunks)
		version := 0
		for name, pause := range map[string]time.Duration{"steady": 10 * time.Millisecond, "greedy": 0} {
			b.Run(fmt.Sprintf("%d/%s", size.chunks, name), func(b *testing.B) {
				var usual, reloading, writing, reloads []time.Duration
				for b.Loop() {
					for _, q := range ask(b, s, pause, func() { time.Sleep(3 * time.Second) }) {
						usual = append(usual, q.took())
					}
					var loads []interval
					for _, q := range ask(b, s, pause, func() {
						for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
							version++
							writeElsewhere(b, s.find(), size.chunks, size.changed, version)
							// The server waits until the store is at rest, and the end of a process keeps the system
							// busy.
							time.Sleep(quiet / 10)
							start := time.Now()
							reloads = append(reloads, reload(s))
							loads = append(loads, interval{start, time.Now()})
							time.Sleep(quiet / 10)
						}
					}) {
						if slices.ContainsFunc(loads, q.overlaps) {
							reloading = append(reloading, q.took())
						} else {
							writing = append(writing, q.took())
						}
					}
				}
				for name, times := range map[string][]time.Duration{"": usual, "reload-": reloading, "write-": writing} {
					report(b, name+"p99", percentile(times, 99))
					report(b, name+"max", percentile(times, 100))
				}
				report(b, "load-p50", percentile(reloads, 50))
				b.ReportMetric(float64(len(reloads)), "loads")
				b.ReportMetric(float64(len(reloading)), "reload-queries")
			})
		}
	}
}

// An interval is the time from begin to end of a question.
type interval struct{ start, end time.Time }

func (i interval) took() time.Duration { return i.end.Sub(i.start) }

func (i interval) overlaps(other interval) bool {
	return i.start.Before(other.end) && other.start.Before(i.end)
}

// writerVariable makes the test binary write changes to a store. Its value has the folder, the numbers of chunks and of
// changes, and the version.
const writerVariable = "CORTEX_BENCH_WRITER"

func TestMain(m *testing.M) {
	if args := os.Getenv(writerVariable); args != "" {
		var dir string
		var chunks, changed, version int
		if _, err := fmt.Sscanf(args, "%q %d %d %d", &dir, &chunks, &changed, &version); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if err := apply(context.Background(), dir, changes(chunks, changed, version), func(err error) { fmt.Fprintln(os.Stderr, err) }); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Parallel tests mostly wait, so run more of them than there are processors.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	derivedtest.Main(m)
}

// writeElsewhere writes changes from another process, as in production.
func writeElsewhere(b *testing.B, dir string, chunks, changed, version int) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%q %d %d %d", writerVariable, dir, chunks, changed, version))
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
}

// ask has clients ask until during returns. pause is the time between the beginnings of two questions of a client. ask
// returns when each question was asked and answered.
func ask(b *testing.B, s *indexManager, pause time.Duration, during func()) []interval {
	b.Helper()
	stop := make(chan struct{})
	var group sync.WaitGroup
	all := make([][]interval, 2)
	for client := range all {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(client), 1))
			for next := time.Now(); ; next = next.Add(pause) {
				select {
				case <-stop:
					return
				case <-time.After(time.Until(next)):
				}
				start := time.Now()
				e, err := s.borrow(context.Background())
				if err != nil {
					b.Error(err)
					return
				}
				query := vocabulary[r.IntN(len(vocabulary))] + " OR " + vocabulary[r.IntN(len(vocabulary))]
				_, err = e.index.Exact(context.Background(), search.Request{Queries: []string{query}})
				s.giveBack(e)
				all[client] = append(all[client], interval{start, time.Now()})
				if err != nil {
					b.Errorf("%s: %v", query, err)
					return
				}
			}
		})
	}
	during()
	close(stop)
	group.Wait()
	return slices.Concat(all...)
}
