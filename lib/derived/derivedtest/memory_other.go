//go:build !linux

package derivedtest

// UseMemory does nothing: this system has no standard folder in memory.
func UseMemory() error { return nil }
