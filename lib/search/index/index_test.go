package index

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/hint"
	"cortex/lib/record"
)

func TestMain(m *testing.M) { derivedtest.Main(m) }

// words returns an analysis whose terms are the words between blanks.
func words() *Analysis {
	scan := func(dict int, text string, emit func(dict int, term string, from, to int)) {
		for i, word := range strings.Fields(text) {
			emit(dict, word, 2*i, 2*i+1+len(word)%2)
		}
	}
	return &Analysis{
		Version: "words",
		Dicts:   []Dict{{Name: "text", Places: true, Length: 0}, {Name: "path", Shared: true, Places: true, Length: 1}, {Name: "title", Length: 0}},
		Terms: func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
			scan(0, c.Text, emit)
			scan(2, c.Title, emit)
		},
		PlaceTerms: func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
			scan(1, strings.ReplaceAll(c.Metadata.FilePath, "/", " "), emit)
		},
		Symbols: func(c *record.Chunk) iter.Seq[record.SymbolRef] { return slices.Values(c.Metadata.Symbols) },
		Traits:  func(c *record.Chunk) uint32 { return uint32(len(c.Tags)) },
		Name:    func(path string) iter.Seq[string] { return strings.SplitSeq(path, "/") },
	}
}

// randomChunks returns chunks of files with similar names, with identifiers of all forms.
func randomChunks(random *rand.Rand, files int) []*record.Chunk {
	names := []string{"a", "a b", "a.go", "a.go.orig", "a/b.go", "a~b", "b#1", "doc", "doc/a.md", "A.md", "é.md"}
	text := func() string {
		list := make([]string, random.IntN(12))
		for i := range list {
			list[i] = fmt.Sprint("word", random.IntN(30)*random.IntN(30))
		}
		return strings.Join(list, " ")
	}
	var chunks []*record.Chunk
	seen := map[string]bool{}
	for range files {
		path := fmt.Sprint(names[random.IntN(len(names))], []string{"", "", ".go", "/x.md", "!"}[random.IntN(5)])
		if seen[path] {
			continue
		}
		seen[path] = true
		for i := range 1 + random.IntN(6) {
			name := fmt.Sprint("Name", random.IntN(1000))
			c := &record.Chunk{
				Title: "title " + path, Text: text(), Tags: []string{"x", path}[:random.IntN(3)], EmbeddingModel: "m",
				Metadata: record.Metadata{FilePath: path, Language: []string{"go", ""}[random.IntN(2)], Tree: "t", StartLine: random.IntN(300), EndLine: 300 + i},
			}
			for range random.IntN(3) {
				c.Metadata.Symbols = append(c.Metadata.Symbols, record.SymbolRef{Name: name, Type: record.Function, Line: i})
			}
			switch random.IntN(7) {
			case 0:
				c.ID, c.ChunkType = fmt.Sprintf("doc-%s#%d~%d", record.IDPath(path), i, i), record.Documentation
			case 1:
				c.ID, c.ChunkType = fmt.Sprintf("code-definitions-%s~%d", record.IDPath(path), i), record.Definitions
			case 2:
				c.ID = fmt.Sprintf("%s-%d", path, i) // by another hand
			case 3:
				c.ID, c.ChunkType = fmt.Sprintf("code-symbols-%s~%d", record.IDPath(path), i), record.Symbols
			default:
				c.ID, c.ChunkType = fmt.Sprintf("code-impl-%s#%s~%d", record.IDPath(path), name, i), record.Implementations
			}
			if random.IntN(4) > 0 {
				c.Embedding = record.Embedding{float32(random.NormFloat64()), float32(random.NormFloat64()), 1}
			}
			chunks = append(chunks, c)
		}
	}
	slices.SortFunc(chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(chunks, func(a, b *record.Chunk) bool { return a.ID == b.ID })
}

// content returns everything that can be read from a generation, as text.
func content(t *testing.T, g *Generation) []string {
	t.Helper()
	var all []string
	order := make([]int, g.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, g.Compare)
	rank := make([]int, len(order))
	for i, chunk := range order {
		rank[chunk] = i
	}
	for _, i := range order {
		c, err := g.Chunk(i)
		if err != nil {
			t.Fatal(err)
		}
		start, end := g.Lines(i)
		var vector []string
		err = g.EachVector([]int{i}, func(chunk int, values []int8, scale float32) {
			vector = append(vector, fmt.Sprint(chunk == i, values, scale))
		})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(g.ID(i), g.ChunkType(i), g.FilePath(i), g.Language(i), g.Tree(i), slices.Collect(g.Tags(i)), slices.Collect(g.Symbols(i)),
			start, end, g.Traits(i), vector, c.Text))
		file := g.File(i)
		if named, ok := g.FileNamed(c.Metadata.FilePath); !ok || named != file || g.Path(file) != c.Metadata.FilePath || !slices.Contains(slices.Collect(g.Chunks(file)), i) || g.First(file) > i {
			t.Errorf("chunk %q is in file %d, %q", g.ID(i), file, g.Path(file))
		}
		if found, ok := g.Find(c.ID); !ok || found != i {
			t.Errorf("chunk %q is found as %d, %v, want %d", c.ID, found, ok, i)
		}
		if _, ok := g.Find(c.ID + "x"); ok {
			t.Errorf("chunk %q is found with a letter more", c.ID)
		}
		if last := g.LastLine(file); last < end {
			t.Errorf("file %q ends with line %d, a chunk with %d", g.Path(file), last, end)
		}
	}
	numberOf := map[string]uint32{}
	var known []string
	g.Names(func(word string) uint32 {
		n, ok := numberOf[word]
		if !ok {
			n = uint32(len(known))
			numberOf[word], known = n, append(known, word)
		}
		return n
	}, func(file uint32, numbers []uint32) {
		var name []string
		for _, n := range numbers {
			name = append(name, known[n])
		}
		if got := strings.Join(name, "/"); got != g.Path(file) {
			t.Errorf("file %q is named %q", g.Path(file), got)
		}
	})
	for f := ChunkType; f <= Tags; f++ {
		for _, value := range g.Values(f) {
			var chosen []int
			g.Select(f, func(v string) bool { return v == value }, func(first, end int) {
				for chunk := first; chunk < end; chunk++ {
					chosen = append(chosen, rank[chunk])
				}
			})
			slices.Sort(chosen)
			all = append(all, fmt.Sprint("facet ", f, " ", value, chosen))
		}
	}
	everything := func(string) bool { return true }
	for dict, of := range words().Dicts {
		terms, _, err := g.Text().Terms(1<<dict, "", everything, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range terms {
			term := own.Text
			line := fmt.Sprint(dict, " ", term)
			postings := map[int]string{}
			err := g.Text().Each(t.Context(), Share{}, dict, term, func(chunk, freq int, length float64) {
				postings[rank[chunk]] = fmt.Sprintf("%d*%d of %.6f", rank[chunk], freq, length)
			})
			if err == nil && of.Places {
				err = g.Text().Spans(t.Context(), Share{}, dict, term, func(int) bool { return true }, func(chunk int, spans []Span) { postings[rank[chunk]] += fmt.Sprint(spans) })
			}
			if err != nil {
				t.Fatal(err)
			}
			for chunk := range g.Len() {
				if p, ok := postings[chunk]; ok {
					line += "; " + p
				}
			}
			counts, err := g.Text().Counts([]string{"nowhere", term}, 1<<dict)
			if err != nil || counts[0][dict] != 0 || counts[1][dict] != len(postings) {
				t.Errorf("%q is in %d chunks, counted %v, %v", term, len(postings), counts, err)
			}
			all = append(all, line)
		}
		collect := func(term string) bool {
			all = append(all, term)
			return true
		}
		for _, word := range []string{"word1", "wrod12", "w", "xyz", ""} {
			for edits := 1; edits <= 2; edits++ {
				all = append(all, fmt.Sprint(dict, " near ", word, edits))
				if err := g.Text().Near(dict, word, edits, collect); err != nil {
					t.Fatal(err)
				}
			}
			all = append(all, fmt.Sprint(dict, " begins with ", word))
			terms, _, err := g.Text().Terms(1<<dict, word, func(term string) bool { return len(term)%2 == 1 }, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, term := range terms {
				collect(term.Text)
			}
		}
	}
	return all
}

// reference computes from the chunks, sorted by identifier, what content must return, except for near terms.
func reference(chunks []*record.Chunk) (rows []string, terms map[string]map[int]int) {
	terms = map[string]map[int]int{}
	facets := [Tags + 1]map[string][]int{}
	for f := range facets {
		facets[f] = map[string][]int{}
	}
	for i, c := range chunks {
		m := &c.Metadata
		values := [Tags + 1][]string{ChunkType: {string(c.ChunkType)}, Language: {m.Language}, Tree: {m.Tree}, Tags: slices.Compact(slices.Clone(c.Tags))}
		for _, s := range m.Symbols {
			values[SymbolType] = []string{string(s.Type)}
		}
		for f, list := range values {
			for _, value := range list {
				facets[f][value] = append(facets[f][value], i)
			}
		}
		rows = append(rows, fmt.Sprint(c.ID, c.ChunkType, m.FilePath, m.Language, m.Tree, slices.Collect(slices.Values(c.Tags)), slices.Collect(slices.Values(m.Symbols)),
			m.StartLine, m.EndLine, uint32(len(c.Tags))))
		add := func(dict int, term string, _, _ int) {
			key := fmt.Sprint(dict, " ", term)
			if terms[key] == nil {
				terms[key] = map[int]int{}
			}
			terms[key][i]++
		}
		words().Terms(c, add)
		words().PlaceTerms(c, add)
	}
	for f, values := range facets {
		for _, value := range slices.Sorted(maps.Keys(values)) {
			rows = append(rows, fmt.Sprint("facet ", f, " ", value, values[value]))
		}
	}
	return rows, terms
}

// rank returns the index of the chunk with the identifier.
func rank(chunks []*record.Chunk, id string) int {
	return slices.IndexFunc(chunks, func(c *record.Chunk) bool { return c.ID == id })
}

// TestSegments indexes the same chunks in one segment and in many, and compares the contents with the chunks.
func TestSegments(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 1))
		chunks := randomChunks(random, 1+random.IntN(60))
		var want []string
		for _, shards := range []int{1, 2, 9} {
			shuffled := slices.Clone(chunks)
			random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			g, err := New(shuffled, "m", 3, shards, words())
			if err != nil {
				t.Fatal(err)
			}
			got := content(t, g)
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %d segments:\n%s", seed, shards, diff)
			}
			rows, terms := reference(chunks)
			for i, row := range rows {
				if !strings.HasPrefix(got[i], row) {
					t.Errorf("seed %d: chunk %d is %s, want %s", seed, i, got[i], row)
				}
			}
			for key, in := range terms {
				dict, term := int(key[0]-'0'), key[2:]
				found := map[int]int{}
				if err := g.Text().Each(t.Context(), Share{}, dict, term, func(chunk, freq int, _ float64) { found[rank(chunks, g.ID(chunk))] = freq }); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(in, found); diff != "" {
					t.Errorf("seed %d, %s:\n%s", seed, key, diff)
				}
				near := 0
				err := g.Text().Near(dict, term, 1, func(other string) bool {
					if hint.Distance(term, other, 1) <= 1 {
						near++
					}
					return true
				})
				want := 0
				for other := range terms {
					if other[0] == key[0] && hint.Distance(term, other[2:], 1) <= 1 {
						want++
					}
				}
				if err != nil || near != want {
					t.Errorf("seed %d: %d terms near %s, want %d, %v", seed, near, key, want, err)
				}
			}
		}
	}
}

// TestSegmentsAreReproducible builds a segment twice and compares the bytes.
func TestSegmentsAreReproducible(t *testing.T) {
	chunks := randomChunks(rand.New(rand.NewPCG(5, 5)), 30)
	make := func() []byte {
		b := newBuilder(words(), "m", 3)
		for _, c := range chunks {
			if err := b.add(row{chunk: c}); err != nil {
				t.Fatal(err)
			}
		}
		data, err := b.finish()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if !bytes.Equal(make(), make()) {
		t.Error("two segments of the same chunks differ")
	}
}
