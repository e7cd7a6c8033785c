package update

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/layout"
)

func sorted(list []string) []string { slices.Sort(list); return list }

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// A state is a tree of files, as a full run would describe it.
type state struct {
	files map[string]*record.File
	parts map[string][]*record.Chunk
}

var letters = []string{"a", "ä", "é\"", "\\b", "\n", "\t", "\x01", "<b>", "日本", "z", " ", "~2", "😀", "/", "\u2028", "#"}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(letters[r.IntN(len(letters))])
	}
	return b.String()
}

func randomState(r *rand.Rand, n int) *state {
	s := &state{map[string]*record.File{}, map[string][]*record.Chunk{}}
	for range n {
		s.edit(r)
	}
	return s
}

func randomPath(r *rand.Rand) string {
	return path.Clean(fmt.Sprintf("dir%d/%sf%d.go", r.IntN(3), randomText(r, 2), r.IntN(12)))
}

// edit replaces a file by one with random chunks, or makes a file call another symbol and moves its lines.
func (s *state) edit(r *rand.Rand) string {
	path := randomPath(r)
	if before := s.files[path]; before != nil && before.Status.Indexed() && r.IntN(2) == 0 {
		f := *before
		f.SHA256, f.References = sum(r.IntN(1<<30)), nil
		for _, ref := range before.References {
			if ref.Relation == record.Calls || ref.Relation == record.Uses {
				ref.Name, ref.Lines = "a", []int{1 + r.IntN(9)}
			}
			f.References = append(f.References, ref)
		}
		s.files[path] = &f
		return path
	}
	f := &record.File{FilePath: path, Language: []string{"go", "python", ""}[r.IntN(3)], SHA256: sum(r.IntN(1 << 30)), Size: r.Int64N(5000),
		Status: []record.Status{"ok", "ok", "partial", "error", "unsupported", "skipped"}[r.IntN(6)]}
	s.files[path], s.parts[path] = f, nil
	if f.Status == record.StatusSkipped {
		f.Reason = []string{"binary", "too large"}[r.IntN(2)]
		return path
	}
	if f.Status == record.StatusPartial {
		f.ErrorCount = 1 + r.IntN(5)
	}
	randomFacts(r, f)
	for i := range r.IntN(5) {
		c := code(fmt.Sprintf("code-impl-%s#%s~%d", path, randomText(r, 3), i), path, randomText(r, 12))
		c.ChunkType = record.ChunkTypes[r.IntN(len(record.ChunkTypes))]
		c.Metadata.Language = f.Language
		c.Metadata.IsSplitParagraph = r.IntN(2) == 0
		c.Metadata.SymbolName = randomText(r, 4)
		if r.IntN(4) == 0 {
			c.Tags = nil
		}
		s.parts[path] = append(s.parts[path], c)
	}
	return path
}

// randomFacts sets random facts of a file.
func randomFacts(r *rand.Rand, f *record.File) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	name := func() string { return pick("a", "b", "Ä", "c\"", "d") }
	f.Package = pick("", "p", "q")
	var types []string
	for range r.IntN(4) {
		n, line := name(), 1+r.IntN(9)
		symbol := record.Symbol{Kind: record.Kinds[r.IntN(len(record.Kinds))], Name: n, QualifiedName: n, StartLine: line, EndLine: line + r.IntN(9), Exported: r.IntN(2) == 0}
		if len(types) > 0 && r.IntN(2) == 0 {
			symbol.Parent = pick(types...)
			symbol.QualifiedName = symbol.Parent + "." + n
		}
		types = append(types, symbol.QualifiedName)
		f.Symbols = append(f.Symbols, symbol)
	}
	for range r.IntN(6) {
		f.References = append(f.References, record.Reference{Relation: record.Relations[r.IntN(len(record.Relations))], Name: name(), Module: pick("", "m", "./b"),
			Receiver: pick("", "this", "(a)", "b.c()", "x"), Symbol: pick(append(types, "")...), Lines: []int{1 + r.IntN(9), 11 + r.IntN(9)}})
	}
	for range r.IntN(3) {
		f.Typings = append(f.Typings, record.Typing{Symbol: pick(append(types, "")...), Name: pick(name(), ""), Value: pick("(a)", "(b[])", "c()"), Signature: pick("", "", "() int"), Line: 1 + r.IntN(9)})
	}
	if r.IntN(5) == 0 {
		f.Mappings = []record.Mapping{{Module: "m", Path: "dir1"}}
	}
}

func (s *state) run(t testing.TB, mode record.Mode, paths []string, status func(path string) record.Status) string {
	items := []any{begin(mode, len(paths))}
	for _, path := range paths {
		f := *cmpOr(s.files[path], &record.File{FilePath: path})
		f.Status = status(path)
		items = append(items, &f)
		if f.Status.Indexed() {
			for _, c := range s.parts[path] {
				items = append(items, c)
			}
		}
	}
	return stream(t, append(items, end(len(paths)))...)
}

func cmpOr[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

func (s *state) full(t testing.TB) string {
	return s.run(t, record.Full, slices.Sorted(maps.Keys(s.files)), func(path string) record.Status { return s.files[path].Status })
}

// After any sequence of full, incremental and failed runs, the store equals the one that a full run of the last state
// makes in an empty folder, except for times.
func TestAnySequenceEqualsFresh(t *testing.T) {
	seeds := uint64(14)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		r := newRandom(seed)
		dir := newDir(t)
		s := randomState(r, 5)
		// In every other sequence a run does not stay in memory, and the number of shards changes.
		shards := func(o *Options) {
			if seed%2 == 1 {
				o.perShard, o.spoolMost = 2, 300
			}
		}
		mustApply(t, dir, s.full(t), at(1), shards)
		for range 6 {
			// unchanged has the files that the store has in this state.
			touched := map[string]bool{}
			for range r.IntN(4) {
				touched[s.edit(r)] = true
			}
			for _, path := range slices.Sorted(maps.Keys(s.files)) {
				if r.IntN(6) == 0 {
					delete(s.files, path)
					delete(s.parts, path)
					touched[path] = true
				}
			}
			status := func(path string) record.Status {
				switch f := s.files[path]; {
				case f == nil:
					return record.StatusDeleted
				case !touched[path] && f.Status.Indexed():
					return record.StatusUnchanged
				default:
					return f.Status
				}
			}
			incremental := s.run(t, record.Incremental, sorted(slices.Collect(maps.Keys(touched))), status)
			full := s.run(t, record.Full, slices.Sorted(maps.Keys(s.files)), status)
			if r.IntN(3) == 0 {
				// A stage that dies changes nothing.
				cut := strings.LastIndex(strings.TrimSpace(full), "\n") + 1
				if o := apply(t, dir, full[:cut]); len(o.reported) != 1 {
					t.Fatalf("seed %d: a cut stream: %s", seed, o.messages())
				}
			}
			mustApply(t, dir, []string{incremental, full, s.full(t)}[r.IntN(3)], at(2), shards)
			checkVerified(t, dir)
		}
		fresh := newDir(t)
		mustApply(t, fresh, s.full(t), at(2), shards)
		got, want := mustLoad(t, dir), mustLoad(t, fresh)
		for _, snap := range []*loaded{got, want} {
			snap.Manifest.Generation, snap.Manifest.GeneratedAt = 0, ""
			snap.Manifest.Shards = nil // times stand in them, and their number depends on that of before
			for _, c := range snap.Chunks {
				c.CreatedAt, c.UpdatedAt = "", ""
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		checkVerified(t, dir)
		if seed%2 == 0 {
			checkCatIsFixedPoint(t, dir)
		}
	}
}

// checkCatIsFixedPoint stores what Cat writes and compares the stores.
func checkCatIsFixedPoint(t testing.TB, dir string) {
	t.Helper()
	var b strings.Builder
	if err := store.Cat(context.Background(), dir, jsonl.NewWriter(&b), store.CatOptions{}); err != nil {
		t.Fatal(err)
	}
	again := newDir(t)
	mustApply(t, again, b.String(), at(9))
	want, got := contents(t, dir), contents(t, again)
	for _, all := range []map[string]string{want, got} {
		var m layout.Manifest
		if err := json.Unmarshal([]byte(all[layout.ManifestName]), &m); err != nil {
			t.Fatal(err)
		}
		m.Generation, m.GeneratedAt = 0, ""
		data, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		all[layout.ManifestName] = string(data)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("stored again: %s", diff)
	}
}
