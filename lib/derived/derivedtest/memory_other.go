//go:build !linux

package derivedtest

// UseMemory does nothing: the system has no folder in memory of its own.
func UseMemory() error { return nil }
