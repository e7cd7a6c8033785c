package wording

import (
	"testing"

	"cortex/lib/search/query"
)

func TestNaming(t *testing.T) {
	for _, tt := range []struct {
		term, better, worse string // "" for what is not found at all
	}{
		{"Read", "Read", "Reader.Read"}, {"read", "READ", "a::read"}, {"reader.read", "Reader.Read", "io.Reader.Read"},
		{"io::reader", "io.Reader", "a/io#Reader"}, {"read", "Read", "ReadAll"}, {"read", "x.Read", "Read.x"},
		{"Re*", "Red", "Reader"}, {"Re*", "Reader", "x.Reader"}, {"Re*", "x.Read", "Bare"}, {"re?d", "read", "reader"},
		{"raed~2", "Raed", "Read"}, {"raed~2", "a.Read", "a.Write"}, {"read", "read", "thread"}, {"...", "", "a"},
	} {
		node, err := query.Parse("symbol:"+tt.term, 1)
		if tt.term == "..." {
			node, err = &query.Term{Field: query.Symbol, Text: "..."}, nil
		}
		if err != nil {
			t.Fatal(err)
		}
		n := Namings(node)[0]
		better, worse := n(tt.better), n(tt.worse)
		if better <= worse && tt.better != "" || better < 0 || better > 1 || worse < 0 || tt.better == "" && worse != 0 {
			t.Errorf("%s: %q has %g, %q has %g", tt.term, tt.better, better, tt.worse, worse)
		}
	}
}
