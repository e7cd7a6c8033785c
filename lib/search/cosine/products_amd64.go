package cosine

import "golang.org/x/sys/cpu"

// products is plainProducts, with AVX2 if the processor has it. The length of the probe is a multiple of 32.
func products(sums []int32, probe []int16, vectors []int8) {
	if !cpu.X86.HasAVX2 || len(sums) == 0 || len(probe) == 0 {
		plainProducts(sums, probe, vectors)
		return
	}
	_ = vectors[len(sums)*len(probe)-1]
	productsAVX2(&sums[0], &probe[0], &vectors[0], len(sums), len(probe))
}

// smallProducts is plainSmallProducts, with AVX2 if the processor has it.
func smallProducts(sums []int32, probe []int16, vectors []int8) {
	if !cpu.X86.HasAVX2 || len(sums) == 0 || len(probe) == 0 {
		plainSmallProducts(sums, probe, vectors)
		return
	}
	_ = vectors[len(sums)*len(probe)/2-1]
	smallProductsAVX2(&sums[0], &probe[0], &vectors[0], len(sums), len(probe))
}

//go:noescape
func productsAVX2(sums *int32, probe *int16, vectors *int8, count, width int)

//go:noescape
func smallProductsAVX2(sums *int32, probe *int16, vectors *int8, count, width int)
