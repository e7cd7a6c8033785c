//go:build !amd64

package main

func dot(x, y []float32) float32                  { return dotGeneric(x, y) }
func axpy(a float32, x, y []float32)              { axpyGeneric(a, x, y) }
func adam(p, m, v, g []float32, c *adamConstants) { adamGeneric(p, m, v, g, c) }
