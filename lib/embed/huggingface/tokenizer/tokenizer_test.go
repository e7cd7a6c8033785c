package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// wordLevelFile is a tokenizer.json of kind WordLevel with [UNK] 0 and the given words from 1 on.
func wordLevelFile(rest string, words ...string) string {
	vocab := map[string]int{"[UNK]": 0}
	for _, w := range words {
		vocab[w] = len(vocab)
	}
	data, err := json.Marshal(vocab)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{%s"model":{"type":"WordLevel","unk_token":"[UNK]","vocab":%s}}`, rest, data)
}

func parse(t testing.TB, file string) *Tokenizer {
	t.Helper()
	tok, err := Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func TestNormalizers(t *testing.T) {
	bert := `{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true}`
	cased := `{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":false,"strip_accents":null,"lowercase":false}`
	for _, c := range []struct{ json, in, want string }{
		{bert, "Hello\tWORLD\r\n_x9", "hello world  _x9"},
		{bert, "a\x00b\x07c\x7fd\ufffde\u200bf\u00adg\ue000h", "abcdefgh"},
		{bert, "a\u00a0b\u3000c\u2028d", "a b c d"},
		{bert, "Ärger ÉTÉ ŁÓDŹ İstanbul", "arger ete łodz istanbul"},
		{bert, "野口 x里y", " 野  口  x 里 y"},
		{bert, "ΑΣ ДОМ", "ασ дом"},
		{cased, "Ärger 野口\n", "Ärger 野口 "},
		{`{"type":"BertNormalizer","clean_text":false,"handle_chinese_chars":false,"strip_accents":true,"lowercase":false}`, "É\x07野", "E\x07野"},
		{`{"type":"NFD"}`, "é", "e\u0301"},
		{`{"type":"NFC"}`, "e\u0301", "é"},
		{`{"type":"NFKC"}`, "ﬁ①", "fi1"},
		{`{"type":"NFKD"}`, "ﬁé", "fie\u0301"},
		{`{"type":"Lowercase"}`, "ÄB\u0130", "äbi\u0307"},
		{`{"type":"StripAccents"}`, "e\u0301é", "eé"},
		{`{"type":"Nmt"}`, "a\tb\u200bc\u2581d\x01e", "a b c de"},
		{`{"type":"Strip","strip_left":true,"strip_right":true}`, " \ta b\u00a0", "a b"},
		{`{"type":"Strip","strip_left":false,"strip_right":true}`, " a ", " a"},
		{`{"type":"Prepend","prepend":"▁"}`, "a", "▁a"},
		{`{"type":"Prepend","prepend":"▁"}`, "", ""},
		{`{"type":"Replace","pattern":{"String":"!"},"content":" ! "}`, "a!!b", "a !  ! b"},
		{`{"type":"Replace","pattern":{"Regex":"\\s+"},"content":" "}`, "a \n\u2003b", "a b"},
		{`{"type":"ByteLevel"}`, "Hello 我\n\x7f\u00ad", "HelloĠæĪĳĊġÂŃ"},
		{`{"type":"Sequence","normalizers":[{"type":"Lowercase"},{"type":"Prepend","prepend":"X"},{"type":"Precompiled","precompiled_charsmap":""}]}`, "A", "Xa"},
	} {
		n, err := parseNormalizer(json.RawMessage(c.json), newBudget(), 0)
		if err != nil {
			t.Errorf("%s: %v", c.json, err)
			continue
		}
		if got := n.normalize(c.in); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.json, c.in, got, c.want)
		}
	}
}

// charsMap builds the map of a Precompiled normalizer: a block of 256 units for each node of the trie.
func charsMap(rules map[string]string) string {
	type node struct {
		children map[byte]int
		place    int
	}
	nodes := []node{{children: map[byte]int{}, place: -1}}
	var replacements []byte
	for _, from := range slices.Sorted(maps.Keys(rules)) {
		at := 0
		for _, c := range []byte(from) {
			if _, ok := nodes[at].children[c]; !ok {
				nodes[at].children[c] = len(nodes)
				nodes = append(nodes, node{children: map[byte]int{}, place: -1})
			}
			at = nodes[at].children[c]
		}
		nodes[at].place = len(replacements)
		replacements = append(replacements, rules[from]+"\x00"...)
	}
	// The root is unit 0; the children of node i are in block i+1, its value at the block's first unit.
	units := make([]uint32, 256*(len(nodes)+1))
	units[0] = 256 << 10
	for i, n := range nodes {
		block := uint32(256 * (i + 1))
		if n.place >= 0 {
			units[block] = 1<<31 | uint32(n.place)
		}
		for c, child := range n.children {
			at := block | uint32(c)
			units[at] = uint32(c) | (at^uint32(256*(child+1)))<<10
			if nodes[child].place >= 0 {
				units[at] |= 1 << 8
			}
		}
	}
	data := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		data = binary.LittleEndian.AppendUint32(data, u)
	}
	return base64.StdEncoding.EncodeToString(append(data, replacements...))
}

func TestPrecompiled(t *testing.T) {
	m := charsMap(map[string]string{"\t": " ", "™": "TM", "\x1e": "", "e\u0301": "é", "\r\n": " ", "Å": "A\u030a"})
	n, err := parseNormalizer(json.RawMessage(`{"type":"Precompiled","precompiled_charsmap":"`+m+`"}`), newBudget(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"a\tb":      "a b",
		"™\x1eg":    "TMg",
		"e\u0301x":  "éx",
		"a\r\nb\rc": "a b\rc",
		"Å":         "A\u030a",
		"plain 野":   "plain 野",
	} {
		if got := n.normalize(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	// A cluster of less than six bytes is replaced as a whole by the shortest match.
	if got := n.normalize("e\u0301\u0302"); got != "é" {
		t.Errorf("got %q", got)
	}
	for _, bad := range []string{"AA==", "AQAAAA==", "BAAAAA==", "BAAAAA", "////fw=="} {
		if _, err := parsePrecompiled(json.RawMessage(`{"precompiled_charsmap":"` + bad + `"}`)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

func TestSplitters(t *testing.T) {
	gpt := `{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true}`
	split := func(pattern, behavior string, invert bool) string {
		return fmt.Sprintf(`{"type":"Split","pattern":%s,"behavior":%q,"invert":%v}`, pattern, behavior, invert)
	}
	dash := `{"String":"-"}`
	for _, c := range []struct{ json, in, want string }{
		{`{"type":"BertPreTokenizer"}`, "Hey friend!     How are you?!? a_b 50€", "Hey|friend|!|How|are|you|?|!|?|a|_|b|50€"},
		{`{"type":"BertPreTokenizer"}`, "a\u2014b\u3000c «d»$", "a|\u2014|b|c|«|d|»|$"},
		{`{"type":"Whitespace"}`, "Hey man! a_b—é9", "Hey|man|!|a_b|—|é9"},
		{`{"type":"WhitespaceSplit"}`, " a\u00a0b\nc-d ", "a|b|c-d"},
		{`{"type":"Punctuation"}`, "a!?b c", "a|!|?|b c"},
		{`{"type":"Punctuation","behavior":"Removed"}`, "a!?b", "a|b"},
		{`{"type":"Digits","individual_digits":false}`, "Hey 123 friend!", "Hey |123| friend!"},
		{`{"type":"Digits","individual_digits":true}`, "x12", "x|1|2"},
		{`{"type":"CharDelimiterSplit","delimiter":"-"}`, "a--b", "a|b"},
		{split(dash, "Removed", false), "The-final--countdown", "The|final|countdown"},
		{split(dash, "Isolated", false), "The-final--countdown", "The|-|final|-|-|countdown"},
		{split(dash, "MergedWithPrevious", false), "The-final--countdown", "The-|final-|-|countdown"},
		{split(dash, "MergedWithNext", false), "The-final--countdown", "The|-final|-|-countdown"},
		{split(dash, "Contiguous", false), "The-final--countdown", "The|-|final|--|countdown"},
		{split(`{"Regex":"[a-z]+"}`, "Removed", true), "ab-cd9", "ab|cd"},
		{split(`{"Regex":"\\d"}`, "Isolated", false), "a٣1", "a|٣|1"},
		{split(`{"Regex":"(?i:the)|\\s+(?!\\S)|x"}`, "Isolated", false), "THE  x  ", "THE| | |x|  "},
		{`{"type":"Metaspace","replacement":"▁","add_prefix_space":true}`, "Hey  you", "▁Hey|▁|▁you"},
		{`{"type":"Metaspace","replacement":"▁","prepend_scheme":"never"}`, "Hey you", "Hey|▁you"},
		{`{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":false}`, "Hey you", "▁Hey▁you"},
		{`{"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}`, " a", "▁a"},
		{`{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}]}`, "a b", "▁a|b"},
		{`{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}]}`, " a b", "a|b"},
		{gpt, "Hello my friend, how's 12", "Hello|Ġmy|Ġfriend|,|Ġhow|'s|Ġ12"},
		{gpt, "a  b\n\n c \t", "a|Ġ|Ġb|ĊĊ|Ġc|Ġĉ"},
		{`{"type":"ByteLevel","add_prefix_space":true,"use_regex":false}`, "é x", "ĠÃ©Ġx"},
		// A pattern of the kind of cl100k_base and what came after it.
		{split(`{"Regex":"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}`, "Isolated", false),
			"I'LL  do_it 12345!\n\n  x", "I|'LL| | do|_it| |123|45|!\n\n| | x"},
	} {
		s, err := parseSplitter(json.RawMessage(c.json), newBudget(), 0)
		if err != nil {
			t.Errorf("%s: %v", c.json, err)
			continue
		}
		pieces, _ := s.split([]piece{{c.in, true}}, nil)
		var got []string
		for _, p := range pieces {
			got = append(got, p.text)
		}
		if joined := strings.Join(got, "|"); joined != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.json, c.in, joined, c.want)
		}
	}
}

// gpt2ByHand is the pattern of GPT-2 without a regular expression.
func gpt2ByHand(s string) []string {
	var out []string
	r := []rune(s)
	class := func(c rune) int {
		switch {
		case unicode.IsSpace(c):
			return 0
		case unicode.IsLetter(c):
			return 1
		case unicode.IsNumber(c):
			return 2
		}
		return 3
	}
	for i := 0; i < len(r); {
		end := 0
		for _, suffix := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
			if strings.HasPrefix(string(r[i:]), suffix) {
				end = i + len(suffix)
				break
			}
		}
		if end == 0 {
			from := i
			if r[i] == ' ' && i+1 < len(r) && class(r[i+1]) != 0 {
				from++
			}
			end = from + 1
			for end < len(r) && class(r[end]) == class(r[from]) {
				end++
			}
			if class(r[from]) == 0 && end < len(r) && end-from > 1 {
				end--
			}
		}
		out = append(out, string(r[i:end]))
		i = end
	}
	return out
}

func TestLookAheadPatternAgainstOneByHand(t *testing.T) {
	m, err := compile(gpt2, newBudget())
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("  \n\t\u00a0aé1²'sreltdvm!_-野")
	for range 20_000 {
		var in []rune
		for range random.IntN(14) {
			in = append(in, alphabet[random.IntN(len(alphabet))])
		}
		var got []string
		m.each(string(in), func(part string, match bool) {
			if !match {
				t.Fatalf("%q: %q matches nothing", string(in), part)
			}
			got = append(got, part)
		})
		if diff := cmp.Diff(gpt2ByHand(string(in)), got); diff != "" {
			t.Fatalf("%q: %s", string(in), diff)
		}
	}
}

func TestWordPiece(t *testing.T) {
	tok := parse(t, `{"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"[UNK]","max_input_chars_per_word":8,
		"vocab":{"[UNK]":0,"un":1,"##aff":2,"##able":3,"##a":4,"aff":5,"é":6,"##é":7,"un##":8}}}`)
	for text, want := range map[string][]int32{
		"unaffable":    {0}, // more than 8 characters
		"unaff aff":    {1, 2, 5},
		"unaffa":       {1, 2, 4},
		"able":         {0},
		"unx un":       {0, 1},
		"éé":           {6, 7},
		"éééééééé":     {6, 7, 7, 7, 7, 7, 7, 7},
		"":             nil,
		"  ":           nil,
		"\xff":         {0},
		"un## ##aff":   {1, 0, 0, 0, 0, 5},
		"ununun un,un": {0, 1, 0, 1},
	} {
		if diff := cmp.Diff(want, tok.Append(nil, text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if id, ok := tok.Unknown(); id != 0 || !ok {
		t.Error(id, ok)
	}
	if got := parse(t, `{"model":{"type":"WordPiece","continuing_subword_prefix":"","vocab":{"handler":0,"hand":1,"le":2,"r":3,"x":4}}}`).
		Append([]int32{9}, "handlexhandlerr"); !slices.Equal(got, []int32{9, 1, 2, 4, 0, 3}) {
		t.Errorf("one table for words and pieces: %v", got)
	}
}

// TestUnigramAgainstAllWays compares with the best of all tokenizations of a text.
func TestUnigramAgainstAllWays(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		vocab := []scored{{"<unk>", 0}}
		seen := map[string]bool{"<unk>": true}
		for range 2 + random.IntN(12) {
			var s []rune
			for range 1 + random.IntN(3) {
				s = append(s, []rune("abé野")[random.IntN(4)])
			}
			if !seen[string(s)] {
				seen[string(s)] = true
				vocab = append(vocab, scored{string(s), -float64(1 + random.IntN(1000))})
			}
		}
		var pairs [][2]any
		worst := 0.0
		for _, v := range vocab {
			pairs = append(pairs, [2]any{v.token, v.score})
			worst = min(worst, v.score)
		}
		data, err := json.Marshal(pairs)
		if err != nil {
			t.Fatal(err)
		}
		tok := parse(t, `{"model":{"type":"Unigram","unk_id":0,"vocab":`+string(data)+`}}`)
		var text []rune
		for range random.IntN(9) {
			text = append(text, []rune("abcé野")[random.IntN(5)])
		}
		// score is that of a list of tokens; all characters outside of them are unknown.
		var best []int32
		most := math.Inf(-1)
		var try func(rest []rune, ids []int32, score float64)
		try = func(rest []rune, ids []int32, score float64) {
			if len(rest) == 0 {
				if score > most {
					most, best = score, slices.Clone(ids)
				}
				return
			}
			for id := 1; id < len(vocab); id++ {
				if n := len([]rune(vocab[id].token)); n <= len(rest) && string(rest[:n]) == vocab[id].token {
					try(rest[n:], append(ids, int32(id)), score+vocab[id].score)
				}
			}
			if !seen[string(rest[:1])] {
				if len(ids) == 0 || ids[len(ids)-1] != 0 {
					ids = append(ids, 0)
				}
				try(rest[1:], ids, score+worst-10)
			}
		}
		try(text, nil, 0)
		got := tok.Append(nil, string(text))
		score := func(ids []int32) (sum float64) {
			covered := 0
			for _, id := range ids {
				if id != 0 {
					sum += vocab[id].score
					covered += len([]rune(vocab[id].token))
				}
			}
			return sum + float64(len(text)-covered)*(worst-10)
		}
		// Two ways may be equally good.
		if score(got) != score(best) {
			t.Fatalf("%q with %v: %v, want %v", string(text), vocab, got, best)
		}
	}
}

func TestUnigramOfUnknownCharacters(t *testing.T) {
	vocab := `[["<unk>",0],["a",-1],["xy",-30],["<0x7A>",-2],["ab",-1.5],["b",-1]]`
	tok := parse(t, `{"model":{"type":"Unigram","unk_id":0,"vocab":`+vocab+`}}`)
	for text, want := range map[string][]int32{
		"aab": {1, 4},
		"zzz": {0},
		"azb": {1, 0, 5},
		"xy":  {2}, // one token is better than two unknown ones
		"x":   {0},
	} {
		if diff := cmp.Diff(want, tok.Append(nil, text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if _, ok := tok.Unknown(); ok {
		t.Error("the unknown token of Unigram has a name")
	}
	tok = parse(t, `{"model":{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":`+vocab+`}}`)
	if diff := cmp.Diff([]int32{1, 3, 3, 5, 0}, tok.Append(nil, "azzbé")); diff != "" {
		t.Error(diff)
	}
	tok = parse(t, `{"model":{"type":"Unigram","unk_id":null,"vocab":`+vocab+`}}`)
	if diff := cmp.Diff([]int32{1, 5}, tok.Append(nil, "aéb")); diff != "" {
		t.Error(diff)
	}
}

// TestBPEAgainstRepeatedSearch joins the pair of the lowest rank, the leftmost of them, again and again.
func TestBPEAgainstRepeatedSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		tokens := []string{"a", "b", "c", "é"}
		var merges []pair
		for range random.IntN(12) {
			p := pair{tokens[random.IntN(len(tokens))], tokens[random.IntN(len(tokens))]}
			if slices.Contains(tokens, p.left+p.right) {
				continue
			}
			merges = append(merges, p)
			tokens = append(tokens, p.left+p.right)
		}
		vocab := map[string]int{}
		for i, s := range tokens {
			vocab[s] = i
		}
		lines := []any{}
		for _, m := range merges {
			lines = append(lines, []string{m.left, m.right})
		}
		data, err := json.Marshal(map[string]any{"model": map[string]any{"type": "BPE", "vocab": vocab, "merges": lines}})
		if err != nil {
			t.Fatal(err)
		}
		tok := parse(t, string(data))
		var word []string
		for range random.IntN(12) {
			word = append(word, []string{"a", "b", "c", "é"}[random.IntN(4)])
		}
		text := strings.Join(word, "")
		for again := true; again; {
			again = false
			for _, m := range merges {
				at := -1
				for i := range len(word) - 1 {
					if word[i] == m.left && word[i+1] == m.right {
						at = i
						break
					}
				}
				if at >= 0 {
					word = slices.Replace(word, at, at+2, m.left+m.right)
					again = true
					break
				}
			}
		}
		var want []int32
		for _, s := range word {
			want = append(want, int32(vocab[s]))
		}
		if diff := cmp.Diff(want, tok.Append(nil, text)); diff != "" {
			t.Fatalf("%q with %v: %s", text, merges, diff)
		}
	}
}

func TestBPEOptions(t *testing.T) {
	for _, c := range []struct {
		options, text string
		want          []int32
	}{
		{``, "abx", []int32{3}},
		{`"unk_token":"?",`, "axyb", []int32{1, 0, 0, 2}},
		{`"unk_token":"?","fuse_unk":true,`, "axyb", []int32{1, 0, 2}},
		{`"byte_fallback":true,"unk_token":"?",`, "ax~", []int32{1, 0, 5}},
		{`"end_of_word_suffix":"</w>",`, "ab", []int32{1, 6}},
		{`"continuing_subword_prefix":"@",`, "ab", []int32{1, 7}},
		{`"ignore_merges":true,`, "aab", []int32{8}},
		{``, "aab", []int32{1, 3}},
	} {
		merges := `["a b"]`
		if strings.Contains(c.options, "prefix") {
			merges = `[]`
		}
		tok := parse(t, `{"model":{"type":"BPE",`+c.options+`"merges":`+merges+`,"vocab":{"?":0,"a":1,"b":2,"ab":3,"<0x7E>":5,"b</w>":6,"@b":7,"aab":8}}}`)
		if diff := cmp.Diff(c.want, tok.Append(nil, c.text)); diff != "" {
			t.Errorf("%s %q: %s", c.options, c.text, diff)
		}
	}
}

func TestAddedTokens(t *testing.T) {
	file := wordLevelFile(`"normalizer":{"type":"Lowercase"},"pre_tokenizer":{"type":"WhitespaceSplit"},"added_tokens":[
		{"id":50,"content":"[X]","special":true},
		{"id":51,"content":"[X]Y","special":true},
		{"id":52,"content":"New York","normalized":true},
		{"id":53,"content":"cat","single_word":true},
		{"id":54,"content":"<m>","lstrip":true,"rstrip":true},
		{"id":99,"content":"a"},
		{"id":55,"content":""}],`, "a", "b", "new", "york")
	tok := parse(t, file)
	for text, want := range map[string][]int32{
		"b [X] b":      {2, 50, 2},
		"b[X]Yb":       {2, 51, 2},
		"[x] b":        {0, 2}, // as it is written only
		"b NEW YORK b": {2, 52, 2},
		"new york":     {52},
		"new b york":   {3, 2, 4},
		"b cat b":      {2, 53, 2},
		"bcat_ cat-":   {0, 53, 0},
		"b <m> b":      {2, 54, 2},
		"b <m> <m>":    {2, 54, 54},
		"bab":          {2, 1, 2}, // the number in the vocabulary wins
	} {
		if diff := cmp.Diff(want, tok.Append(nil, text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if tok.Size() != 55 {
		t.Errorf("size %d", tok.Size())
	}
	// [UNK] a b new york; [X] [X]Y New York cat <m>: 1 1 3 3 3 3 4 4 5 8.
	if tok.MedianLength() != 3 {
		t.Errorf("median length %v", tok.MedianLength())
	}
	if got := parse(t, wordLevelFile(``, "ab", "é")).MedianLength(); got != 2 {
		t.Errorf("median length %v", got)
	}
	if got := parse(t, wordLevelFile(``, "abc", "é", "bb")).MedianLength(); got != 2.5 {
		t.Errorf("median length %v", got)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		file string
		want []int32
	}{
		{``, []int32{1, 2, 3}},
		{`"truncation":{"direction":"Right","max_length":2,"strategy":"LongestFirst","stride":0},`, []int32{1, 2}},
		{`"truncation":{"direction":"Left","max_length":2},`, []int32{2, 3}},
		{`"truncation":{"max_length":0},`, []int32{}},
		{`"truncation":{"max_length":3},"padding":{"strategy":"BatchLongest","direction":"Right","pad_to_multiple_of":null,"pad_id":0},`, []int32{1, 2, 3}},
		{`"padding":{"strategy":{"Fixed":5},"direction":"Right","pad_to_multiple_of":null,"pad_id":9},`, []int32{1, 2, 3, 9, 9}},
		{`"padding":{"strategy":{"Fixed":2},"direction":"Left","pad_to_multiple_of":4,"pad_id":9},`, []int32{9, 1, 2, 3}},
		{`"truncation":{"max_length":1},"padding":{"strategy":"BatchLongest","pad_to_multiple_of":2,"pad_id":9},`, []int32{1, 9}},
	} {
		tok := parse(t, wordLevelFile(c.file+`"pre_tokenizer":{"type":"WhitespaceSplit"},`, "a", "b", "c"))
		ids := tok.Append([]int32{}, "a b c")
		if diff := cmp.Diff([]int32{1, 2, 3}, ids); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(c.want, tok.Fit(ids)); diff != "" {
			t.Errorf("%s: %s", c.file, diff)
		}
	}
	for strategy, want := range map[string]int{`"BatchLongest"`: 1, `{"Fixed":3}`: 10} {
		if got := parse(t, wordLevelFile(`"padding":{"strategy":`+strategy+`,"pad_id":9},`)).Size(); got != want {
			t.Errorf("%s: size %d", strategy, got)
		}
	}
}

func TestFrame(t *testing.T) {
	template := `"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":1}},{"SpecialToken":{"id":"[SEP]","type_id":2}}],
		"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[11,12]},"[SEP]":{"id":"[SEP]","ids":[13]}}},`
	for _, c := range []struct {
		file string
		most int
		want Framed
	}{
		{template, 0, Framed{[]int32{11, 12, 1, 2, 3, 13}, []int32{0, 0, 1, 1, 1, 2}}},
		{template, 5, Framed{[]int32{11, 12, 1, 2, 13}, []int32{0, 0, 1, 1, 2}}},
		{template, 1, Framed{[]int32{11, 12, 13}, []int32{0, 0, 2}}},
		{``, 2, Framed{[]int32{1, 2}, []int32{0, 0}}},
		{`"post_processor":{"type":"BertProcessing","sep":["[SEP]",8],"cls":["[CLS]",7]},`, 0, Framed{[]int32{7, 1, 2, 3, 8}, make([]int32, 5)}},
		{`"post_processor":{"type":"Sequence","processors":[{"type":"ByteLevel"},{"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0]}]},`, 0, Framed{[]int32{0, 1, 2, 3, 2}, make([]int32, 5)}},
	} {
		got := parse(t, wordLevelFile(c.file)).Frame([]int32{1, 2, 3}, c.most)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.file, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	word := `"model":{"type":"WordLevel","unk_token":"a","vocab":{"a":0}}`
	nested := strings.Repeat(`{"type":"Sequence","normalizers":[`, 20) + strings.Repeat(`]}`, 20)
	for file, want := range map[string]string{
		``:                               "unexpected end",
		`{}`:                             "model: the file has no model",
		`{"model":{"type":"Magic"}}`:     `model: type "Magic" is not supported`,
		`{"model":{"type":"WordLevel"}}`: "there are no tokens",
		`{"model":{"type":"WordPiece","vocab":{"a":-1}}}`:                                                                     `token "a" has the number -1`,
		`{"model":{"type":"WordPiece","vocab":{"a":99999999}}}`:                                                               "99999999",
		`{"model":{"type":"WordPiece","vocab":{"a":1.5}}}`:                                                                    `token "a" has no number`,
		`{"model":{"type":"WordPiece","vocab":[1]}}`:                                                                          "unexpected",
		`{"model":{"type":"WordPiece","vocab":{"` + strings.Repeat("a", 1025) + `":1}}}`:                                      "1025 bytes",
		`{"model":{"type":"Unigram","vocab":[]}}`:                                                                             "vocabulary is empty",
		`{"model":{"type":"Unigram","unk_id":1,"vocab":[["a",0]]}}`:                                                           "unk_id 1 is outside",
		`{"model":{"type":"Unigram","vocab":[["a","b"]]}}`:                                                                    `token "a" has no score`,
		`{"model":{"type":"Unigram","vocab":[["a"]]}}`:                                                                        "a list of 1",
		`{"model":{"type":"Unigram","vocab":{"a":1}}}`:                                                                        "vocabulary is empty",
		`{"model":{"type":"WordPiece","vocab":7}}`:                                                                            "unexpected",
		`{"model":{"type":"WordPiece","vocab":[["a",0]]}}`:                                                                    "vocabulary with scores",
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}`:                                                           `merge 0 of "a" and "b": not in the vocabulary`,
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b c"]}}`:                                                         "not two tokens",
		`{"model":{"type":"BPE","vocab":{"a":0},"dropout":0.5}}`:                                                              "dropout",
		`{"normalizer":{"type":"Magic"},` + word + `}`:                                                                        `normalizer: type "Magic"`,
		`{"normalizer":{"type":"BertNormalizer"},` + word + `}`:                                                               "lacks clean_text",
		`{"normalizer":` + nested + `,` + word + `}`:                                                                          "nested deeper",
		`{"normalizer":{"type":"Replace","pattern":{},"content":""},` + word + `}`:                                            "needs String or Regex",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"a++"},"content":""},` + word + `}`:                               "nested repetition",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"a*"},"content":""},` + word + `}`:                                "empty text",
		`{"normalizer":{"type":"Replace","pattern":{"String":""},"content":""},` + word + `}`:                                 "empty text",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"(?<=a)b"},"content":""},` + word + `}`:                           "not supported",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"(?m:a.)"},"content":""},` + word + `}`:                           "flags",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"a[[b]]"},"content":""},` + word + `}`:                            "class in a class",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"\\bx"},"content":""},` + word + `}`:                              "word boundary",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"[^\\S]"},"content":""},` + word + `}`:                            "in a class",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"(a"},"content":""},` + word + `}`:                                "brackets",
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"^a|\\s+(?!\\S)"},"content":""},` + word + `}`:                    "anchor",
		`{"normalizer":{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("b", 65) + `"},` + word + `}`: "65 bytes",
		`{"pre_tokenizer":{"type":"UnicodeScripts"},` + word + `}`:                                                            `pre_tokenizer: type "UnicodeScripts"`,
		`{"pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Eaten"},` + word + `}`:                         `unknown behavior "Eaten"`,
		`{"pre_tokenizer":{"type":"Metaspace","replacement":"ab"},` + word + `}`:                                              "not one character",
		`{"pre_tokenizer":{"type":"ByteLevel"},` + word + `}`:                                                                 "lacks add_prefix_space",
		`{"post_processor":{"type":"TemplateProcessing","single":[]},` + word + `}`:                                           "the text is missing",
		`{"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x"}}]},` + word + `}`:                `"x" has no number`,
		`{"padding":{"strategy":"Longest"},` + word + `}`:                                                                     "padding: strategy \"Longest\" is not supported",
		`{"padding":{"strategy":{"Fixed":99999999}},` + word + `}`:                                                            "99999999",
		`{"padding":{"strategy":"BatchLongest","pad_id":-1},` + word + `}`:                                                    "pad_id is -1",
		`{"truncation":{"max_length":1,"direction":"Up"},` + word + `}`:                                                       `unknown direction "Up"`,
		`{"padding":{"strategy":"BatchLongest","direction":"Up"},` + word + `}`:                                               "padding",
		`{"truncation":{"max_length":-1},` + word + `}`:                                                                       "truncation",
		`{"added_tokens":[{"id":-1,"content":"b"}],` + word + `}`:                                                             `token "b" has the number -1`,
	} {
		if _, err := Parse([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %s", file, err, want)
		}
	}
}

func TestVocabularyAsPackageJSONReadsIt(t *testing.T) {
	for _, text := range []string{
		`{}`, ` { "a" : 1 , "\"\\\u00e9\ud83d\ude00\n": 2,"é\ud800":3,"":4}`, "{\"a\xffb\":-5,\"a\":1,\"a\":2}", `null`,
	} {
		want := map[string]int32{}
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		var got vocabFile
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if len(want)+len(got.numbered) > 0 && !maps.Equal(want, got.numbered) {
			t.Errorf("%s: %v, want %v", text, got.numbered, want)
		}
	}
	var got vocabFile
	if err := json.Unmarshal([]byte(` [ [ "a" , -1.5e1 ] ,["\u0062",2 ]]`), &got); err != nil {
		t.Fatal(err)
	}
	if want := []scored{{"a", -15}, {"b", 2}}; !slices.Equal(want, got.scored) {
		t.Errorf("%v", got.scored)
	}
}

func TestManyAtOnce(t *testing.T) {
	tok := parse(t, wordLevelFile(`"pre_tokenizer":{"type":"BertPreTokenizer"},`, "a", "b"))
	done := make(chan bool)
	for range 8 {
		go func() {
			ok := true
			for range 200 {
				ok = ok && slices.Equal(tok.Append(nil, "a b, a"), []int32{1, 2, 0, 1})
			}
			done <- ok
		}()
	}
	for range 8 {
		if !<-done {
			t.Error("tokens differ")
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(wordLevelFile(`"pre_tokenizer":{"type":"BertPreTokenizer"},`, "a")), "a b")
	f.Add([]byte(`{"pre_tokenizer":`+`{"type":"ByteLevel","add_prefix_space":true},"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}}`), "ab a")
	f.Add([]byte(`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"`+charsMap(map[string]string{"a": "b"})[:60]+`"},"model":{"type":"Unigram","unk_id":0,"vocab":[["a",-1],["b",-2]]}}`), "abc")
	f.Add([]byte(`{"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a|\\s+(?!\\S)|b"},"behavior":"MergedWithNext"},"model":{"type":"WordPiece","vocab":{"a":0,"##a":1}}}`), "aa  b")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		tok, err := Parse(file)
		if err != nil {
			return
		}
		ids := tok.Append(nil, text)
		for _, id := range ids {
			if id < 0 || int(id) >= tok.Size() {
				t.Fatalf("token %d of %d", id, tok.Size())
			}
		}
		if !slices.Equal(ids, tok.Append(nil, text)) {
			t.Fatal("not the same twice")
		}
	})
}
