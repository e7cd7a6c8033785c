package layout

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

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
	// Model and Dimensions describe every embedding; "" and 0 in a store without embeddings. Chunks may lack an
	// embedding.
	Model      string `json:"model"`
	Dimensions int    `json:"dimensions"`
	// Settings holds the fingerprints, by stage, in which all trees agree.
	Settings map[string]string `json:"settings"`
	// Trees has the trees by name. The tree of a store with a single tree may have the name "".
	Trees map[string]Tree `json:"trees"`
	Stats Stats           `json:"stats"`
	// Shards are the files in shards/, in the order of the numbers that shard.Of returns.
	Shards []Shard `json:"shards"`
}

// A Tree is one source tree of a store.
type Tree struct {
	// Settings holds the fingerprints by stage.
	Settings map[string]string `json:"settings"`
	// Again says that the next run must index all files again, whatever their checksums are.
	Again  bool `json:"again,omitempty"`
	Files  int  `json:"files"`
	Chunks int  `json:"chunks"`
}

// Stats are counts over the whole store.
type Stats struct {
	// Files and Bytes count the indexed files, without the skipped ones.
	Files  int   `json:"files"`
	Bytes  int64 `json:"bytes"`
	Chunks int   `json:"chunks"`
	// Unembedded counts the chunks without an embedding in a store that has some.
	Unembedded int `json:"unembedded,omitempty"`
	// FilesByStatus counts all files, ChunksByType all chunks.
	FilesByStatus map[record.Status]int    `json:"files_by_status"`
	ChunksByType  map[record.ChunkType]int `json:"chunks_by_type"`
	// Languages has the counts by language of the file; "" is counted as "other".
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

// A Shard is one file of the store. It has the records of the files whose tree paths hash to it.
type Shard struct {
	// Name is the name of the file in shards/.
	Name string `json:"name"`
	Size int64  `json:"size"`
	// Digest is the hex SHA-256 of the content.
	Digest string `json:"digest"`
	// Files counts the files, Chunks their chunks.
	Files  int `json:"files"`
	Chunks int `json:"chunks"`
}

// MaxManifest is the greatest size in bytes of a manifest that is read. A manifest of 256 shards has some 50 KB, plus
// the trees and languages.
const MaxManifest = 4 << 20

// CureOfLink is the hint for a store's folder that is a symbolic link. Such a link is not followed, since in an
// untrusted repository it may lead anywhere.
const CureOfLink = "remove the link and name the folder that it leads to with --store"

// Cause returns err without the operation and the path that package os adds.
func Cause(err error) error {
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

// ReadManifest returns the manifest, after checking it, and its bytes.
func ReadManifest(root *safeopen.Root) (*Manifest, []byte, error) {
	name := root.Name() + "/" + ManifestName
	data, err := root.Read(ManifestName, MaxManifest)
	var tooLarge *safeopen.SizeError
	folder, all := ShellWord(root.Name()), InFolder(root.Name(), IndexAll)
	again := "remove it and index again: rm " + folder + "/" + ManifestName + "; " + all
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, NoIndex(root.Name())
	case errors.As(err, &tooLarge) && isOlder(root):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, &OlderError{1}), "index again, which rebuilds it: "+all)
	case errors.As(err, &tooLarge), errors.Is(err, safeopen.ErrNotRegular), errors.Is(err, safeopen.ErrLink):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, Cause(err)), again)
	case err != nil:
		return nil, nil, WithCure(root.Name(), fmt.Errorf("read %s: %w", name, Cause(err)))
	}
	m, err := decodeManifest(data)
	var newer *newerError
	var older *OlderError
	switch {
	case errors.As(err, &newer):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err),
			"use the newer cortex, or index again with this one: mv "+folder+" "+ShellWord(root.Name()+".newer")+"; "+all)
	case errors.As(err, &older):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err), "index again, which rebuilds it: "+all)
	case err != nil && bytes.Contains(data, []byte("\n<<<<<<< ")):
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err), "take one side of the merge and bring it up to date: git checkout --ours "+folder+" && "+InFolder(root.Name(), IndexAgain))
	case err != nil:
		return nil, nil, hint.Wrap(fmt.Errorf("read %s: %w", name, err), "restore it from version control if it is kept there; or "+again)
	}
	return m, data, nil
}

// isOlder reports whether a manifest that is too large has version 1, which lists all files.
func isOlder(root *safeopen.Root) bool {
	begin, _, err := root.Head(ManifestName, 100)
	return err == nil && bytes.HasPrefix(begin, []byte("{\n  \"version\": 1,\n"))
}

// ErrDamagedManifest is wrapped by the error about a manifest that no version of Cortex writes.
var ErrDamagedManifest = errors.New("damaged manifest")

type newerError struct{ version int }

func (e *newerError) Error() string {
	return fmt.Sprintf("the store has version %d, this cortex reads %d", e.version, Version)
}

// OlderError is the error of a store in an older format, which is not read any more.
type OlderError struct{ version int }

func (e *OlderError) Error() string {
	return fmt.Sprintf("the store has version %d, this cortex reads %d", e.version, Version)
}

func decodeManifest(data []byte) (*Manifest, error) {
	// Decode the version first: the fields of other versions may have other types.
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
		return nil, &OlderError{v}
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, damagedJSON(data, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamagedManifest, err)
	}
	return m, nil
}

// damagedJSON returns an error that names the line at which the JSON is invalid.
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
	return fmt.Errorf("%w: line %d: %w", ErrDamagedManifest, line, err)
}

// MaxDimensions is the greatest number of dimensions of a store's embeddings. A reader allocates so many bytes for a
// chunk.
const MaxDimensions = 1 << 16

// check checks everything that readers rely on.
func (m *Manifest) check() error {
	switch n := len(m.Shards); {
	case m.Version < 1:
		return fmt.Errorf("version %d", m.Version)
	case m.Generation < 1:
		return fmt.Errorf("generation %d", m.Generation)
	case m.Dimensions < 0 || m.Dimensions > MaxDimensions:
		return fmt.Errorf("dimensions %d", m.Dimensions)
	case n < 1 || n > shard.Most || n&(n-1) != 0:
		return fmt.Errorf("%d shards", n)
	}
	for i, s := range m.Shards {
		digest, err := hex.DecodeString(s.Digest)
		if s.Name != ShardName(i) || err != nil || len(digest) != 32 || s.Size < 0 || s.Files < 0 || s.Chunks < 0 {
			return fmt.Errorf("shard %d: its name, size or digest is not valid", i)
		}
	}
	for name := range m.Trees {
		if err := record.CheckTree(name); err != nil {
			return err
		}
	}
	return nil
}

// ValidDigest reports whether s is a SHA-256 in hex.
func ValidDigest(s string) bool {
	digest, err := hex.DecodeString(s)
	return err == nil && len(digest) == 32
}

// Encode returns the manifest as JSON with one line for each shard, so that changes are small under version control.
func (m *Manifest) Encode() ([]byte, error) {
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

// SameContent reports whether two manifests are equal except for generation and time.
func SameContent(a, b *Manifest) bool {
	x, y := *a, *b
	x.Generation, x.GeneratedAt = y.Generation, y.GeneratedAt
	left, err := x.Encode()
	if err != nil {
		return false
	}
	right, err := y.Encode()
	return err == nil && bytes.Equal(left, right)
}
