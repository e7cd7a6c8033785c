//go:build !race

package lineartest

// RaceDetector tells whether the race detector runs, under which all takes many times as long.
const RaceDetector = false
