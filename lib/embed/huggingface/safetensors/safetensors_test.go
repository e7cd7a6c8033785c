package safetensors

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// file is a file with the given header and body.
func file(header, body string) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), body...)
}

func TestReadAsTheFormatSaysIt(t *testing.T) {
	body := "\x00\x00\x80\x3f\x00\x00\x00\xc0" + "\x00\x3c\x00\xc0" + "\x01\xff" + "\x07\x00\x00\x00\xfe\xff\xff\xff"
	got, err := Read(file(`{"__metadata__":{"format":"pt"},
		"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},
		"b":{"dtype":"F16","shape":[2],"data_offsets":[8,12]},
		"c":{"dtype":"I8","shape":[2,1],"data_offsets":[12,14]},
		"d":{"dtype":"I32","shape":[2],"data_offsets":[14,22]},
		"e":{"dtype":"F32","shape":[0,9],"data_offsets":[22,22]}}   `, body))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float32{"a": {1, -2}, "b": {1, -2}, "c": {1, -1}, "e": {}} {
		floats, err := got[name].Floats()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, floats); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	ints, err := got["d"].Ints()
	if diff := cmp.Diff([]int64{7, -2}, ints); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if diff := cmp.Diff([]int{1, 2}, got["a"].Shape); diff != "" {
		t.Error(diff)
	}
	if len(got) != 5 {
		t.Errorf("%d tensors", len(got))
	}
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":       {nil, "0 bytes are too few"},
		"long header":   {append([]byte{255, 255, 255, 255, 255, 255, 255, 255}, "{}"...), "does not fit a file of 10"},
		"cut header":    {file("{}", "")[:9], "does not fit a file of 9"},
		"no JSON":       {file("{", ""), "header"},
		"outside":       {file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, "1234"), "bytes 0 to 8 are outside of the file's 4"},
		"backwards":     {file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}`, "12345678"), "outside"},
		"negative":      {file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}`, "12345678"), "-8"},
		"shape":         {file(`{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}`, "12345678"), "does not fit 8 bytes"},
		"product":       {file(`{"a":{"dtype":"F32","shape":[2147483647,2147483647,2147483647],"data_offsets":[0,8]}}`, "12345678"), "too large"},
		"hidden by 0":   {file(`{"a":{"dtype":"F32","shape":[0,9223372036854775807],"data_offsets":[0,0]}}`, ""), "too large"},
		"unknown type":  {file(`{"a":{"dtype":"Q4","shape":[8],"data_offsets":[0,4]}}`, "1234"), `unknown type "Q4"`},
		"rank":          {file(`{"a":{"dtype":"I8","shape":[`+strings.Repeat("1,", 1000)+`1],"data_offsets":[0,1]}}`, "1"), "1001 dimensions, expected at most 8"},
		"huge header":   {file(`{"a":7}`+strings.Repeat(" ", maxHeader), ""), "expected at most"},
		"long name":     {file(`{"`+strings.Repeat("a", 1000)+`":7}`, ""), "a name of 1000 bytes"},
		"not an object": {file(`{"a":7}`, ""), `tensor "a"`},
	} {
		if _, err := Read(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	got, err := Read(file(`{"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}}`, "12"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := got["a"].Floats(); err == nil {
		t.Error("BF16 read as floats")
	}
	if _, err := got["a"].Ints(); err == nil {
		t.Error("BF16 read as integers")
	}
}

func TestWriteThenRead(t *testing.T) {
	want := []Tensor{
		{Name: "z", DType: F32, Shape: []int{2, 1}, Data: []byte("12345678")},
		{Name: "a", DType: I8, Shape: []int{3}, Data: []byte("123")},
		{Name: "none", DType: F64, Shape: []int{0}, Data: []byte{}},
	}
	var b bytes.Buffer
	if err := Write(&b, want); err != nil {
		t.Fatal(err)
	}
	if n := binary.LittleEndian.Uint64(b.Bytes()); n%8 != 0 {
		t.Errorf("numbers begin at %d", 8+n)
	}
	got, err := Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want {
		if diff := cmp.Diff(&w, got[w.Name]); diff != "" {
			t.Error(diff)
		}
	}
	for _, bad := range [][]Tensor{
		{want[0], want[0]},
		{{Name: "a", DType: F32, Shape: []int{2}, Data: []byte("1234")}},
		{{Name: "a", DType: "Q4", Shape: []int{2}, Data: []byte("1")}},
		{{Name: "__metadata__", DType: I8, Shape: []int{1}, Data: []byte("1")}},
		{{Name: "a", DType: I8, Shape: []int{-1, -1}, Data: []byte("1")}},
	} {
		if err := Write(&bytes.Buffer{}, bad); err == nil {
			t.Errorf("wrote %v", bad)
		}
	}
}

// TestHalf computes every number of binary16 from its definition.
func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		exponent, fraction := h>>10&31, float64(h&1023)
		want := math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 31 && fraction == 0:
			want = math.Inf(1)
		case exponent == 31:
			want = math.NaN()
		case exponent == 0:
			want = math.Ldexp(fraction/1024, -14)
		}
		if h>>15 == 1 {
			want = -want
		}
		got := float64(Half(uint16(h)))
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) || math.Signbit(got) != math.Signbit(want) && !math.IsNaN(want) {
			t.Fatalf("%04x: %v, want %v", h, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`, "12345678"))
	f.Add(file(`{"a":{"dtype":"I8","shape":[],"data_offsets":[0,1]}}`, "1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := Read(data)
		if err != nil {
			return
		}
		for _, x := range tensors {
			if size := sizes()[x.DType]; uint64(x.Len())*size != uint64(len(x.Data)) {
				t.Fatalf("%v: %d bytes", x.Shape, len(x.Data))
			}
			_, _ = x.Floats()
			_, _ = x.Ints()
		}
	})
}
