package record

import "testing"

// Whatever is warmed at the same time as records are read and written, those are right.
func TestWarm(t *testing.T) {
	f := &File{FilePath: "a.go", Status: StatusOK}
	want, err := Append(nil, f)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		Warm([]Record{&Begin{}, &File{}, &Chunk{}, &End{}}, []Record{&File{}, &Chunk{}})
		got, err := Append(nil, f)
		if err != nil || string(got) != string(want) {
			t.Fatalf("%s, %v", got, err)
		}
		if _, err := (Line{Data: got}).Decode(); err != nil {
			t.Fatal(err)
		}
	}
}
