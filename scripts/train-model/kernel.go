package main

import "math"

// adamConstants are the constants of one step of Adam (Kingma and Ba, 2015). Step is the learning rate with the bias
// correction. kernel_amd64.s depends on the order of the fields.
type adamConstants struct{ Beta1, Rest1, Beta2, Rest2, Step, Epsilon float32 }

func dotGeneric(x, y []float32) float32 {
	var sums [8]float32
	for ; len(x) >= 8; x, y = x[8:], y[8:] {
		for i := range sums {
			sums[i] += x[i] * y[i]
		}
	}
	return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7]
}

func axpyGeneric(a float32, x, y []float32) {
	for i := range x {
		y[i] += a * x[i]
	}
}

func adamGeneric(p, m, v, g []float32, c *adamConstants) {
	for i := range p {
		m[i] = c.Beta1*m[i] + c.Rest1*g[i]
		v[i] = c.Beta2*v[i] + c.Rest2*g[i]*g[i]
		p[i] -= c.Step * m[i] / (float32(math.Sqrt(float64(v[i]))) + c.Epsilon)
	}
}
