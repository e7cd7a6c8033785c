package update

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/record"
)

// large is a full run of n chunks of about 800 bytes of text and 256 dimensions.
func large(b *testing.B, n int) string {
	b.Helper()
	const perFile = 10
	r := newRandom(1)
	files := n / perFile
	out := []byte(stream(b, begin(record.Full, files)))
	for i := range files {
		path := fmt.Sprintf("pkg%d/file%d.go", i%97, i)
		out = append(out, stream(b, file(path, "ok"))...)
		for j := range perFile {
			c := code(fmt.Sprintf("code-impl-%s#F%d", path, j), path, strings.Repeat(fmt.Sprintf("\tif x%d := \"y\"; ok {\n", r.IntN(1000)), 36))
			c.Embedding = make(record.Embedding, 256)
			for d := range c.Embedding {
				c.Embedding[d] = r.Float32() - 0.5
			}
			out = append(out, stream(b, c)...)
		}
	}
	return string(append(out, stream(b, end(files))...))
}

func BenchmarkRun(b *testing.B) {
	input := large(b, 10000)
	b.ReportAllocs()
	b.SetBytes(int64(len(input)))
	for b.Loop() {
		b.StopTimer()
		dir := newDir(b)
		b.StartTimer()
		mustApply(b, dir, input)
	}
}

func BenchmarkRunUnchanged(b *testing.B) {
	input := large(b, 10000)
	dir := newDir(b)
	mustApply(b, dir, input)
	b.ReportAllocs()
	b.SetBytes(int64(len(input)))
	for b.Loop() {
		mustApply(b, dir, input)
	}
}

func BenchmarkRunOneFile(b *testing.B) {
	dir := newDir(b)
	mustApply(b, dir, large(b, 10000))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c := code("code-impl-pkg0/file0.go#F0", "pkg0/file0.go", fmt.Sprint(i))
		c.Embedding = make(record.Embedding, 256)
		mustApply(b, dir, stream(b, begin(record.Incremental, 1), file("pkg0/file0.go", "ok"), c, end(1)))
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := newDir(b)
			mustApply(b, dir, large(b, n))
			b.ReportAllocs()
			for b.Loop() {
				snap, err := load(dir)
				if err != nil || len(snap.Chunks) != n {
					b.Fatal(err)
				}
			}
		})
	}
}
