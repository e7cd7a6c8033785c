package read_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cortex/lib/database/read"
	"cortex/lib/hint"
)

func TestTwoEditsLeaveAPart(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	twice := 0
	for range 100_000 {
		word := make([]rune, 5+random.IntN(7))
		for i := range word {
			word[i] = rune('a' + random.IntN(12))
		}
		other := edited(random, string(word), 2)
		if hint.Distance(string(word), other, 2) > 2 {
			continue
		}
		twice++
		if !slices.ContainsFunc(read.PartsLeft(word), func(part string) bool { return strings.Contains(other, part) }) {
			t.Fatalf("%s has no part of %s", other, string(word))
		}
	}
	if twice < 50_000 {
		t.Errorf("%d words", twice)
	}
}
