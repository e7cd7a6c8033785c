package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
	"cortex/lib/safeopen"
	"cortex/lib/shorten"
)

// A Loader holds the given flags, and loads the other settings.
type Loader struct {
	sections map[string]bool
	flags    []*flagValue
}

// Load returns the settings for the repository at root. With root "" it reads no repository's file. An error in a file
// has the file's path and line. warn, which may be nil, receives warnings of settings that the repository may not set.
// environ has the form of os.Environ.
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
	entries, err := readOwn(own)
	if err != nil {
		return Config{}, err
	}
	loadUser := func(c *Config) error {
		if err := apply(c, table, own, entries); err != nil {
			return err
		}
		return loadEnvironment(c, table, variables)
	}
	if root != "" {
		// Read trust.embedding before the repository's file.
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

// loadRepository applies the repository's file. It follows no links out of the repository, so that no link can turn
// another file of the user into the configuration.
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

// Flags adds the flags of the named sections ("embedding", "paths", "chunking", "search") and of the named keys to fs.
// Rare keys get a flag only if they are named. Call Load after fs was parsed.
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

// A flagValue is the pflag.Value of one key.
type flagValue struct {
	key  key
	text string
	set  func(*Config)
}

// Set implements pflag.Value. A repeated flag adds to a list.
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

// String implements pflag.Value. It returns the default, which the help shows.
func (f *flagValue) String() string { return f.key.def }

// Type implements pflag.Value. It returns the placeholder that the help shows for the value.
func (f *flagValue) Type() string { return f.key.unit }

// apply sets the entries of the file at path.
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

// openError returns a short error for a file that cannot be read.
func openError(path string, err error) error {
	var tooLarge *safeopen.SizeError
	if errors.As(err, &tooLarge) {
		return fmt.Errorf("read %s: larger than %d bytes", path, maxFile)
	}
	var fault *fs.PathError
	if errors.As(err, &fault) {
		err = fault.Err
	}
	opened := fmt.Errorf("open %s: %w", path, err)
	if errors.Is(err, fs.ErrPermission) {
		return hint.Wrap(opened, "let this user read the file and its folder")
	}
	return opened
}

// An environment holds the values of variables by name.
type environment map[string]string

// checkNames returns an error for a variable that begins like a setting but is none.
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
		err := fmt.Errorf("environment variable %s: no setting has that name", shorten.End(name, maxShown))
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

// otherVariables are the variables of Cortex that are no settings, without prefix.
var otherVariables = []string{"CHUNKS_DIR", "CACHE_DIR", "DATABASE", "HTTP_TOKEN"}

// WarnMistyped warns of variables that are probably mistyped: they have the prefix, and a name that resembles a variable of
// Cortex. Other programs may use the prefix too, so a mistyped name is no error, and a name that resembles none is not
// mentioned. environ is as os.Environ gives it.
func WarnMistyped(environ []string, warn func(format string, args ...any)) {
	e, table := newEnvironment(environ), keys()
	known := []string{keyVariable}
	for _, name := range otherVariables {
		known = append(known, prefix+name)
	}
	for _, k := range table {
		known = append(known, k.environment())
	}
	for _, name := range slices.Sorted(maps.Keys(e)) {
		own, found := strings.CutPrefix(name, prefix)
		isSection := slices.ContainsFunc(table, func(k key) bool { return strings.EqualFold(k.section(), own) })
		if !found || own == "" || isSection || e[name] == "" || slices.Contains(known, name) {
			continue
		}
		near := hint.Nearest(own, otherVariables)
		if near == "" {
			setting := nearest(table, strings.ToLower(strings.Replace(own, "_", ".", 1)))
			if i := slices.IndexFunc(table, func(k key) bool { return k.name == setting }); i >= 0 {
				near = strings.TrimPrefix(table[i].environment(), prefix)
			}
		}
		if near != "" {
			warn("environment variable %s is unknown; did you mean %s%s?", shorten.End(name, maxShown), prefix, near)
		}
	}
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

// readOwn reads the user's own file. A missing file has no entries.
func readOwn(path string) ([]entry, error) {
	if path == "" {
		return nil, nil
	}
	data, err := safeopen.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // a home such as /dev/null is no folder
		return nil, nil
	}
	if err != nil {
		return nil, openError(path, err)
	}
	return parseFile(data, path)
}

// Given returns the settings that were given as flags. The others have their zero values.
func (l *Loader) Given() Config {
	var c Config
	for _, f := range l.flags {
		if f.set != nil {
			f.set(&c)
		}
	}
	return c
}

// concerns reports whether the command uses settings of the section.
func (l *Loader) concerns(section string) bool {
	return l.sections[section] || section == "trust" && l.sections["embedding"]
}

func newEnvironment(environ []string) environment {
	e := environment{}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		// Like os.Getenv, use the first value of a repeated name.
		if _, twice := e[name]; !twice {
			e[name] = value
		}
	}
	return e
}

func (e environment) get(name string) string { return e[name] }
