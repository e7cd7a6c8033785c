package postings

import (
	"bytes"
	"testing"
)

func TestAppend(t *testing.T) {
	data := AppendTimes(nil, 3, 1)
	data = AppendTimes(data, 0, 2)
	data = AppendTimes(data, 200, 5)
	if want := []byte{6, 1, 0, 0x91, 3, 3}; !bytes.Equal(data, want) {
		t.Errorf("documents: got %v, want %v", data, want)
	}
	data = AppendPlace(nil, 4, 1)
	data = AppendPlace(data, 0, 0)
	data = AppendPlace(data, 2, 7)
	if want := []byte{8, 1, 0, 5, 7}; !bytes.Equal(data, want) {
		t.Errorf("places: got %v, want %v", data, want)
	}
}
