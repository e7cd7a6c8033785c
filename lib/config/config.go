// Package config reads the settings of all commands from flags, environment and
// files. One table of keys (keys.go) describes them all, help texts included.
//
// A flag overrides a CORTEX_* variable, which overrides the user's own file
// ~/.config/cortex/config.yml, which overrides the repository's file .cortex/config.yml,
// which overrides the default. A list replaces the other list as a whole. A repository is not trusted: its
// file may say which files are indexed (secrets excepted), how they are cut and how hits are ranked. It cannot say which
// program or endpoint receives the text, unless the user's own settings list the repository under trust.embedding.
//
// The package imports lib/hint and lib/safeopen alone; the commands pass the values on to the stages.
package config

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cortex/lib/gitdir"
	"cortex/lib/hint"
	"cortex/lib/safeopen"
)

// Config holds every setting.
type Config struct {
	Embedding Embedding
	Paths     Paths
	Chunking  Chunking
	Search    Search
	Trust     Trust
}

// Trust says what the user leaves to others. Only the user may set it.
type Trust struct {
	// Embedding are the roots of repositories whose own file may set the section embedding, endpoint
	// and all: absolute, or beginning with ~/.
	Embedding []string
}

// Embedding chooses how texts become vectors. A repository may set it only where Trust says so.
type Embedding struct {
	// Provider names a row of the provider table of lib/embed; "" is its default.
	Provider string
	// Model is the provider's name of a model, or the folder of one; "" is its default.
	Model string
	// Endpoint is the address of a provider that is a service.
	Endpoint string
	// Dimensions is the length of the vectors; 0 leaves it to the model.
	Dimensions int
	// QueryPrefix and PassagePrefix stand before every question and every text; nil is
	// what the model wants.
	QueryPrefix, PassagePrefix *string
	// BatchSize is the number of texts in one request, Concurrency the number of
	// requests at once, MaxTokens about where a text is cut, Timeout the bound on one
	// request; 0 leaves them to the provider.
	BatchSize, Concurrency, MaxTokens int
	Timeout                           time.Duration
	// Price is what a million tokens cost.
	Price float64
	// OnError is "stop" or "skip"; "" is "stop".
	OnError string
}

// Paths narrows which files are indexed, by patterns relative to the root with
// slashes, in which ** stands for any folders. Empty lists narrow nothing.
type Paths struct {
	Code, Docs, Ignore []string
	// Secrets takes in files that hold secrets. Only the user may set it.
	Secrets bool
}

// Chunking says how files are cut. Sizes are in bytes.
type Chunking struct {
	// Strategies are the tiers of code chunks to make.
	Strategies    []string
	DocChunkSize  int
	CodeChunkSize int
	// Overlap is repeated between chunks where no syntax says where to cut.
	Overlap int
}

// Search tunes how hits are found and ranked.
type Search struct {
	// FuzzyDistance is the number of edits that a term with a bare ~ may be away; with 0, misspelt words of questions are
	// taken as they are, too.
	FuzzyDistance int
	// MinScore is the least score of the hits of a question.
	MinScore float64
	// Stemmer names the language whose word endings are cut in documents.
	Stemmer string
	// MergeThreshold is how many hits in one section make it one hit, MergeBonus what
	// each adds to its score, MaxMergeDepth how many levels up this goes.
	MergeThreshold int
	MergeBonus     float64
	MaxMergeDepth  int
	// LocalBoost multiplies the scores of the tree that is asked from.
	LocalBoost float64
}

// Dir is the folder in the root of a repository that marks it as indexed.
const Dir = ".cortex"

// includes reports whether the user leaves the choice of the embedder to the repository at root.
func (t Trust) includes(root string, getenv func(string) string) bool {
	if len(t.Embedding) == 0 {
		return false
	}
	there, err := os.Stat(root)
	if err != nil {
		return false
	}
	for _, path := range t.Embedding {
		if rest, ok := strings.CutPrefix(path, "~"); ok {
			path = filepath.Join(home(getenv), rest)
		}
		if info, err := os.Stat(path); err == nil && filepath.IsAbs(path) && os.SameFile(info, there) {
			return true
		}
	}
	return false
}

// check looks at what no single key can know.
func (c *Config) check() error {
	for _, size := range []struct {
		name  string
		value int
	}{{"chunking.doc_chunk_size", c.Chunking.DocChunkSize}, {"chunking.code_chunk_size", c.Chunking.CodeChunkSize}} {
		if c.Chunking.Overlap >= size.value {
			return hint.Wrap(
				fmt.Errorf("chunking.overlap is %d, which is not less than %s, %d", c.Chunking.Overlap, size.name, size.value),
				"set chunking.overlap too (flag --overlap)")
		}
	}
	return nil
}

// keyVariable is a variable with the name of a section that is none of the settings: the key of an embedding service, which stands in no file.
const keyVariable = "CORTEX_EMBEDDING_KEY"

// ownFile is the path of the user's file by the XDG base directory specification, on
// every system, or "" if there is no home.
func ownFile(getenv func(string) string) string {
	dir := getenv("XDG_CONFIG_HOME")
	// The specification says to ignore relative paths.
	if !filepath.IsAbs(dir) {
		home := home(getenv)
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "cortex", "config.yml")
}

func home(getenv func(string) string) string {
	return cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
}

// FindRoot returns the nearest of dir and its parents that has a .cortex folder and whose index has dir, or dir if none has: an index leaves out linked worktrees
// of the repository that it lies in (see package source).
func FindRoot(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	found, linked := "", ""
	for {
		// A link is no folder that will be opened, and going on would name another index.
		if info, err := os.Lstat(filepath.Join(at, Dir)); found == "" && err == nil && (info.IsDir() || info.Mode()&fs.ModeSymlink != 0) {
			if found = at; linked == "" {
				return found
			}
		}
		if git, isLinked := commonGit(at); git != "" {
			switch {
			case git == linked:
				return dir
			case found != "":
				return found
			case isLinked:
				linked = git
			default:
				linked = ""
			}
		}
		parent := filepath.Dir(at)
		if parent == at {
			return cmp.Or(found, dir)
		}
		at = parent
	}
}

// commonGit returns the folder of git that the work trees of a repository share, for the one that has its top in dir, and whether that is a linked one; "" if dir
// is no top. The folder that a file names is not opened.
func commonGit(dir string) (git string, linked bool) {
	path := filepath.Join(dir, ".git")
	info, err := os.Lstat(path)
	if err != nil {
		return "", false
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", false
	}
	if info.IsDir() {
		return filepath.Join(dir, ".git"), false
	}
	text, err := safeopen.ReadFile(path, gitdir.MaxPointer)
	if err != nil {
		return "", false
	}
	target, ok := gitdir.Target(text, dir)
	if !ok {
		return "", false
	}
	return gitdir.Common(target)
}
