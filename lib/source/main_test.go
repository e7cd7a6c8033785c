package source

import (
	"flag"
	"testing"

	"cortex/lib/derived/derivedtest"
)

func TestMain(m *testing.M) {
	// Parallel tests mostly wait for changes to come to rest.
	if err := flag.Set("test.parallel", "10"); err != nil {
		panic(err)
	}
	derivedtest.Main(m)
}
