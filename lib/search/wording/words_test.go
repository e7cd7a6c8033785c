package wording

import "testing"

func TestIsIdentifier(t *testing.T) {
	for question, want := range map[string]bool{
		"parseHeader": true, "parse_header": true, "net/http": true, "header": false, "parse a header": false,
		// Questions in scripts without blanks are no names.
		"限制请求大小": false, "リクエストの大きさを制限する": false, "จำกัดขนาด": false,
	} {
		if got := IsIdentifier(question); got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}
