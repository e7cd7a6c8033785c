// Package config gathers the settings of all commands from flags, environment and
// files. One table of keys feeds all of them, the help texts included.
//
// A flag wins over a CORTEX_* variable, that over the user's own file
// ~/.config/cortex/config.yml, that over the file .cortex/config.yml of the
// repository, and that over the default. A list replaces the list below it as a whole. The repository is not trusted: its
// file may say what is indexed but for secrets, how it is cut and how hits are ranked, never which
// program or endpoint sees the text, unless the user's own settings name the repository under trust.embedding.
//
// The package imports lib/hint and lib/safeopen alone; the commands hand its values to the stages.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

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

// A Loader knows the flags that were given and reads the rest.
type Loader struct {
	sections map[string]bool
	flags    []*flagValue
}

// Flags adds the flags of the named sections ("embedding", "paths", "chunking",
// "search") to fs, and those of the keys named whole, of which some have a flag
// only thus. Call Load after fs was parsed.
func Flags(fs *pflag.FlagSet, names ...string) *Loader {
	l := &Loader{sections: map[string]bool{}}
	for _, name := range names {
		l.sections[section(name)] = true
	}
	for _, k := range keys() {
		if slices.Contains(names, k.name) || !k.byName && slices.Contains(names, k.section()) {
			value := &flagValue{key: k}
			l.flags = append(l.flags, value)
			fs.VarPF(value, k.flag(), "", k.help).NoOptDefVal = k.alone
		}
	}
	return l
}

// Load returns the settings for the repository at root; with root "" no repository is
// asked. What is wrong in a file is an error with file and line. warn, which may be nil,
// hears of settings that the repository is not trusted with. environ is as os.Environ gives it.
func (l *Loader) Load(root string, environ []string, warn func(format string, args ...any)) (Config, error) {
	variables := newEnvironment(environ)
	getenv := variables.get
	var c Config
	table := keys()
	for _, k := range table {
		k.reset(&c)
	}
	if warn == nil {
		warn = func(string, ...any) {}
	}
	own := ownFile(getenv)
	loadUser := func(c *Config) error {
		if err := loadOwn(c, table, own); err != nil {
			return err
		}
		return loadEnvironment(c, table, variables)
	}
	if root != "" {
		// Whom the user trusts must be known before.
		var user Config
		if err := loadUser(&user); err != nil {
			return Config{}, err
		}
		trusted := user.Trust.includes(root, getenv)
		if err := l.loadRepository(&c, table, root, own, trusted, warn); err != nil {
			return Config{}, err
		}
	}
	if err := loadUser(&c); err != nil {
		return Config{}, err
	}
	for _, f := range l.flags {
		if f.set != nil {
			f.set(&c)
		}
	}
	return c, c.check()
}

// Given are the settings that were given as flags; the others have their zero values.
func (l *Loader) Given() Config {
	var c Config
	for _, f := range l.flags {
		if f.set != nil {
			f.set(&c)
		}
	}
	return c
}

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

// An environment holds the values of variables by name.
type environment map[string]string

func newEnvironment(environ []string) environment {
	e := environment{}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		// Of a name that comes twice the first counts, as for os.Getenv.
		if _, twice := e[name]; !twice {
			e[name] = value
		}
	}
	return e
}

func (e environment) get(name string) string { return e[name] }

// keyVariable is a variable with the name of a section that is none of the settings: the key of an embedding service, which stands in no file.
const keyVariable = "CORTEX_EMBEDDING_KEY"

// checkNames looks for variables that are named like a setting of a section and are none.
func (e environment) checkNames(table []key) error {
	known := []string{keyVariable}
	var sections []string
	for _, k := range table {
		known = append(known, k.environment())
		sections = append(sections, prefix+strings.ToUpper(k.section())+"_")
	}
	for _, name := range slices.Sorted(maps.Keys(e)) {
		isSetting := slices.ContainsFunc(sections, func(section string) bool { return strings.HasPrefix(name, section) })
		if !isSetting || e[name] == "" || slices.Contains(known, name) {
			continue
		}
		err := fmt.Errorf("environment variable %s: no setting has that name", shorten(name))
		near := keyVariable
		if !strings.HasPrefix(name, keyVariable) {
			near = nearest(table, strings.ToLower(strings.Replace(strings.TrimPrefix(name, prefix), "_", ".", 1)))
		}
		if i := slices.IndexFunc(table, func(k key) bool { return k.name == near }); i >= 0 {
			near = table[i].environment()
		}
		if strings.HasPrefix(near, prefix) {
			return hint.Wrap(err, fmt.Sprintf("did you mean %s?", near))
		}
		return err
	}
	return nil
}

func loadEnvironment(c *Config, table []key, variables environment) error {
	if err := variables.checkNames(table); err != nil {
		return err
	}
	for _, k := range table {
		text := variables.get(k.environment())
		if text == "" {
			continue
		}
		set, err := k.decode(written(text))
		if err != nil {
			return fmt.Errorf("environment variable %s: %w", k.environment(), err)
		}
		set(c)
	}
	return nil
}

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

func loadOwn(c *Config, table []key, path string) error {
	if path == "" {
		return nil
	}
	data, err := safeopen.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return openError(path, err)
	}
	entries, err := parseFile(data, path)
	if err != nil {
		return err
	}
	return apply(c, table, path, entries)
}

// loadRepository reads without following links out of the repository, so that none can make another file of the user the configuration.
func (l *Loader) loadRepository(c *Config, table []key, root, own string, trustEmbedding bool, warn func(string, ...any)) error {
	path := filepath.Join(root, Dir, "config.yml")
	repository, err := safeopen.Open(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer repository.Close()
	if info, err := repository.Lstat(Dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return hint.Wrap(fmt.Errorf("open %s: %w", filepath.Join(root, Dir), safeopen.ErrLink), "remove the link; an index that lies elsewhere is named with --store")
	}
	data, err := repository.Read(Dir+"/config.yml", maxFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if err != nil {
		return openError(path, err)
	}
	entries, err := parseFile(data, path)
	if err != nil {
		return err
	}
	trusted := entries[:0]
	warned := false
	for _, e := range entries {
		if !userOnly(table, e.name) || trustEmbedding && e.section() == "embedding" {
			trusted = append(trusted, e)
			continue
		}
		if !warned && l.concerns(e.section()) {
			advice := ""
			if e.section() == "embedding" {
				advice = ", or the repository's folder into trust.embedding there"
			}
			warn("%s:%d: %s is ignored: a repository is not trusted with it; put it into %s%s", path, e.line, e.name, own, advice)
			warned = true
		}
	}
	return apply(c, table, path, trusted)
}

// concerns reports whether the command does something with settings of the section.
func (l *Loader) concerns(section string) bool {
	return l.sections[section] || section == "trust" && l.sections["embedding"]
}

// openError explains why the file at path is not read.
func openError(path string, err error) error {
	var tooLarge *safeopen.SizeError
	if errors.As(err, &tooLarge) {
		return fmt.Errorf("read %s: larger than %d bytes", path, maxFile)
	}
	var fault *fs.PathError
	if errors.As(err, &fault) {
		err = fault.Err
	}
	return fmt.Errorf("open %s: %w", path, err)
}

// apply sets what the entries of the file at path say.
func apply(c *Config, table []key, path string, entries []entry) error {
	for _, e := range entries {
		k, err := find(table, e)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, e.line, err)
		}
		if e.err != nil {
			return fmt.Errorf("%s:%d: %s: %w", path, e.line, e.name, e.err)
		}
		if e.value == nil {
			continue
		}
		set, err := k.decode(e.value)
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %w", path, e.line, e.name, err)
		}
		set(c)
	}
	return nil
}

// FindRoot returns the nearest of dir and its parents that has a .cortex folder, or
// dir if none has.
func FindRoot(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for {
		// A link is no folder that will be opened, and going on would name another index.
		if info, err := os.Lstat(filepath.Join(at, Dir)); err == nil && (info.IsDir() || info.Mode()&fs.ModeSymlink != 0) {
			return at
		}
		parent := filepath.Dir(at)
		if parent == at {
			return dir
		}
		at = parent
	}
}

// A flagValue is the pflag.Value of one key.
type flagValue struct {
	key  key
	text string
	set  func(*Config)
}

// Set implements pflag.Value. A list that is given again grows.
func (f *flagValue) Set(text string) error {
	if f.key.many && f.set != nil && text != "" {
		text = strings.TrimPrefix(f.text+","+text, ",")
	}
	set, err := f.key.decode(written(text))
	if err != nil {
		return err
	}
	f.text, f.set = text, set
	return nil
}

// String implements pflag.Value: the default, which the help shows.
func (f *flagValue) String() string { return f.key.def }

// Type implements pflag.Value: what the help shows for the value.
func (f *flagValue) Type() string { return f.key.unit }
