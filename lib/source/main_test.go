package source

import (
	"flag"
	"testing"

	"cortex/lib/derived/derivedtest"
)

func TestMain(m *testing.M) {
	// What runs at once is waiting, for changes to come to rest.
	if err := flag.Set("test.parallel", "10"); err != nil {
		panic(err)
	}
	derivedtest.Main(m)
}
