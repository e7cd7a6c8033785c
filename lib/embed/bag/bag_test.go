package bag

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed/lexicon"
)

// small returns a model of a few words with random rows.
func small(tb testing.TB) *Parts {
	tb.Helper()
	p := &Parts{Name: "small-1", Dimensions: 96, Words: []string{"read", "line", "readline", "file", "parse", "größe", "日"}}
	r := rand.New(rand.NewPCG(3, 4))
	p.Rows = make([]byte, len(p.Words)*p.Dimensions)
	for i := range p.Rows {
		p.Rows[i] = byte(int8(r.IntN(255) - 127))
	}
	for part := range p.Weights {
		p.Weights[part] = make([]float32, len(p.Words)+Classes)
		for i := range p.Weights[part] {
			p.Weights[part][i] = float32(0.001 + 0.01*r.Float64())
		}
	}
	return p
}

func features(v *Vocabulary, side Side, text string) []Feature {
	return v.Features(nil, lexicon.NewCounter(), side, text)
}

// told writes features as row×count in part; rows of classes as the number of the class behind a ?.
func told(v *Vocabulary, features []Feature) string {
	var b strings.Builder
	for _, f := range features {
		b.WriteByte("qpnb"[f.Part])
		b.WriteByte(':')
		if int(f.Row) < v.Len() {
			b.WriteString(v.Words()[f.Row])
		} else {
			b.WriteByte('?')
			b.WriteByte('0' + byte(int(f.Row)-v.Len()))
		}
		if f.Count > 1 {
			b.WriteByte('*')
			b.WriteByte('0' + byte(f.Count))
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func TestFeatures(t *testing.T) {
	v := NewVocabulary(small(t).Words)
	for _, test := range []struct {
		side Side
		text string
		want string
	}{
		{Query, "", ""},
		{Query, "Read the file", "q:read q:?0 q:file"},
		{Query, "read READ Read", "q:read*3"},
		// The whole identifier is a word of the vocabulary or a class.
		{Query, "readLine parseFile", "q:read q:line q:readline q:parse q:file q:?3"},
		// What is unknown is a class and its pieces.
		{Query, "fileparser", "q:?2 q:file q:parse"},
		{Query, "xfilex", "q:?1 q:file"},
		{Query, "Größe größenordnung", "q:größe q:?2 q:größe"},
		{Query, "sha 256 日本", "q:?0 q:?4 q:日 q:?5 q:?5"},
		{Passage, "lib/file.c: read (function)\nparse file: line", "p:?0 p:file n:read n:?2 b:parse b:file b:line"},
		{Passage, "lib/file.c\nparse", "p:?0 p:file b:parse"},
		{Passage, "read/line/file/parse.c: x\n", "p:file p:parse"},
		{Passage, "/read", "p:read"},
		{Passage, "Read the file\nparse", "n:read n:?0 n:file b:parse"},
		{Passage, "file: \nline", "p:file b:line"},
		{Passage, " read\nline", "n:read b:line"},
		{Passage, "file", "p:file"},
		{Passage, "\nfile", "b:file"},
	} {
		if got := told(v, features(v, test.side, test.text)); got != test.want {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
	}
}

// TestBigrams finds bigrams in questions alone, where their words follow each other.
func TestBigrams(t *testing.T) {
	v := NewVocabulary([]string{"throw", "away", "file", "throw away"})
	for _, test := range []struct {
		side       Side
		text, want string
	}{
		{Query, "Throw away the file", "q:throw q:away q:?0 q:file q:throw away"},
		{Query, "throw_away", "q:throw q:away q:?3 q:throw away"},
		{Query, "away throw", "q:away q:throw"},
		{Query, "throw the file away", "q:throw q:?0 q:file q:away"},
		{Passage, "throw away", "n:throw n:away"},
	} {
		if got := told(v, features(v, test.side, test.text)); got != test.want {
			t.Errorf("%v %q: %s, not %s", test.side, test.text, got, test.want)
		}
	}
}

// The model's sums of whole numbers are near the formula in floating point.
func TestEncodeIsTheFormula(t *testing.T) {
	p := small(t)
	m := NewModel(p)
	e := m.NewEncoder()
	vector := make([]float32, p.Dimensions)
	for _, text := range []string{"read the file", "lib/x.go: parseFile (function)\nread a line of größe 日本 and read unknownwords", strings.Repeat("file ", 1000) + "line"} {
		for _, side := range []Side{Query, Passage} {
			want := formula(m, p, side, text, nil)
			if side == Query {
				want = formula(m, p, side, text, want)
			}
			e.Encode(vector, side, text)
			both, own, other := 0.0, 0.0, 0.0
			for i, x := range vector {
				both += want[i] * float64(x)
				own += want[i] * want[i]
				other += float64(x) * float64(x)
			}
			if cosine := both / math.Sqrt(own*other); cosine < 0.99999 || math.Abs(other-1) > 1e-5 {
				t.Errorf("%.20q: cosine %v, square %v", text, cosine, other)
			}
		}
	}
}

// formula returns the sum of the parts of a text, in which words count less by LikeWeight times their cosine to a vector.
func formula(m *Model, p *Parts, side Side, text string, beside []float64) []float64 {
	signs := make([]float32, p.Dimensions)
	var parts [PartCount][]float64
	for part := range parts {
		parts[part] = make([]float64, p.Dimensions)
	}
	for _, f := range features(m.Vocabulary(), side, text) {
		a, sum := float64(p.Weights[f.Part][f.Row])*math.Sqrt(float64(min(f.Count, maxRoot))), parts[f.Part]
		if int(f.Row) < len(p.Words) {
			row := make([]float64, p.Dimensions)
			for i := range row {
				row[i] = float64(int8(p.Rows[int(f.Row)*p.Dimensions+i]))
			}
			if beside != nil {
				a *= 1 - LikeWeight*product(row, beside)/math.Sqrt(product(row, row)*product(beside, beside))
			}
			for i := range sum {
				sum[i] += a * row[i]
			}
			continue
		}
		Signs(signs, f.Hash)
		for i := range sum {
			sum[i] += a * float64(signs[i])
		}
	}
	total := make([]float64, p.Dimensions)
	for _, sum := range parts {
		if square := product(sum, sum); square > 0 {
			for i, x := range sum {
				total[i] += x / math.Pow(square, 0.25)
			}
		}
	}
	return total
}

func product(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestEncodeNothing(t *testing.T) {
	p := small(t)
	e := NewModel(p).NewEncoder()
	vector := make([]float32, p.Dimensions)
	for _, text := range []string{"", " ", "\n", "{}", "x"} {
		e.Encode(vector, Passage, text)
		square := 0.0
		for _, x := range vector {
			square += float64(x * x)
		}
		if math.Abs(square-1) > 1e-5 {
			t.Errorf("%q has length %v", text, math.Sqrt(square))
		}
	}
}

func TestFileThereAndBack(t *testing.T) {
	p := small(t)
	data, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != p.Name || got.Dimensions != p.Dimensions || !slices.Equal(got.Words, p.Words) || !slices.Equal(got.Rows, p.Rows) {
		t.Errorf("got %q, %d, %q", got.Name, got.Dimensions, got.Words)
	}
	for part := range p.Weights {
		if !slices.Equal(got.Weights[part], p.Weights[part]) {
			t.Errorf("weights of part %d: got %v", part, got.Weights[part])
		}
	}
}

func TestEncodeChecks(t *testing.T) {
	for name, change := range map[string]func(*Parts){
		"rows":       func(p *Parts) { p.Rows = p.Rows[1:] },
		"weights":    func(p *Parts) { p.Weights[1] = p.Weights[1][1:] },
		"a line":     func(p *Parts) { p.Words[1] = "a\nb" },
		"dimensions": func(p *Parts) { p.Dimensions = 0; p.Rows = nil },
		"no words":   func(p *Parts) { p.Words, p.Rows = nil, nil },
		"infinite":   func(p *Parts) { p.Weights[0][0] = float32(math.Inf(1)) },
		"no number":  func(p *Parts) { p.Weights[0][0] = float32(math.NaN()) },
	} {
		p := small(t)
		change(p)
		if _, err := p.Encode(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// seal puts the checksum of a file right.
func seal(data []byte) []byte {
	body := data[:len(data)-4]
	return binary.LittleEndian.AppendUint32(slices.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

func TestReadDamaged(t *testing.T) {
	data, err := small(t).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for at := range data {
		wrong := slices.Clone(data)
		wrong[at] ^= 0x10
		if _, err := Read(wrong); err == nil {
			t.Fatalf("byte %d: no error", at)
		}
		if _, err := Read(data[:at]); err == nil {
			t.Fatalf("%d bytes: no error", at)
		}
	}
	// With a right checksum too, the numbers in front must fit.
	for at := len(magic); at < len(magic)+16; at++ {
		wrong := slices.Clone(data)
		wrong[at] ^= 0xc1
		if _, err := Read(seal(wrong)); err == nil {
			t.Errorf("number %d: no error", at)
		}
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("lib/x.go: parseFile (function)\nread 日本 größe x86_64")
	f.Add("\xff\xc3\x28: \n\n")
	m := NewModel(small(f))
	e := m.NewEncoder()
	vector := make([]float32, m.Dimensions())
	f.Fuzz(func(t *testing.T, text string) {
		for _, side := range []Side{Query, Passage} {
			e.Encode(vector, side, text)
			square := 0.0
			for _, x := range vector {
				square += float64(x) * float64(x)
			}
			if !(math.Abs(square-1) < 1e-4) {
				t.Errorf("%q has square %v", text, square)
			}
		}
	})
}
