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

func TestHeadline(t *testing.T) {
	many := "one wants many words about files folders servers clients sockets buffers readers writers"
	for text, want := range map[string]string{
		"why is it slow?":                    "",
		"why is it slow?\n\nIt takes hours.": "", // as few words as a question
		many:                                 "",
		"Crash\n\n" + many:                   "Crash",
		"\n  Crash \n" + many:                "Crash",
		many + " caches threads locks queues pipes signals timers kernels drivers disks pages frames stacks heaps tables rows columns keys values": many + " caches threads locks queues pipes signals timers kernels drivers disks pages frames stacks heaps tables rows columns keys values",
	} {
		if got := Headline(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestBrevity(t *testing.T) {
	for words, want := range map[int]float64{0: 1, 10: 1, 20: .5, 30: 0, 31: 0} {
		if got := Brevity(words); got != want {
			t.Errorf("%d words: %v, want %v", words, got, want)
		}
	}
}
