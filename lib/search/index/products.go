package index

// plainProducts sets each sum to the scalar product of the probe and one of the vectors, which follow each other.
func plainProducts(sums []int32, probe []int16, vectors []int8) {
	for i := range sums {
		v := vectors[i*len(probe) : (i+1)*len(probe)]
		var a, b, c, d int32
		for j := 0; j+4 <= len(v) && j+4 <= len(probe); j += 4 {
			x, y := v[j:j+4:j+4], probe[j:j+4:j+4]
			a += int32(x[0]) * int32(y[0])
			b += int32(x[1]) * int32(y[1])
			c += int32(x[2]) * int32(y[2])
			d += int32(x[3]) * int32(y[3])
		}
		sums[i] = a + b + c + d
	}
}
