// Package config reads the settings of all commands from flags, environment and files. One table of keys (keys.go)
// describes all settings, help texts included.
//
// A flag overrides a CORTEX_* variable, which overrides the user's own file ~/.config/cortex/config.yml, which
// overrides the repository's file .cortex/config.yml, which overrides the default. A list replaces the other list as a
// whole. A repository is not trusted: its file may say which files are indexed (except for secrets), how they are cut
// and how hits are ranked. It cannot say which program or endpoint receives the text, unless the user's own settings
// list the repository under trust.embedding.
//
// Begin with config.go, which has the settings, and load.go, which reads them. The commands pass the values on to the
// stages.
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

// Trust lists what repositories may set in addition. Only the user may set it.
type Trust struct {
	// Embedding are the roots of repositories whose own file may set the section embedding, including the endpoint. A
	// root is absolute or begins with ~/.
	Embedding []string
}

// Embedding selects the embedder. A repository may set it only if Trust lists the repository.
type Embedding struct {
	// Provider names a row of the provider table of lib/embed; "" means the default provider.
	Provider string
	// Model is the provider's name of a model, or the folder of a model; "" means the provider's default.
	Model string
	// Endpoint is the address of a provider that is a service.
	Endpoint string
	// Dimensions is the length of the vectors; 0 leaves it to the model.
	Dimensions int
	// QueryPrefix and PassagePrefix are put before every question and every passage; nil means the model's own prefix.
	QueryPrefix, PassagePrefix *string
	// BatchSize is the number of texts in a request, Concurrency the number of concurrent requests, MaxTokens the
	// approximate length at which a text is cut, Timeout the bound on a request. 0 means the provider's choice.
	BatchSize, Concurrency, MaxTokens int
	Timeout                           time.Duration
	// Price is the price of a million tokens.
	Price float64
	// OnError is "stop", the default, or "skip".
	OnError string
}

// Paths selects the files that are indexed, by patterns relative to the root with slashes, in which ** stands for any
// folders. An empty list selects all files.
type Paths struct {
	Code, Docs, Ignore []string
	// Secrets includes files that hold secrets. Only the user may set it.
	Secrets bool
}

// Chunking says how files are cut. Sizes are in bytes.
type Chunking struct {
	// Strategies are the tiers of code chunks to make.
	Strategies    []string
	DocChunkSize  int
	CodeChunkSize int
	// Overlap is the number of bytes that two chunks share where no syntax says where to cut.
	Overlap int
}

// Search tunes how hits are found and ranked.
type Search struct {
	// FuzzyDistance is the number of edits that a bare ~ allows. 0 also turns off the correction of misspelt words in
	// questions.
	FuzzyDistance int
	// MinScore is the least score of a hit of a question.
	MinScore float64
	// Stemmer is the language of the stemmer for documents.
	Stemmer string
	// MergeThreshold is the number of hits in sections of one parent that are merged into one hit. MergeBonus is what
	// each of them adds to the score. MaxMergeDepth is the number of levels over which sections are merged.
	MergeThreshold int
	MergeBonus     float64
	MaxMergeDepth  int
	// LocalBoost is a factor for the scores of hits in the tree from which the user asks.
	LocalBoost float64
}

// Dir is the folder in the root of a repository that marks it as indexed.
const Dir = ".cortex"

// includes reports whether the repository at root may choose the embedder.
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

// check checks settings against each other.
func (c *Config) check() error {
	for _, size := range []struct {
		name  string
		value int
	}{{"chunking.doc_chunk_size", c.Chunking.DocChunkSize}, {"chunking.code_chunk_size", c.Chunking.CodeChunkSize}} {
		if c.Chunking.Overlap >= size.value {
			return hint.Wrap(
				fmt.Errorf("chunking.overlap is %d, which is not less than %s, %d", c.Chunking.Overlap, size.name, size.value),
				fmt.Sprintf("set chunking.overlap below %d (flag --overlap)", size.value))
		}
	}
	return nil
}

// keyVariable is a variable that begins like a setting of section embedding but is none: the key of an embedding
// service, which no file may hold.
const keyVariable = "CORTEX_EMBEDDING_KEY"

// ownFile returns the path of the user's file by the XDG base directory specification, on every system, or "" if there
// is no home folder.
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

// FindRoot returns the nearest of dir and its parents that has a .cortex folder and whose index covers dir, or dir if
// there is none. The index of a repository does not cover linked worktrees inside of it (see package source).
func FindRoot(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	found, linked := "", ""
	for {
		// A linked .cortex counts, although it will not be opened: going on would select another index.
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

// commonGit returns the git folder that all worktrees of a repository share, if dir is the top of a worktree, and
// whether it is a linked worktree. It returns "" if dir is not the top of a worktree. It does not open the folder that
// a .git file names.
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
