#include "textflag.h"

// STORE_SUM adds up the 16 numbers of Y0 and Y1, and stores the result as the next of the sums.
#define STORE_SUM \
	VPADDD       Y1, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPADDD       X1, X0, X0; \
	VPSHUFD      $0x4E, X0, X1; \
	VPADDD       X1, X0, X0; \
	VPSHUFD      $0xB1, X0, X1; \
	VPADDD       X1, X0, X0; \
	VMOVD        X0, (DI); \
	ADDQ         $4, DI

// func productsAVX2(sums *int32, probe *int16, vectors *int8, count, width int)
// For each vector: widen 16 components to 16 bits, multiply them by those of the probe, add neighbours to 32 bits.
TEXT ·productsAVX2(SB), NOSPLIT, $0-40
	MOVQ sums+0(FP), DI
	MOVQ probe+8(FP), SI
	MOVQ vectors+16(FP), DX
	MOVQ count+24(FP), CX
	MOVQ width+32(FP), R8

vector:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	MOVQ  SI, R9
	MOVQ  R8, R10

step:
	VPMOVSXBW (DX), Y2
	VPMOVSXBW 16(DX), Y3
	VPMADDWD  (R9), Y2, Y2
	VPMADDWD  32(R9), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $32, DX
	ADDQ      $64, R9
	SUBQ      $32, R10
	JNZ       step

	STORE_SUM
	SUBQ $1, CX
	JNZ  vector
	VZEROUPPER
	RET

// func smallProductsAVX2(sums *int32, probe *int16, vectors *int8, count, width int)
// As productsAVX2, of bytes with two components each: those of the lower halves, then those of the upper ones.
TEXT ·smallProductsAVX2(SB), NOSPLIT, $0-40
	MOVQ sums+0(FP), DI
	MOVQ probe+8(FP), SI
	MOVQ vectors+16(FP), DX
	MOVQ count+24(FP), CX
	MOVQ width+32(FP), R8

	VPCMPEQW Y4, Y4, Y4
	VPSRLW   $12, Y4, Y4

vector:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	MOVQ  SI, R9
	MOVQ  R8, R10

step:
	VPMOVZXBW (DX), Y2
	VPSRLW    $4, Y2, Y3
	VPAND     Y4, Y2, Y2
	VPMADDWD  (R9), Y2, Y2
	VPMADDWD  32(R9), Y3, Y3
	VPADDD    Y2, Y0, Y0
	VPADDD    Y3, Y1, Y1
	ADDQ      $16, DX
	ADDQ      $64, R9
	SUBQ      $32, R10
	JNZ       step

	STORE_SUM
	SUBQ $1, CX
	JNZ  vector
	VZEROUPPER
	RET
