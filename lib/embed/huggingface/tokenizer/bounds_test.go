package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// sequence is a part of a file with the same parts n times.
func sequence(key, list, part string, n int) string {
	return fmt.Sprintf(`"%s":{"type":"Sequence","%s":[%s]},`, key, list, strings.Join(strings.Split(strings.Repeat(part+"\n", n-1)+part, "\n"), ","))
}

// TestATextDoesNotGrowWithoutEnd tokenizes texts with files whose parts lengthen each other's output.
func TestATextDoesNotGrowWithoutEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("makes large texts")
	}
	replace := fmt.Sprintf(`{"type":"Replace","pattern":{"Regex":"a"},"content":%q}`, strings.Repeat("a", maxReplacement))
	inner := `{"type":"Sequence","normalizers":[` + replace + `,` + replace + `]}`
	for name, file := range map[string]string{
		"replace":   sequence("normalizer", "normalizers", replace, 20),
		"nested":    sequence("normalizer", "normalizers", inner, 20),
		"prepend":   sequence("normalizer", "normalizers", fmt.Sprintf(`{"type":"Prepend","prepend":%q}`, strings.Repeat("a", maxReplacement)), 500),
		"bytes":     sequence("normalizer", "normalizers", `{"type":"ByteLevel"}`, 30),
		"metaspace": sequence("pre_tokenizer", "pretokenizers", `{"type":"Metaspace","replacement":"A"},{"type":"Metaspace","replacement":"B"}`, 50),
		"bytelevel": sequence("pre_tokenizer", "pretokenizers", `{"type":"ByteLevel","add_prefix_space":true}`, 50),
		"split":     sequence("pre_tokenizer", "pretokenizers", `{"type":"Sequence","pretokenizers":[{"type":"ByteLevel","add_prefix_space":true},{"type":"Metaspace","replacement":"é"}]}`, 50),
	} {
		t.Run(name, func(t *testing.T) {
			tok := parse(t, wordLevelFile(file, "a"))
			text := strings.Repeat("a é ", 100)
			if n := len(tok.Append(nil, text)); n > 2*maxGrowth*len(text) {
				t.Errorf("%d tokens of %d bytes", n, len(text))
			}
		})
	}
}

func TestReplacementsAreShort(t *testing.T) {
	units := make([]byte, 4+4)
	binary.LittleEndian.PutUint32(units, 4)
	long := base64.StdEncoding.EncodeToString(append(units, strings.Repeat("a", maxReplacement+1)+"\x00"...))
	for file, want := range map[string]string{
		`"normalizer":{"type":"Precompiled","precompiled_charsmap":"` + long + `"},`:                                                                 "65 bytes",
		`"normalizer":{"type":"Prepend","prepend":"` + strings.Repeat("a", maxReplacement+1) + `"},`:                                                 "65 bytes",
		`"post_processor":{"type":"BertProcessing","sep":["[SEP]",-1],"cls":["[CLS]",7]},`:                                                           `number -1`,
		`"post_processor":{"type":"RobertaProcessing","sep":["[SEP]",1],"cls":["[CLS]",2147483647]},`:                                                `number 2147483647`,
		`"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x"}},{"Sequence":{}}],"special_tokens":{"x":{"ids":[-7]}}},`: `number -7`,
	} {
		if _, err := Parse([]byte(wordLevelFile(file, "a"))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: %v, want %s", file, err, want)
		}
	}
}

// TestPatternsAreSmall refuses patterns whose programs have thousands of steps: each character of a text may take all of them.
func TestPatternsAreSmall(t *testing.T) {
	for _, pattern := range []string{strings.Repeat(`\w{0,1000}`, 300), `(\w\d{20}){49}(\w\d{20}){49}`, strings.Repeat("a", 2100), `(?i:` + strings.Repeat("k{700}", 4) + `)`} {
		for _, split := range []string{pattern, pattern + `|\s+(?!\S)|b`} {
			file := wordLevelFile(fmt.Sprintf(`"pre_tokenizer":{"type":"Split","behavior":"Isolated","pattern":{"Regex":%q}},`, split), "a")
			if _, err := Parse([]byte(file)); err == nil || !strings.Contains(err.Error(), "steps") {
				t.Errorf("%.60s: %v", split, err)
			}
		}
	}
	many := sequence("normalizer", "normalizers", `{"type":"Replace","pattern":{"Regex":"a{500}"},"content":""}`, 10)
	if _, err := Parse([]byte(wordLevelFile(many, "a"))); err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("many patterns: %v", err)
	}
}

// TestListsOfAFileAreBounded gives files of a few megabytes that would take hundreds in memory.
func TestListsOfAFileAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large files")
	}
	word := `"model":{"type":"WordLevel","vocab":{"a":0}}`
	for name, c := range map[string]struct{ file, want string }{
		"added tokens": {`{"added_tokens":[` + strings.Repeat(`{},`, maxAddedTokens) + `{}],` + word + `}`, "more than"},
		"merges":       {`{"model":{"type":"BPE","vocab":{"a":0},"merges":[` + strings.Repeat(`"",`, maxTokens) + `""]}}`, "not two tokens"},
		"pairs":        {`{"model":{"type":"BPE","vocab":{"a":0},"merges":[` + strings.Repeat(`["",""],`, maxTokens) + `["",""]]}}`, "more than"},
		"scores":       {`{"model":{"type":"Unigram","vocab":[` + strings.Repeat(`["",0],`, maxTokens) + `["",0]]}}`, "more than"},
		"normalizers":  {`{"normalizer":{"type":"Sequence","normalizers":[` + strings.Repeat(`0,`, 1<<16) + `0]},` + word + `}`, "more than"},
		"splitters":    {`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[` + strings.Repeat(`0,`, 1<<16) + `0]},` + word + `}`, "more than"},
		"frame":        {`{"post_processor":{"type":"Sequence","processors":[` + strings.Repeat(`0,`, 1<<16) + `0]},` + word + `}`, "more than"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Parse([]byte(c.file))
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			// A list grows by copying itself.
			if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20+16*uint64(len(c.file)) {
				t.Errorf("%d MB for a file of %d MB", used>>20, len(c.file)>>20)
			}
		})
	}
}
