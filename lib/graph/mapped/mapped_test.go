package mapped_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"unsafe"

	"cortex/lib/graph/mapped"
)

type pair struct {
	a uint32
	b uint8
}

func TestSlicesComeBackAsTheyWere(t *testing.T) {
	form := mapped.Form{Magic: "ABCDEFGH", Version: 3}
	letters, pairs, none := []byte("abc"), []pair{{1, 2}, {1 << 30, 4}}, []uint32(nil)
	var b bytes.Buffer
	if err := form.Write(&b, []mapped.Slice{mapped.Of(&letters), mapped.Of(&pairs), mapped.Of(&none)}); err != nil {
		t.Fatal(err)
	}
	data := aligned(b.Bytes())
	var gotLetters []byte
	var gotPairs []pair
	var gotNone []uint32
	read := func(f mapped.Form, data []byte) error {
		return f.Read(data, []mapped.Slice{mapped.Of(&gotLetters), mapped.Of(&gotPairs), mapped.Of(&gotNone)})
	}
	if err := read(form, data); err != nil || !mapped.IsIntact(data) {
		t.Fatal(err, mapped.IsIntact(data))
	}
	if !slices.Equal(gotLetters, letters) || !slices.Equal(gotPairs, pairs) || gotNone != nil {
		t.Errorf("got %q, %v, %v", gotLetters, gotPairs, gotNone)
	}
	for about, err := range map[string]error{
		"another magic":   read(mapped.Form{Magic: "ABCDEFGI", Version: 3}, data),
		"another version": read(mapped.Form{Magic: "ABCDEFGH", Version: 4}, data),
		"a byte more":     read(form, aligned(append(b.Bytes(), 0))),
		"a word less":     read(form, data[:len(data)-8]),
		"the header":      read(form, data[:16]),
		"fewer slices":    form.Read(data, []mapped.Slice{mapped.Of(&gotLetters)}),
		"larger values":   form.Read(data, []mapped.Slice{mapped.Of(&gotPairs), mapped.Of(&gotPairs), mapped.Of(&gotNone)}),
	} {
		if err == nil {
			t.Errorf("%s: no error", about)
		}
	}
	data[len(data)-1] ^= 1
	if mapped.IsIntact(data) {
		t.Error("damage is not seen")
	}
}

// aligned is a copy that begins at a multiple of 8, as mapped memory does.
func aligned(data []byte) []byte {
	words := make([]uint64, len(data)/8+1)
	return append(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))[:0], data...)
}

func TestFaultsOfMappedMemoryAreDamage(t *testing.T) {
	fail := func(about any) (err error) {
		defer mapped.Guard(&err)()
		if about != nil {
			panic(about)
		}
		var none []int
		_ = none[len(none)]
		return nil
	}
	if err := fail(nil); !errors.Is(err, mapped.ErrDamaged) {
		t.Error(err)
	}
	defer func() {
		if recover() != "other" {
			t.Error("another panic is hidden")
		}
	}()
	_ = fail("other")
}
