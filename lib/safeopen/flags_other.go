//go:build !unix

package safeopen

const directory = 0
