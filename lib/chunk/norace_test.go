//go:build !race

package chunk_test

const raceDetector = false
