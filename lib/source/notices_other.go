//go:build !linux

package source

import "errors"

// Notices report whether anything has happened in folders of a tree. This system has no such notices.
type Notices struct{}

// NewNotices returns errors.ErrUnsupported.
func NewNotices(string) (*Notices, error) { return nil, errors.ErrUnsupported }

func (*Notices) watch(string) {}

// Tell returns false.
func (*Notices) Tell() bool { return false }

// Any returns true.
func (*Notices) Any() bool { return true }

// Close does nothing.
func (*Notices) Close() error { return nil }
