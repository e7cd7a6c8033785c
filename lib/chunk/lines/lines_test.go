package lines

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		unit  Measure
		want  string
	}{
		{"short", 10, Runes, "short"},
		{"aaaaaaaa bbb_bbb c", 10, Runes, "aaaaaaaa |bbb_bbb c"},
		{"abcdefghij", 4, Runes, "abcd|efgh|ij"},
		{"ééééé", 2, Runes, "éé|éé|é"},
		{"ééééé", 4, Bytes, "éé|éé|é"},
	} {
		var got []string
		for _, cut := range Cut(test.text, test.limit, test.unit) {
			got = append(got, test.text[cut[0]:cut[1]])
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", test.text, test.limit, got, test.want)
		}
	}
}
