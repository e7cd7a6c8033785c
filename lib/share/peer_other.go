//go:build !linux && !darwin && !freebsd

package share

import "errors"

// peerOf returns an error: the peer cannot be determined on this system, so no process joins.
func peerOf(int) (int, error) { return 0, errors.ErrUnsupported }
