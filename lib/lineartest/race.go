//go:build race

package lineartest

// RaceDetector says whether the race detector is on, which makes everything many times slower.
const RaceDetector = true
