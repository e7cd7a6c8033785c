package config

import (
	"testing"

	"cortex/lib/derived/derivedtest"
)

func TestMain(m *testing.M) { derivedtest.Main(m) }
