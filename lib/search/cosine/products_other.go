//go:build !amd64

package cosine

func products(sums []int32, probe []int16, vectors []int8) { plainProducts(sums, probe, vectors) }

func smallProducts(sums []int32, probe []int16, vectors []int8) {
	plainSmallProducts(sums, probe, vectors)
}
