package store

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"syscall"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/safeopen"
	"cortex/lib/store/shard"
)

// A Manifest says what a store holds. Its size does not depend on the number of files.
type Manifest struct {
	// Version is the version of the format on disk.
	Version int `json:"version"`
	// Generation counts the commits.
	Generation int64 `json:"generation"`
	// GeneratedAt is the time of the last commit, RFC 3339 in UTC.
	GeneratedAt string `json:"generated_at"`
	// Model and Dimensions are those of every embedding; "" and 0 in a store without. A chunk may have none.
	Model      string `json:"model"`
	Dimensions int    `json:"dimensions"`
	// Settings holds the fingerprints, by stage, in which all trees agree.
	Settings map[string]string `json:"settings"`
	// Trees are the trees by name; a store of one tree has "".
	Trees map[string]Tree `json:"trees"`
	Stats Stats           `json:"stats"`
	// Shards are the files in shards/, in the order of the hash that chooses one (shard.Of).
	Shards []Shard `json:"shards"`
}

// A Tree is one source tree of a store.
type Tree struct {
	// Settings holds the fingerprint of each stage by its name.
	Settings map[string]string `json:"settings"`
	// Again tells that the next run is to bring all files again, whatever their checksums say.
	Again  bool `json:"again,omitempty"`
	Files  int  `json:"files"`
	Chunks int  `json:"chunks"`
}

// Stats are counts over the whole store.
type Stats struct {
	// Files and Bytes count the indexed files, without the skipped.
	Files  int   `json:"files"`
	Bytes  int64 `json:"bytes"`
	Chunks int   `json:"chunks"`
	// Unembedded counts the chunks without an embedding in a store that has some.
	Unembedded int `json:"unembedded,omitempty"`
	// FilesByStatus counts all files, ChunksByType all chunks.
	FilesByStatus map[record.Status]int    `json:"files_by_status"`
	ChunksByType  map[record.ChunkType]int `json:"chunks_by_type"`
	// Languages counts by language of the file; "" is counted as "other".
	Languages map[string]LanguageStats `json:"languages"`
}

// LanguageStats are the counts of one language.
type LanguageStats struct {
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
	Chunks  int   `json:"chunks"`
	Partial int   `json:"partial"`
	Error   int   `json:"error"`
}

// A Shard is one file of the store: the records of the files whose tree paths the hash puts there.
type Shard struct {
	// Name is that of the file in shards/.
	Name string `json:"name"`
	Size int64  `json:"size"`
	// Digest is the hex SHA-256 of the content.
	Digest string `json:"digest"`
	// Files counts the files, Chunks their chunks.
	Files  int `json:"files"`
	Chunks int `json:"chunks"`
}

// ReadManifest reads the manifest of the store in dir. The error of a store that does
// not exist is fs.ErrNotExist.
func ReadManifest(dir string) (Manifest, error) {
	root, err := openStore(dir)
	if err != nil {
		return Manifest{}, err
	}
	defer root.Close()
	m, _, err := readManifest(root)
	if err != nil {
		return Manifest{}, err
	}
	return *m, nil
}

// maxManifest is the size in bytes up to which a manifest is read: with 256 shards it has some 50 KB, and what trees and languages there are besides.
const maxManifest = 4 << 20

// cureOfLink goes with the error about a store's folder that is a link, which may lead anywhere in a repository that is not trusted.
const cureOfLink = "remove the link and name the folder that it leads to with --store"

// openStore opens the folder of a store for reading.
func openStore(dir string) (*safeopen.Root, error) {
	root, err := safeopen.OpenFolder(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, errNoIndex(dir)
	case errors.Is(err, safeopen.ErrLink):
		return nil, hint.Wrap(fmt.Errorf("open store %s: %w", dir, safeopen.ErrLink), cureOfLink)
	}
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", dir, cause(err))
	}
	return root, nil
}

// cause is err without the operation and the path that package os adds.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// readManifest returns the manifest, checked, and its bytes.
func readManifest(root *safeopen.Root) (*Manifest, []byte, error) {
	name := root.Name() + "/" + ManifestName
	data, err := root.Read(ManifestName, maxManifest)
	var tooLarge *safeopen.SizeError
	again := "remove it and index again: rm " + name + "; " + indexAll
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, errNoIndex(root.Name())
	case errors.As(err, &tooLarge) && isOlder(root):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, &olderError{1}), "index again, which makes it anew: "+indexAll)
	case errors.As(err, &tooLarge), errors.Is(err, safeopen.ErrNotRegular):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, cause(err)), again)
	case err != nil:
		return nil, nil, withCure(root.Name(), fmt.Errorf("read %s: %w", name, cause(err)))
	}
	m, err := decodeManifest(data)
	var newer *newerError
	var older *olderError
	switch {
	case errors.As(err, &newer):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err),
			"use the newer cortex, or index again with this one: mv "+root.Name()+" "+root.Name()+".newer; "+indexAll)
	case errors.As(err, &older):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err), "index again, which makes it anew: "+indexAll)
	case err != nil:
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err), "restore it from version control if it is kept there; or "+again)
	}
	return m, data, nil
}

// isOlder reports whether a large manifest is of the version that lists files.
func isOlder(root *safeopen.Root) bool {
	begin, _, err := root.Head(ManifestName, 100)
	return err == nil && bytes.HasPrefix(begin, []byte("{\n  \"version\": 1,\n"))
}

type newerError struct{ version int }

func (e *newerError) Error() string {
	return fmt.Sprintf("the store has version %d, this cortex reads %d", e.version, Version)
}

// olderError is that of a store in a form that is not read any more.
type olderError struct{ version int }

func (e *olderError) Error() string {
	return fmt.Sprintf("the store has version %d, this cortex reads %d", e.version, Version)
}

func decodeManifest(data []byte) (*Manifest, error) {
	// The version alone first: other versions may have other types.
	var version struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, damagedJSON(data, err)
	}
	switch v := version.Version; {
	case v > Version:
		return nil, &newerError{v}
	case v > 0 && v < Version:
		return nil, &olderError{v}
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, damagedJSON(data, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("damaged manifest: %w", err)
	}
	return m, nil
}

// damagedJSON names the line at which JSON is broken.
func damagedJSON(data []byte, err error) error {
	offset := int64(len(data))
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	line := 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
	return fmt.Errorf("damaged manifest: line %d: %w", line, err)
}

// check makes sure of all that readers rely on.
func (m *Manifest) check() error {
	switch n := len(m.Shards); {
	case m.Version < 1:
		return fmt.Errorf("version %d", m.Version)
	case m.Generation < 1:
		return fmt.Errorf("generation %d", m.Generation)
	case m.Dimensions < 0:
		return fmt.Errorf("dimensions %d", m.Dimensions)
	case n < 1 || n > shard.Most || n&(n-1) != 0:
		return fmt.Errorf("%d shards", n)
	}
	for i, s := range m.Shards {
		digest, err := hex.DecodeString(s.Digest)
		if s.Name != shardName(i) || err != nil || len(digest) != 32 || s.Size < 0 || s.Files < 0 || s.Chunks < 0 {
			return fmt.Errorf("shard %d: name, size or digest is none", i)
		}
	}
	for name := range m.Trees {
		if err := record.CheckTree(name); err != nil {
			return err
		}
	}
	return nil
}

// validDigest reports whether s is a SHA-256 in hex.
func validDigest(s string) bool {
	digest, err := hex.DecodeString(s)
	return err == nil && len(digest) == 32
}

// encode writes the manifest with one line for each shard, so that it makes small differences under version control.
func (m *Manifest) encode() ([]byte, error) {
	head := *m
	head.Shards = nil
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(head); err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	b.Truncate(b.Len() - len("null\n}\n"))
	for i, s := range m.Shards {
		line, err := json.Marshal(s)
		if err != nil {
			return nil, fmt.Errorf("encode manifest: %w", err)
		}
		fmt.Fprintf(&b, "%s\n    %s", map[bool]string{true: "[", false: ","}[i == 0], line)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}

// newStats are counts of nothing.
func newStats() Stats {
	return Stats{FilesByStatus: map[record.Status]int{}, ChunksByType: map[record.ChunkType]int{}, Languages: map[string]LanguageStats{}}
}

// A tally counts files and chunks. Counts of what goes are taken away from those of what was.
type tally struct {
	stats      Stats
	unembedded int
	trees      map[string]Tree
}

func newTally() *tally { return &tally{stats: newStats(), trees: map[string]Tree{}} }

// tally is the count from which the manifest was made.
func (m *Manifest) tally() *tally {
	t := newTally()
	t.stats.Files, t.stats.Bytes, t.stats.Chunks = m.Stats.Files, m.Stats.Bytes, m.Stats.Chunks
	maps.Copy(t.stats.FilesByStatus, m.Stats.FilesByStatus)
	maps.Copy(t.stats.ChunksByType, m.Stats.ChunksByType)
	maps.Copy(t.stats.Languages, m.Stats.Languages)
	for name, tree := range m.Trees {
		t.trees[name] = Tree{Files: tree.Files, Chunks: tree.Chunks}
	}
	if t.unembedded = m.Stats.Unembedded; m.Dimensions == 0 {
		t.unembedded = t.stats.Chunks
	}
	return t
}

// count adds the file as often as n says, which may be negative.
func (t *tally) count(f *shard.File, n int) {
	chunks := f.Total()
	t.stats.Chunks += n * chunks
	t.unembedded += n * f.Unembedded
	for i, k := range f.Chunks {
		add(t.stats.ChunksByType, record.ChunkTypes[i], n*k)
	}
	tree := t.trees[f.Tree]
	language := t.stats.Languages[languageKey(f.Record.Language)]
	tree.Chunks += n * chunks
	language.Chunks += n * chunks
	if status := f.Record.Status; status != "" {
		add(t.stats.FilesByStatus, status, n)
		tree.Files += n
		if status != record.StatusSkipped {
			t.stats.Files += n
			t.stats.Bytes += int64(n) * f.Record.Size
			language.Files += n
			language.Bytes += int64(n) * f.Record.Size
		}
		switch status {
		case record.StatusPartial:
			language.Partial += n
		case record.StatusError:
			language.Error += n
		}
	}
	t.trees[f.Tree] = tree
	if t.stats.Languages[languageKey(f.Record.Language)] = language; language == (LanguageStats{}) {
		delete(t.stats.Languages, languageKey(f.Record.Language))
	}
}

// negate turns all counts around.
func (t *tally) negate() *tally {
	n := newTally()
	n.stats.Files, n.stats.Bytes, n.stats.Chunks, n.unembedded = -t.stats.Files, -t.stats.Bytes, -t.stats.Chunks, -t.unembedded
	for key, k := range t.stats.FilesByStatus {
		n.stats.FilesByStatus[key] = -k
	}
	for key, k := range t.stats.ChunksByType {
		n.stats.ChunksByType[key] = -k
	}
	for key, l := range t.stats.Languages {
		n.stats.Languages[key] = LanguageStats{-l.Files, -l.Bytes, -l.Chunks, -l.Partial, -l.Error}
	}
	for key, tree := range t.trees {
		n.trees[key] = Tree{Files: -tree.Files, Chunks: -tree.Chunks}
	}
	return n
}

// merge adds the counts of other, which may be negative.
func (t *tally) merge(other *tally) {
	t.stats.Files += other.stats.Files
	t.stats.Bytes += other.stats.Bytes
	t.stats.Chunks += other.stats.Chunks
	t.unembedded += other.unembedded
	for key, n := range other.stats.FilesByStatus {
		add(t.stats.FilesByStatus, key, n)
	}
	for key, n := range other.stats.ChunksByType {
		add(t.stats.ChunksByType, key, n)
	}
	for key, o := range other.stats.Languages {
		l := t.stats.Languages[key]
		l = LanguageStats{l.Files + o.Files, l.Bytes + o.Bytes, l.Chunks + o.Chunks, l.Partial + o.Partial, l.Error + o.Error}
		if t.stats.Languages[key] = l; l == (LanguageStats{}) {
			delete(t.stats.Languages, key)
		}
	}
	for name, o := range other.trees {
		tree := t.trees[name]
		t.trees[name] = Tree{Files: tree.Files + o.Files, Chunks: tree.Chunks + o.Chunks}
	}
}

// add adds n to a count, which stands in the map if it is not 0.
func add[K comparable](counts map[K]int, key K, n int) {
	if counts[key] += n; counts[key] == 0 {
		delete(counts, key)
	}
}

// take fills in what follows from the count.
func (m *Manifest) take(t *tally) {
	m.Stats = t.stats
	if m.Dimensions > 0 {
		m.Stats.Unembedded = t.unembedded
	}
	for name, tree := range t.trees {
		is, known := m.Trees[name]
		if !known {
			if tree.Files == 0 && tree.Chunks == 0 {
				continue
			}
			is.Settings = map[string]string{}
		}
		is.Files, is.Chunks = tree.Files, tree.Chunks
		m.Trees[name] = is
	}
	m.Settings = m.commonSettings()
}

func languageKey(language string) string { return cmp.Or(language, "other") }

// commonSettings are the settings on which all trees agree.
func (m *Manifest) commonSettings() map[string]string {
	common := map[string]string{}
	first := true
	for _, tree := range m.Trees {
		if first {
			maps.Copy(common, tree.Settings)
			first = false
			continue
		}
		for stage, fingerprint := range common {
			if tree.Settings[stage] != fingerprint {
				delete(common, stage)
			}
		}
	}
	return common
}

// sameContent reports whether two manifests differ in nothing but generation and time.
func sameContent(a, b *Manifest) bool {
	x, y := *a, *b
	x.Generation, x.GeneratedAt = y.Generation, y.GeneratedAt
	left, err := x.encode()
	if err != nil {
		return false
	}
	right, err := y.encode()
	return err == nil && bytes.Equal(left, right)
}

// newPath is where the content of a shard stands until it is put in its place after the commit.
func newPath(s *Shard) string { return shardsDir + "/." + s.Name + "." + s.Digest[:16] + newSuffix }
