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
	"slices"
	"syscall"

	"github.com/bytedance/sonic"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// A Manifest says what a store holds. Paths in it are tree paths (record.TreePath).
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
	// ChunkFiles are the files in chunks/ by name.
	ChunkFiles map[string]ChunkFile `json:"chunk_files"`
	// Shards are the files in shards/, in the order of the hash that chooses one.
	Shards []Shard `json:"-"`
	// Graph is the graph file; nil if there is none.
	Graph *GraphFile `json:"graph,omitempty"`
	// Skipped gives the reason for each file that is not indexed.
	Skipped map[string]string `json:"skipped"`
	// Files are all files, the skipped ones too.
	Files map[string]File `json:"files"`
	// FileChecksums holds the hex SHA-256 of each file whose chunks are known to be up to date.
	FileChecksums map[string]string `json:"file_checksums"`
}

// A Tree is one source tree of a store.
type Tree struct {
	// Settings holds the fingerprint of each stage by its name.
	Settings map[string]string `json:"settings"`
	Files    int               `json:"files"`
	Chunks   int               `json:"chunks"`
}

// A File is what the manifest keeps of a file record beside its checksum.
type File struct {
	Tree       string        `json:"tree,omitempty"`
	Status     record.Status `json:"status"`
	Language   string        `json:"language,omitempty"`
	Size       int64         `json:"size"`
	ErrorCount int           `json:"error_count,omitempty"`
	Reason     string        `json:"reason,omitempty"`
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
	// Languages counts by language; "" is counted as "other".
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

// A ChunkFile identifies the content of one chunk file.
type ChunkFile struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	// CRC32C (RFC 3720, hex) tells damage and foreign generations as well, and costs
	// readers a twentieth of the time.
	CRC32C string `json:"crc32c"`
	Chunks int    `json:"chunks"`
}

// codec is fast on the long maps of a manifest.
var codec = sonic.Config{CopyString: true, SortMapKeys: true, ValidateString: true}.Froze()

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

// maxManifest is the size in bytes up to which a manifest is written and read. A file takes some 220 bytes in it, so that is enough for
// 600,000 files.
const maxManifest = 128 << 20

// maxObjects and maxKeys bound the objects and keys in a manifest, since the shortest take twenty times as much memory as they take bytes. A
// file takes one object and some six keys.
const (
	maxObjects = 700_000
	maxKeys    = 5_000_000
)

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
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, errNoIndex(root.Name())
	case errors.As(err, &tooLarge), errors.Is(err, safeopen.ErrNotRegular):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, cause(err)), "remove it and index again: rm "+name+"; "+indexAll)
	case err != nil:
		return nil, nil, withCure(root.Name(), fmt.Errorf("read %s: %w", name, cause(err)))
	}
	m, err := decodeManifest(data)
	var newer *newerError
	if errors.As(err, &newer) {
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err),
			"use the newer cortex, or index again with this one: mv "+root.Name()+" "+root.Name()+".newer; "+indexAll)
	}
	if err != nil {
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err),
			"restore it from version control if it is kept there; or remove it and index again: rm "+name+"; "+indexAll)
	}
	return m, data, nil
}

type newerError struct{ version int }

func (e *newerError) Error() string {
	return fmt.Sprintf("the store has version %d, this cortex reads %d", e.version, Version)
}

func decodeManifest(data []byte) (*Manifest, error) {
	if n := bytes.Count(data, []byte("{")); n > maxObjects {
		return nil, fmt.Errorf("damaged manifest: %d objects, more than the %d that are read", n, maxObjects)
	}
	if n := bytes.Count(data, []byte(":")); n > maxKeys {
		return nil, fmt.Errorf("damaged manifest: %d keys, more than the %d that are read", n, maxKeys)
	}
	// The version alone first: later versions may have other types.
	var version struct {
		Version int `json:"version"`
	}
	if err := codec.Unmarshal(data, &version); err != nil {
		return nil, damagedJSON(data)
	}
	if version.Version > Version {
		return nil, &newerError{version.Version}
	}
	m := &Manifest{}
	if err := codec.Unmarshal(data, m); err != nil {
		return nil, damagedJSON(data)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("damaged manifest: %w", err)
	}
	if key, err := m.checkPaths(); err != nil {
		return nil, fmt.Errorf("damaged manifest: %s%w", lineOfKey(data, key), err)
	}
	m.Graph = readable(m.Graph)
	return m, nil
}

// damagedJSON names the line at which JSON is broken, which sonic does not.
func damagedJSON(data []byte) error {
	err := json.Unmarshal(data, &Manifest{})
	offset := int64(-1)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	if offset < 0 {
		return errors.New("damaged manifest: not valid JSON")
	}
	line := 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
	return fmt.Errorf("damaged manifest: line %d: %w", line, err)
}

// check makes sure of all that readers rely on.
func (m *Manifest) check() error {
	if m.Version < 1 {
		return fmt.Errorf("version %d", m.Version)
	}
	if m.Generation < 1 {
		return fmt.Errorf("generation %d", m.Generation)
	}
	if m.Dimensions < 0 {
		return fmt.Errorf("dimensions %d", m.Dimensions)
	}
	for _, name := range fileNames {
		f, ok := m.ChunkFiles[name]
		if !ok {
			return fmt.Errorf("chunk file %s is not named", name)
		}
		if !validDigest(f.SHA256) || f.Size < 0 || f.Chunks < 0 {
			return fmt.Errorf("chunk file %s: size or digest is none", name)
		}
	}
	if m.Graph != nil {
		return m.Graph.check()
	}
	return nil
}

// checkPaths makes sure that all paths are those of files in their trees. With the error comes the key that is at fault.
func (m *Manifest) checkPaths() (key string, err error) {
	for name := range m.Trees {
		if err := record.CheckTree(name); err != nil {
			return name, err
		}
	}
	for path, f := range m.Files {
		if err := record.CheckTreePath(f.Tree, path); err != nil {
			return path, err
		}
	}
	for _, others := range []map[string]string{m.FileChecksums, m.Skipped} {
		for path := range others {
			if _, known := m.Files[path]; known {
				continue
			}
			if err := record.CheckTreePath("", path); err != nil {
				return path, err
			}
		}
	}
	return "", nil
}

// lineOfKey is the line at which a key of a map stands in a manifest as encode writes it, as the beginning of an error; "" if it is
// not to be found.
func lineOfKey(data []byte, key string) string {
	quoted, err := codec.Marshal(key)
	if err != nil {
		return ""
	}
	at := bytes.Index(data, append(quoted, ':'))
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", 1+bytes.Count(data[:at], []byte("\n")))
}

// validDigest reports whether s is a SHA-256 in hex.
func validDigest(s string) bool {
	digest, err := hex.DecodeString(s)
	return err == nil && len(digest) == 32
}

// encodeHead writes the manifest up to what encodeFiles writes.
func (m *Manifest) encodeHead() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{\n")
	section := func(key string, value any) error {
		data, err := marshalIndent(value, "  ")
		if err != nil {
			return fmt.Errorf("encode manifest: %w", err)
		}
		fmt.Fprintf(&b, "  %q: %s,\n", key, data)
		return nil
	}
	graphFile := func() error {
		if m.Graph == nil {
			return nil
		}
		return section("graph", m.Graph)
	}
	err := cmp.Or(
		section("version", m.Version),
		section("generation", m.Generation),
		section("generated_at", m.GeneratedAt),
		section("model", m.Model),
		section("dimensions", m.Dimensions),
		section("settings", m.Settings),
		section("trees", m.Trees),
		section("stats", m.Stats),
		section("chunk_files", m.ChunkFiles),
		graphFile(),
	)
	return b.Bytes(), err
}

// encodeFiles writes the rest of the manifest, with one line for each file, so that it makes small
// differences under version control.
func (m *Manifest) encodeFiles() ([]byte, error) {
	var b bytes.Buffer
	b.Grow(256 * len(m.Files))
	err := cmp.Or(
		writeLines(&b, "skipped", m.Skipped, ",\n"),
		writeLines(&b, "files", m.Files, ",\n"),
		writeLines(&b, "file_checksums", m.FileChecksums, "\n}\n"),
	)
	return b.Bytes(), err
}

func marshalIndent(value any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	err := enc.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}

// writeLines writes a map with a line for each key.
func writeLines[V any](b *bytes.Buffer, name string, values map[string]V, end string) error {
	fmt.Fprintf(b, "  %q: {", name)
	separator := "\n"
	for _, key := range slices.Sorted(maps.Keys(values)) {
		k, err := codec.Marshal(key)
		if err != nil {
			return fmt.Errorf("encode manifest: %w", err)
		}
		v, err := codec.Marshal(values[key])
		if err != nil {
			return fmt.Errorf("encode manifest: %w", err)
		}
		b.WriteString(separator)
		b.WriteString("    ")
		b.Write(k)
		b.WriteString(": ")
		b.Write(v)
		separator = ",\n"
	}
	if len(values) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("}")
	b.WriteString(end)
	return nil
}

// derive fills in what follows from Files, from Trees and from a count of the chunks.
func (m *Manifest) derive(chunks tally) {
	m.Skipped = map[string]string{}
	m.Stats = Stats{Chunks: chunks.total, ChunksByType: chunks.types,
		FilesByStatus: map[record.Status]int{}, Languages: map[string]LanguageStats{}}
	if m.Dimensions > 0 {
		m.Stats.Unembedded = chunks.unembedded
	}
	for name, n := range chunks.languages {
		m.Stats.Languages[name] = LanguageStats{Chunks: n}
	}
	for name := range m.Trees {
		m.Trees[name] = Tree{Settings: m.Trees[name].Settings}
	}
	for name, n := range chunks.trees {
		tree := m.Trees[name]
		if tree.Settings == nil {
			tree.Settings = map[string]string{}
		}
		tree.Chunks = n
		m.Trees[name] = tree
	}
	for path, f := range m.Files {
		m.countFile(path, f)
	}
	m.Settings = m.commonSettings()
}

// tally is the count of the chunks from which the manifest was derived.
func (m *Manifest) tally() tally {
	t := newTally()
	t.total = m.Stats.Chunks
	if t.unembedded = m.Stats.Unembedded; m.Dimensions == 0 {
		t.unembedded = t.total
	}
	maps.Copy(t.types, m.Stats.ChunksByType)
	for name, l := range m.Stats.Languages {
		if l.Chunks > 0 {
			t.languages[name] = l.Chunks
		}
	}
	for name, tree := range m.Trees {
		if tree.Chunks > 0 {
			t.trees[name] = tree.Chunks
		}
	}
	return t
}

func (m *Manifest) countFile(path string, f File) {
	m.Stats.FilesByStatus[f.Status]++
	tree := m.Trees[f.Tree]
	tree.Files++
	m.Trees[f.Tree] = tree
	if f.Status == record.StatusSkipped {
		m.Skipped[path] = f.Reason
		return
	}
	m.Stats.Files++
	m.Stats.Bytes += f.Size
	language := m.Stats.Languages[languageKey(f.Language)]
	language.Files++
	language.Bytes += f.Size
	switch f.Status {
	case record.StatusPartial:
		language.Partial++
	case record.StatusError:
		language.Error++
	}
	m.Stats.Languages[languageKey(f.Language)] = language
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
	if !maps.Equal(a.Skipped, b.Skipped) || !maps.Equal(a.Files, b.Files) || !maps.Equal(a.FileChecksums, b.FileChecksums) {
		return false
	}
	x, y := *a, *b
	x.Generation, x.GeneratedAt = y.Generation, y.GeneratedAt
	left, err := x.encodeHead()
	if err != nil {
		return false
	}
	right, err := y.encodeHead()
	return err == nil && bytes.Equal(left, right)
}
