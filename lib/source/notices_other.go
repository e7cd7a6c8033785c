//go:build !linux

package source

import "errors"

// Notices tell whether anything has happened in folders of a tree, on systems that keep such notices.
type Notices struct{}

// NewNotices fails.
func NewNotices(string) (*Notices, error) { return nil, errors.ErrUnsupported }

func (*Notices) watch(string) {}

// Tell reports whether they are of all folders that were to be watched.
func (*Notices) Tell() bool { return false }

// Any reports whether anything has happened, or cannot be known.
func (*Notices) Any() bool { return true }

// Close ends the watch.
func (*Notices) Close() error { return nil }
