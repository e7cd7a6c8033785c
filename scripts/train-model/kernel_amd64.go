package main

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func dotAVX2(x, y *float32, n int) float32

//go:noescape
func axpyAVX2(a float32, x, y *float32, n int)

//go:noescape
func adamAVX2(p, m, v, gradient *float32, n int, c *adamConstants)

// dot returns the dot product of x and y, whose length is a multiple of 32.
func dot(x, y []float32) float32 {
	if !fast {
		return dotGeneric(x, y)
	}
	return dotAVX2(&x[0], &y[:len(x)][0], len(x))
}

// axpy adds a*x to y. Their length is a multiple of 32.
func axpy(a float32, x, y []float32) {
	if !fast {
		axpyGeneric(a, x, y)
		return
	}
	axpyAVX2(a, &x[0], &y[:len(x)][0], len(x))
}

// adam makes one step of Adam. The length of all slices is a multiple of 8.
func adam(p, m, v, g []float32, c *adamConstants) {
	if !fast {
		adamGeneric(p, m, v, g, c)
		return
	}
	adamAVX2(&p[0], &m[:len(p)][0], &v[:len(p)][0], &g[:len(p)][0], len(p), c)
}
