package token

import (
	"strings"
	"testing"
)

func TestExpression(t *testing.T) {
	tests := []struct {
		source, term string
		want         bool
		share        float32
	}{
		{`read`, "reader", true, 4. / 6}, {`Read`, "reader", true, 4. / 6}, {`^read$`, "reader", false, 0}, {`^(get|set)_.*id$`, "get_user_id", true, 1},
		{`a.c`, "xabcx", true, 3. / 5}, {`^@`, "@decorator", true, 0.1}, {`größe`, "größe", true, 1}, {`GRÖSSE`, "grösse", true, 1}, {`[0-9]+`, "utf8", true, 0.25},
		{`^pre(fix|pare)`, "prepared", true, 7. / 8}, {`(read)+`, "readread", true, 1}, {`x*`, "abc", true, 0},
	}
	for _, tt := range tests {
		x, err := NewExpression(tt.source)
		if err != nil {
			t.Errorf("%s: %v", tt.source, err)
			continue
		}
		if got := x.Match(tt.term); got != tt.want {
			t.Errorf("/%s/ matches %s: %v", tt.source, tt.term, got)
		}
		if got := x.Share(tt.term); got != tt.share {
			t.Errorf("/%s/ accounts for %v of %s, want %v", tt.source, got, tt.term, tt.share)
		}
		if tt.want && !strings.HasPrefix(tt.term, x.Prefix()) {
			t.Errorf("/%s/ has the prefix %q", tt.source, x.Prefix())
		}
	}
	x, err := NewExpression("^read.*Error$")
	if err != nil || x.Prefix() != "read" || x.literal != "error" {
		t.Errorf("%+v, %v", x, err)
	}
}

func FuzzExpression(f *testing.F) {
	f.Add(`^(get|set)_.*id$`, "get_user_id")
	f.Add(`a{2,5}[^x]|\pL+`, "aab")
	f.Fuzz(func(t *testing.T, source, term string) {
		x, err := NewExpression(source)
		if err != nil {
			if fault := err.(*ExpressionError); fault.Offset < 0 || fault.Offset > len(source) || fault.Problem == "" {
				t.Fatalf("%q: %+v", source, fault)
			}
			return
		}
		term = Fold(term)
		if x.Match(term) != x.re.MatchString(term) {
			t.Errorf("/%s/ and %q: the literal %q decides wrongly", source, term, x.literal)
		}
		if x.Match(term) && !strings.HasPrefix(term, x.Prefix()) {
			t.Errorf("/%s/ matches %q without its prefix %q", source, term, x.Prefix())
		}
	})
}
