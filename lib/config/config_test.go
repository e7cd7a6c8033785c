package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
)

var allSections = []string{"embedding", "paths", "chunking", "search",
	"embedding.query_prefix", "embedding.passage_prefix", "embedding.batch_size", "embedding.concurrency", "embedding.max_tokens", "embedding.timeout", "embedding.price", "embedding.on_error", "trust.embedding"}

// A world has all sources of settings.
type world struct {
	own, repository string // contents of the files; "" for none
	env             map[string]string
	args            []string
	sections        []string // allSections if nil
}

// load reads the settings of the world. In errors and warnings it calls the two files OWN and REPO.
func (w world) load(t *testing.T) (c Config, warnings []string, err error) {
	t.Helper()
	home, root := t.TempDir(), t.TempDir()
	ownPath := filepath.Join(home, ".config", "cortex", "config.yml")
	repoPath := filepath.Join(root, ".cortex", "config.yml")
	if w.own != "" {
		write(t, ownPath, w.own)
	}
	if w.repository != "" {
		write(t, repoPath, w.repository)
	}
	environ := []string{"HOME=" + home}
	for name, value := range w.env {
		environ = append(environ, name+"="+value)
	}
	anonymous := strings.NewReplacer(ownPath, "OWN", repoPath, "REPO")
	warn := func(format string, args ...any) {
		warnings = append(warnings, anonymous.Replace(fmt.Sprintf(format, args...)))
	}
	if w.sections == nil {
		w.sections = allSections
	}
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	fs.Usage = func() {}
	l := Flags(fs, w.sections...)
	if err := fs.Parse(w.args); err != nil {
		return Config{}, nil, err
	}
	c, err = l.Load(root, environ, warn)
	if err != nil {
		err = hint.Wrap(fmt.Errorf("%s", anonymous.Replace(err.Error())), hint.Of(err))
	}
	return c, warnings, err
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDefaults(t *testing.T) {
	want := Config{
		Chunking: Chunking{Strategies: []string{"symbols", "definitions", "data", "implementations"}, DocChunkSize: 1000, CodeChunkSize: 2000, Overlap: 300},
		Search:   Search{FuzzyDistance: 1, MinScore: 0, Stemmer: "english", MergeThreshold: 2, MergeBonus: 0.1, MaxMergeDepth: 2, LocalBoost: 1.5},
	}
	for name, w := range map[string]world{
		"nothing":        {},
		"empty variable": {env: map[string]string{"CORTEX_CHUNKING_OVERLAP": ""}},
		"other variables": {env: map[string]string{"CORTEX_ROOT": "/x", "CORTEX_CHUNKING": "x", "CORTEX_CHUNKS_DIR": "y", "CORTEX_EMBEDDING_KEY": "z",
			"CORTEX_SEARCH_BOGUS": "", "SEARCH_BOGUS": "x", "CORTEX_SEARCHING_BOGUS": "x", "CORTEX_": "x", "CORTEX__BOGUS": "x"}},
		"blank file":         {repository: "\n\n# nothing\n"},
		"file of sections":   {repository: "paths:\nchunking:\n  # overlap: 5\nsearch: {}\n"},
		"keys without value": {own: "embedding:\n  model:\n  dimensions: ~\n", repository: "chunking:\n  overlap: null\n"},
		"document marks":     {repository: "---\nchunking:\n  overlap: 300\n...\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, warnings, err := w.load(t)
			if err != nil || warnings != nil {
				t.Fatal(err, warnings)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// Each source overrides those below it.
func TestPrecedence(t *testing.T) {
	sources := []struct {
		name string
		set  func(*world)
		want int
	}{
		{"default", func(*world) {}, 2000},
		{"repository", func(w *world) { w.repository = "chunking:\n  code_chunk_size: 3001\n" }, 3001},
		{"own file", func(w *world) { w.own = "chunking: {code_chunk_size: 3002}" }, 3002},
		{"environment", func(w *world) { w.env = map[string]string{"CORTEX_CHUNKING_CODE_CHUNK_SIZE": "3003"} }, 3003},
		{"flag", func(w *world) { w.args = []string{"--code-chunk-size", "3004"} }, 3004},
	}
	for present := range 1 << len(sources) {
		var w world
		want, names := 2000, []string{}
		for i, s := range sources {
			if present>>i&1 == 1 {
				s.set(&w)
				want = s.want
				names = append(names, s.name)
			}
		}
		got, _, err := w.load(t)
		if err != nil || got.Chunking.CodeChunkSize != want {
			t.Errorf("%v: got %d, want %d, error %v", names, got.Chunking.CodeChunkSize, want, err)
		}
	}
}

// Every key can be set by flag, variable and file, with the same effect.
func TestEveryKey(t *testing.T) {
	values := map[string]string{
		"embedding.provider": "other", "embedding.model": "m", "embedding.endpoint": "http://localhost:1", "embedding.dimensions": "128",
		"embedding.query_prefix": "query", "embedding.passage_prefix": "passage", "embedding.batch_size": "9", "embedding.concurrency": "3", "embedding.max_tokens": "99",
		"embedding.timeout": "5s", "embedding.price": "0.5", "embedding.on_error": "skip",
		"paths.code": "[a/**, b]", "paths.docs": "[c]", "paths.ignore": "[d, e]", "paths.secrets": "true",
		"chunking.strategies": "[data, symbols]", "chunking.doc_chunk_size": "700", "chunking.code_chunk_size": "701", "chunking.overlap": "7",
		"search.fuzzy_distance": "2", "search.stemmer": "german", "search.merge_threshold": "3", "search.merge_bonus": "0.25",
		"trust.embedding": "[/a, ~/b]", "search.min_score": "0.2", "search.max_merge_depth": "4", "search.local_boost": "2.5",
	}
	flags, variables := map[string]bool{}, map[string]bool{}
	for _, k := range keys() {
		value, ok := values[k.name]
		if !ok {
			t.Errorf("no value for %s in this test", k.name)
			continue
		}
		if flags[k.flag()] || variables[k.environment()] {
			t.Errorf("%s: flag or variable belongs to another key too", k.name)
		}
		flags[k.flag()], variables[k.environment()] = true, true
		section, name, _ := strings.Cut(k.name, ".")
		text := strings.NewReplacer("[", "", "]", "").Replace(value)
		defaults, _, _ := world{}.load(t)
		var want Config
		for i, w := range []world{
			{own: fmt.Sprintf("%s:\n  %s: %s\n", section, name, value)},
			{env: map[string]string{"CORTEX_" + strings.ToUpper(section+"_"+name): text}},
			{args: []string{"--" + strings.ReplaceAll(name, "_", "-") + "=" + text}},
			{repository: fmt.Sprintf("%s: {%s: %s}\n", section, name, value)},
		} {
			got, _, err := w.load(t)
			if err != nil {
				t.Errorf("%s, source %d: %v", k.name, i, err)
				continue
			}
			trusted := i < 3 || section != "embedding" && section != "trust" && k.name != "paths.secrets"
			if reflect.DeepEqual(got, defaults) == trusted {
				t.Errorf("%s, source %d: changes the settings: %v", k.name, i, !trusted)
			}
			if i == 0 {
				want = got
			}
			if trusted && !reflect.DeepEqual(got, want) {
				t.Errorf("%s, source %d: got %+v, want %+v", k.name, i, got, want)
			}
		}
	}
}

func TestLists(t *testing.T) {
	for _, test := range []struct {
		name string
		w    world
		want []string
	}{
		{"commas", world{args: []string{"--ignore", "a, b ,,c"}}, []string{"a", "b", "c"}},
		{"braces", world{args: []string{"--ignore", "**/*.{go,py},x"}}, []string{"**/*.{go,py}", "x"}},
		{"flag given twice", world{args: []string{"--ignore", "a", "--ignore", "b,c"}}, []string{"a", "b", "c"}},
		{"emptied by a flag", world{args: []string{"--ignore", ""}, own: "paths: {ignore: [x]}"}, []string{}},
		{"variable", world{env: map[string]string{"CORTEX_PATHS_IGNORE": "a,b"}}, []string{"a", "b"}},
		{"a list replaces the one below", world{repository: "paths: {ignore: [x, y]}", own: "paths:\n  ignore:\n    - a\n    - 'b'\n    - \"**/c\"\n"}, []string{"a", "b", "**/c"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := test.w.load(t)
			if err != nil || !slices.Equal(got.Paths.Ignore, test.want) {
				t.Errorf("got %q, want %q, error %v", got.Paths.Ignore, test.want, err)
			}
		})
	}
}

// Only the user may include files that hold secrets: by flag, variable or own file.
func TestSecretsAreTheUsersChoice(t *testing.T) {
	const warning = "REPO:3: paths.secrets is ignored: a repository is not trusted with it; put it into OWN"
	repository := "paths:\n  ignore: [x]\n  secrets: true\n"
	for _, test := range []struct {
		name     string
		w        world
		want     bool
		warnings []string
	}{
		{"default", world{}, false, nil},
		{"flag", world{args: []string{"--secrets"}}, true, nil},
		{"flag over variable", world{args: []string{"--secrets=false"}, env: map[string]string{"CORTEX_PATHS_SECRETS": "true"}}, false, nil},
		{"variable over file", world{own: "paths: {secrets: true}", env: map[string]string{"CORTEX_PATHS_SECRETS": "false"}}, false, nil},
		{"variable", world{env: map[string]string{"CORTEX_PATHS_SECRETS": "true"}}, true, nil},
		{"own file", world{own: "paths: {secrets: true}"}, true, nil},
		{"repository", world{repository: repository}, false, []string{warning}},
		{"repository, flat", world{repository: "\n\npaths.secrets: true\n"}, false, []string{warning}},
		{"repository, whatever it says", world{repository: "\n\npaths.secrets: [1]\n"}, false, []string{warning}},
		{"both", world{repository: repository, own: "paths: {secrets: true}"}, true, []string{warning}},
		{"a command that lists no files", world{repository: repository, sections: []string{"embedding"}}, false, nil},
		{"a trusted embedding", world{repository: repository, own: "trust: {embedding: [/]}"}, false, []string{warning}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, warnings, err := test.w.load(t)
			if err != nil || got.Paths.Secrets != test.want || !slices.Equal(warnings, test.warnings) {
				t.Errorf("got %v, warnings %q, error %v", got.Paths.Secrets, warnings, err)
			}
			if test.w.repository == repository && !slices.Equal(got.Paths.Ignore, []string{"x"}) {
				t.Errorf("the rest of the section is lost: %q", got.Paths.Ignore)
			}
		})
	}
	for _, w := range []world{{own: "paths: {secrets: 1}"}, {own: "paths: {secrets: \"true\"}"}, {own: "paths: {secrets: ['true']}"}, {env: map[string]string{"CORTEX_PATHS_SECRETS": "maybe"}}} {
		if _, _, err := w.load(t); err == nil || !strings.Contains(err.Error(), "expected true or false, not ") {
			t.Errorf("%+v: error %v", w, err)
		}
	}
}

func TestRepositoryIsNotTrusted(t *testing.T) {
	evil := "chunking:\n  overlap: 7\nembedding:\n  provider: http\n  endpoint: http://evil.example\n  nonsense: [1]\n"
	got, warnings, err := world{repository: evil}.load(t)
	if err != nil {
		t.Fatal(err)
	}
	if got.Embedding != (Embedding{}) || got.Chunking.Overlap != 7 {
		t.Errorf("got %+v", got)
	}
	want := []string{"REPO:3: embedding is ignored: a repository is not trusted with it; put it into OWN, or the repository's folder into trust.embedding there"}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	// The flat notation of a key is not trusted either.
	got, warnings, err = world{repository: "embedding.endpoint: http://evil.example\n"}.load(t)
	if err != nil || got.Embedding != (Embedding{}) || len(warnings) != 1 {
		t.Errorf("got %+v, warnings %q, error %v", got.Embedding, warnings, err)
	}
	// A repository cannot make itself trusted.
	got, warnings, err = world{repository: "trust: {embedding: [/, ~]}\n" + evil}.load(t)
	if err != nil || got.Embedding != (Embedding{}) || got.Trust.Embedding != nil || len(warnings) != 1 {
		t.Errorf("got %+v, warnings %q, error %v", got, warnings, err)
	}
	// Commands that do not embed do not warn about embedding settings.
	_, warnings, err = world{repository: evil, sections: []string{"paths"}}.load(t)
	if err != nil || warnings != nil {
		t.Errorf("warnings %q, error %v", warnings, err)
	}
}

// The user can let a repository choose the embedder, by its folder. The user's own choices still win.
func TestTrustedRepository(t *testing.T) {
	file := "embedding:\n  provider: http\n  endpoint: http://localhost:1\n"
	for _, test := range []struct {
		name, folder string
		trusted      bool
	}{
		{"its folder", "ROOT", true}, {"with slash", "ROOT/", true}, {"from home", "~/repository", true}, {"by a link", "~/link", true},
		{"another", "~/other", false}, {"parent", "~", false}, {"below", "ROOT/.cortex", false}, {"missing", "~/none", false}, {"none", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			root := filepath.Join(home, "repository")
			write(t, filepath.Join(root, ".cortex", "config.yml"), file)
			write(t, filepath.Join(home, "other", "file"), "")
			if err := os.Symlink(root, filepath.Join(home, "link")); err != nil {
				t.Fatal(err)
			}
			own := "embedding: {dimensions: 5}\n"
			if test.folder != "" {
				own += "trust: {embedding: [" + strconv.Quote(strings.ReplaceAll(test.folder, "ROOT", root)) + "]}\n"
			}
			write(t, filepath.Join(home, ".config", "cortex", "config.yml"), own)
			warned := 0
			got, err := Flags(pflag.NewFlagSet("test", pflag.ContinueOnError), "embedding").Load(root,
				[]string{"HOME=" + home}, func(string, ...any) { warned++ })
			want := Embedding{Dimensions: 5}
			if test.trusted {
				want = Embedding{Provider: "http", Endpoint: "http://localhost:1", Dimensions: 5}
			}
			if err != nil || got.Embedding != want || warned > 0 == test.trusted {
				t.Errorf("got %+v, %d warnings, error %v", got.Embedding, warned, err)
			}
		})
	}
}

// A variable that begins with a section's name must be a setting. An unknown one is reported like an unknown key of a
// file.
func TestUnknownVariables(t *testing.T) {
	for name, want := range map[string]string{
		"CORTEX_SEARCH_BOGUS":             "",
		"CORTEX_SEARCH_":                  "did you mean CORTEX_SEARCH_STEMMER?",
		"CORTEX_SEARCH_STEMER":            "did you mean CORTEX_SEARCH_STEMMER?",
		"CORTEX_PATHS_OVERLAP":            "did you mean CORTEX_CHUNKING_OVERLAP?",
		"CORTEX_EMBEDDING_BATCHSIZE":      "did you mean CORTEX_EMBEDDING_BATCH_SIZE?",
		"CORTEX_TRUST_EMBEDING":           "did you mean CORTEX_TRUST_EMBEDDING?",
		"CORTEX_EMBEDDING_KEYS":           "did you mean CORTEX_EMBEDDING_KEY?",
		"CORTEX_CHUNKING_CODE_CHUNK_SIZE": "none",
	} {
		_, _, err := world{env: map[string]string{name: "7000", "CORTEX_CHUNKING_OVERLAP": "5"}}.load(t)
		switch {
		case want == "none" && err != nil:
			t.Error(err)
		case want == "none":
		case err == nil || err.Error() != "environment variable "+name+": no setting has that name" || hint.Of(err) != want:
			t.Errorf("%s: got %v, hint %q", name, err, hint.Of(err))
		}
	}
	// The first name in alphabetical order is reported, so that the message does not depend on map order.
	_, _, err := world{env: map[string]string{"CORTEX_SEARCH_B": "1", "CORTEX_SEARCH_A": "1", "CORTEX_PATHS_C": "1"}}.load(t)
	if err == nil || !strings.Contains(err.Error(), "CORTEX_PATHS_C") {
		t.Error(err)
	}
}

// Other programs may use variables with the same prefix, so only those that resemble a variable of Cortex are mentioned.
func TestMistypedVariables(t *testing.T) {
	for name, want := range map[string]string{
		"CORTEX_CHUNK_DIR":           "CORTEX_CHUNKS_DIR",
		"CORTEX_CACHEDIR":            "CORTEX_CACHE_DIR",
		"CORTEX_DATABASE_URL":        "CORTEX_DATABASE",
		"CORTEX_HTTP_TOKENS":         "CORTEX_HTTP_TOKEN",
		"CORTEX_EMBEDING_MODEL":      "CORTEX_EMBEDDING_MODEL",
		"CORTEX_EMBEDING_BATCHSIZE":  "CORTEX_EMBEDDING_BATCH_SIZE",
		"CORTEX_CHUNK_OVERLAP":       "CORTEX_CHUNKING_OVERLAP",
		"CORTEX_PROVIDER":            "CORTEX_EMBEDDING_PROVIDER",
		"CORTEX_PATH_IGNORE":         "CORTEX_PATHS_IGNORE",
		"CORTEX_CHUNKS_DIR":          "",
		"CORTEX_CACHE_DIR":           "",
		"CORTEX_DATABASE":            "",
		"CORTEX_HTTP_TOKEN":          "",
		"CORTEX_EMBEDDING_KEY":       "",
		"CORTEX_API_KEY":             "",
		"CORTEX_ENV":                 "",
		"CORTEX_HOME":                "",
		"CORTEX_HOST":                "",
		"CORTEX_LOG_LEVEL":           "",
		"CORTEX_PROFILE":             "",
		"CORTEX_REGION":              "",
		"CORTEX_TENANT_ID":           "",
		"CORTEX_TOKEN":               "",
		"CORTEX_URL":                 "",
		"CORTEX_VERSION":             "",
		"CORTEX_XDR_API_KEY":         "",
		"CORTEXCHUNK_DIR":            "",
		"XCORTEX_EMBEDDING_PROVIDER": "",
	} {
		if want != "" {
			want = "environment variable " + name + " is unknown; did you mean " + want + "?\n"
		}
		warned := ""
		WarnMistyped([]string{"HOME=/home/me", name + "=x", "CORTEX_EMBEDING_KEY="}, func(format string, args ...any) { warned += fmt.Sprintf(format+"\n", args...) })
		if warned != want {
			t.Errorf("%s: %q, want %q", name, warned, want)
		}
	}
}

// An empty prefix differs from an unset one.
func TestPrefixes(t *testing.T) {
	for _, test := range []struct {
		w    world
		want *string
	}{
		{world{}, nil}, {world{own: "embedding: {query_prefix: }\n"}, nil},
		{world{own: "embedding: {query_prefix: \"\"}\n"}, new(string)}, {world{args: []string{"--query-prefix="}}, new(string)},
	} {
		got, _, err := test.w.load(t)
		if err != nil || !reflect.DeepEqual(got.Embedding.QueryPrefix, test.want) {
			t.Errorf("%+v: got %v, error %v", test.w, got.Embedding.QueryPrefix, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name     string
		w        world
		want     string
		wantHint string
	}{
		{"unknown key", world{repository: "chunking:\n  overlap: 5\n  code_chunk_sise: 5\n"}, `REPO:3: unknown key "chunking.code_chunk_sise"`, "did you mean chunking.code_chunk_size?"},
		{"time without unit", world{own: "embedding:\n  timeout: 30\n"}, `OWN:2: embedding.timeout: expected a time such as 30s, not the number 30`, ""},
		{"no time", world{own: "embedding: {timeout: soon}\n"}, `OWN:1: embedding.timeout: expected a time such as 30s, not "soon"`, ""},
		{"no time at all", world{env: map[string]string{"CORTEX_EMBEDDING_TIMEOUT": "0s"}}, "environment variable CORTEX_EMBEDDING_TIMEOUT: expected 1ms to 1h0m0s, not 0s", ""},
		{"unknown choice", world{own: "embedding: {on_error: ignore}\n"}, `OWN:1: embedding.on_error: unknown "ignore", expected stop, skip`, ""},
		{"trusted folder", world{own: "trust: {embedding: [app]}\n"}, `OWN:1: trust.embedding: folder "app" is not absolute`, "write it as /home/you/app or ~/app"},
		{"unknown section", world{own: "\nserach:\n  stemmer: x\n"}, `OWN:2: unknown key "serach"`, "did you mean search?"},
		{"key without its section", world{own: "overlap: 5"}, `OWN:1: unknown key "overlap"`, "did you mean chunking.overlap?"},
		{"key in another section", world{own: "search:\n  overlap: 5"}, `OWN:2: unknown key "search.overlap"`, "did you mean chunking.overlap?"},
		{"nothing near", world{own: "colour: red"}, `OWN:1: unknown key "colour"`, ""},
		{"very long key", world{own: strings.Repeat("k", 500) + ": 1"}, `OWN:1: unknown key "` + strings.Repeat("k", 59) + `…"`, ""},
		{"very long key of letters with two bytes", world{own: "k" + strings.Repeat("é", 500) + ": 1"}, `OWN:1: unknown key "k` + strings.Repeat("é", 58) + `…"`, ""},
		{"text for a number", world{repository: "chunking:\n  overlap: many\n"}, `REPO:2: chunking.overlap: expected a whole number, not text ("many")`, ""},
		{"quoted number", world{repository: "chunking:\n  overlap: \"5\"\n"}, `REPO:2: chunking.overlap: expected a whole number, not text ("5")`, ""},
		{"fraction", world{own: "chunking: {overlap: 5.5}"}, `OWN:1: chunking.overlap: expected a whole number, not the number 5.5`, ""},
		{"number for text", world{own: "search: {stemmer: 5}"}, `OWN:1: search.stemmer: expected text, not the number 5`, ""},
		{"truth for text", world{own: "search: {stemmer: true}"}, `OWN:1: search.stemmer: expected text, not true`, ""},
		{"list for text", world{own: "search: {stemmer: [english]}"}, `OWN:1: search.stemmer: expected text, not a list`, ""},
		{"text for a list", world{own: "paths: {code: src}"}, `OWN:1: paths.code: expected a list such as [a, b], not text ("src")`, ""},
		{"mapping for a list", world{own: "paths:\n  code:\n    a: b\n"}, `OWN:2: paths.code: expected a list such as [a, b], not a mapping`, ""},
		{"unknown stemmer", world{repository: "search: {stemmer: englisch}"}, `REPO:1: search.stemmer: unknown language "englisch"`, `did you mean "english"? languages are ` + strings.Join(Stemmers(), ", ")},
		{"bad glob", world{repository: "paths:\n  ignore: ['[a']\n"}, `REPO:2: paths.ignore: pattern "[a": is not a valid glob`, ""},
		{"number in a list", world{own: "paths:\n  code:\n    - a\n    - 5\n"}, "OWN:2: paths.code: expected text in the list, but line 4 is something else; put numbers and words such as true in quotes", ""},
		{"section is a list", world{own: "paths: [a]"}, "OWN:1: paths: expected a mapping, not a list", ""},
		{"file is a list", world{own: "- a\n- b\n"}, `OWN:1: expected sections such as "paths:" with keys below them`, ""},
		{"not a number", world{own: "search: {merge_bonus: .nan}"}, "OWN:1: search.merge_bonus: expected 0 to 1, not NaN", ""},
		{"score above 1", world{own: "search: {min_score: 1.5}"}, "OWN:1: search.min_score: expected 0 to 1, not 1.5", ""},
		{"too many edits", world{own: "search: {fuzzy_distance: 3}"}, "OWN:1: search.fuzzy_distance: expected 0 to 2, not 3", ""},
		{"infinite", world{own: "search: {local_boost: .inf}"}, "OWN:1: search.local_boost: expected 0 to 100, not +Inf", ""},
		{"too small", world{repository: "chunking: {code_chunk_size: 1}"}, "REPO:1: chunking.code_chunk_size: expected 200 to 100000, not 1", ""},
		{"too large", world{repository: "chunking: {doc_chunk_size: 99999999999999999999}"}, "", ""},
		{"negative", world{repository: "chunking: {overlap: -1}"}, "REPO:1: chunking.overlap: expected 0 to 50000, not -1", ""},
		{"overlap too large", world{args: []string{"--overlap", "1000"}}, "chunking.overlap is 1000, which is not less than chunking.doc_chunk_size, 1000", "set chunking.overlap below 1000 (flag --overlap)"},
		{"unknown tier", world{own: "chunking: {strategies: [symbols, bodies]}"}, `OWN:1: chunking.strategies: unknown "bodies", expected symbols, definitions, data, implementations`, ""},
		{"absolute pattern", world{repository: "paths:\n  code:\n    - /etc/**\n"}, `REPO:2: paths.code: pattern "/etc/**" is not relative to the root`, "patterns start at the root: write docs/** for the folder docs"},
		{"home pattern", world{repository: "paths: {code: [\"~/x\"]}"}, `REPO:1: paths.code: pattern "~/x" is not relative to the root`, "patterns start at the root: write docs/** for the folder docs"},
		{"drive", world{repository: `paths: {docs: ['C:\x']}`}, `REPO:1: paths.docs: pattern "C:\\x" is not relative to the root`, "patterns start at the root: write docs/** for the folder docs"},
		{"pattern out of the root", world{repository: "paths: {docs: [\"a/../../b\"]}"}, `REPO:1: paths.docs: pattern "a/../../b" leads out of the root`, ""},
		{"backslashes out of the root", world{repository: `paths: {docs: ['..\b']}`}, `REPO:1: paths.docs: pattern "..\\b" leads out of the root`, ""},
		{"empty pattern", world{repository: "paths: {docs: ['']}"}, "REPO:1: paths.docs: a pattern is empty", ""},
		{"control character", world{own: `search: {stemmer: "a\x1b[31m"}`}, "OWN:1: search.stemmer: \"a\\x1b[31m\" holds a control character or is not UTF-8", ""},
		{"too many patterns", world{repository: "paths:\n  ignore:\n" + strings.Repeat("    - x\n", 1001)}, "REPO:2: paths.ignore: 1001 items, at most 1000 are allowed", ""},
		{"long pattern", world{repository: "paths: {ignore: [" + strings.Repeat("x", 1001) + "]}"}, `REPO:1: paths.ignore: "` + strings.Repeat("x", 59) + `…" is longer than 1000 bytes`, ""},
		{"pattern that is an alias", world{repository: "paths:\n  code:\n    - **/*.go\n"}, "REPO:3: anchors, aliases and tags are not supported", `put text that begins with *, & or ! in quotes: "**/*.go"`},
		{"anchor", world{repository: "paths:\n  code: &a [b]\n  docs: *a\n"}, "REPO:2: anchors, aliases and tags are not supported", `put text that begins with *, & or ! in quotes: "**/*.go"`},
		{"tag", world{repository: "paths:\n  code: !!str x\n"}, "REPO:2: anchors, aliases and tags are not supported", `put text that begins with *, & or ! in quotes: "**/*.go"`},
		{"key set twice", world{own: "search:\n  stemmer: a\n  stemmer: b\n"}, "", ""},
		{"section set twice", world{own: "search:\n  stemmer: a\nsearch:\n  fuzzy_distance: 1\n"}, "", ""},
		{"two documents", world{own: "search:\n  stemmer: a\n---\nsearch:\n  stemmer: b\n"}, "OWN:3: a second document in one file", ""},
		{"bad syntax", world{own: "search:\n  stemmer: [a\n"}, "", ""},
		{"too large a file", world{repository: strings.Repeat("# comment\n", maxFile/10+1)}, "read REPO: larger than 262144 bytes", ""},
		{"variable", world{env: map[string]string{"CORTEX_CHUNKING_OVERLAP": "many"}}, `environment variable CORTEX_CHUNKING_OVERLAP: expected a whole number, not "many"`, ""},
		{"variable that is overridden", world{env: map[string]string{"CORTEX_CHUNKING_OVERLAP": "many"}, args: []string{"--overlap=1"}}, `environment variable CORTEX_CHUNKING_OVERLAP: expected a whole number, not "many"`, ""},
		{"variable number", world{env: map[string]string{"CORTEX_SEARCH_MERGE_BONUS": "x"}}, `environment variable CORTEX_SEARCH_MERGE_BONUS: expected a number, not "x"`, ""},
		{"flag", world{args: []string{"--overlap", "x"}}, `invalid argument "x" for "--overlap" flag: expected a whole number, not "x"`, ""},
		{"flag out of bounds", world{args: []string{"--fuzzy-distance", "3"}}, `invalid argument "3" for "--fuzzy-distance" flag: expected 0 to 2, not 3`, ""},
		{"flag of another section", world{sections: []string{"search"}, args: []string{"--overlap", "3"}}, "unknown flag: --overlap", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := test.w.load(t)
			if err == nil {
				t.Fatalf("no error, but %+v", got)
			}
			if test.want == "" {
				// The parser words the message; the position is ours.
				if !strings.HasPrefix(err.Error(), "OWN:") && !strings.HasPrefix(err.Error(), "REPO:") {
					t.Errorf("got %q, without its place", err)
				}
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("got more than a line: %q", err)
				}
				return
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
			if hint.Of(err) != test.wantHint {
				t.Errorf("hint %q, want %q", hint.Of(err), test.wantHint)
			}
		})
	}
}

// Files that would cost time, memory or stack are refused at once.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large files")
	}
	bomb := "a0: &a0 [x]\n"
	for i := 1; i < 30; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	steps := ""
	for i := 0; len(steps) < maxFile-1000; i++ {
		steps += strings.Repeat(" ", i) + "a:\n"
	}
	for name, content := range map[string]string{
		"alias bomb":     bomb,
		"brackets":       strings.Repeat("[", maxFile),
		"braces":         strings.Repeat("{a: ", maxFile/4),
		"dashes":         strings.Repeat("- ", maxFile/2),
		"question marks": strings.Repeat("? ", maxFile/2),
		"anchors":        strings.Repeat("&a ", maxFile/3),
		"tags":           strings.Repeat("!a ", maxFile/3),
		"stairs":         steps,
		"colons":         strings.Repeat("a: ", maxFile/3),
		"quotes":         "a: \"" + strings.Repeat("\\\"", maxFile/2-2),
		"zero bytes":     strings.Repeat("\x00", maxFile),
		"not UTF-8":      "paths:\n  code: [\"\xff\"]\n",
		"documents":      strings.Repeat("---\n", maxFile/4-1) + "a: b",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if got, _, err := (world{repository: content}).load(t); err == nil {
				t.Errorf("no error, but %+v", got)
			} else if len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			} else {
				t.Log(took)
			}
		})
	}
}

func TestOwnFile(t *testing.T) {
	for _, test := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"home", map[string]string{"HOME": "/h"}, "/h/.config/cortex/config.yml"},
		{"XDG", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, "/x/cortex/config.yml"},
		{"relative XDG is ignored", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "x"}, "/h/.config/cortex/config.yml"},
		{"USERPROFILE", map[string]string{"USERPROFILE": "/u"}, "/u/.config/cortex/config.yml"},
		{"no home", nil, ""},
	} {
		if got := filepath.ToSlash(ownFile(func(name string) string { return test.env[name] })); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestFindRoot(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := FindRoot(deep); got != deep {
		t.Errorf("without a store: got %q, want %q", got, deep)
	}
	// A file called .cortex is no store.
	write(t, filepath.Join(root, "a", Dir), "")
	if err := os.Mkdir(filepath.Join(root, Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{deep, root} {
		if got := FindRoot(dir); got != root {
			t.Errorf("from %s: got %q, want %q", dir, got, root)
		}
	}
	t.Chdir(deep)
	if got, err := filepath.EvalSymlinks(FindRoot(".")); err != nil || got != mustEval(t, root) {
		t.Errorf("from a relative path: got %q, %v", got, err)
	}
}

// The index of a repository leaves out linked worktrees inside of it (see package source), so FindRoot does not select
// it in them.
func TestFindRootInAWorktree(t *testing.T) {
	base := t.TempDir()
	in := func(path string) string { return filepath.Join(base, path) }
	worktree := func(path, git string) { write(t, filepath.Join(in(path), ".git"), "gitdir: "+git+"\n") }
	for _, dir := range []string{
		".cortex", "main/.cortex", "main/.git", "main/wt/x/sub", "main/wt/own/.cortex", "main/module/sub", "main/foreign", "main/below/.cortex", "main/below/y",
		"out/.cortex", "out/in/sub", "beside/sub", "plain/.git", "plain/wt",
	} {
		if err := os.MkdirAll(in(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	real := mustEval(t, base)
	list := filepath.Join(real, "main/.git/worktrees")
	worktree("main/wt/x", "../../.git/worktrees/x")
	worktree("main/wt/own", list+"/own")
	worktree("main/below/y", list+"/y")
	worktree("main/module", "../.git/modules/module")
	worktree("main/foreign", filepath.Join(real, "other/.git/worktrees/foreign"))
	worktree("out", list+"/out")
	worktree("out/in", list+"/in")
	worktree("beside", list+"/beside")
	worktree("plain/wt", "../.git/worktrees/wt")
	for dir, want := range map[string]string{
		"main": "main", "main/wt": "main",
		"main/wt/x": "main/wt/x", "main/wt/x/sub": "main/wt/x/sub", "main/wt/own": "main/wt/own", "main/below/y": "main/below/y",
		"main/module/sub": "main", "main/foreign": "main",
		"out": "out", "out/in/sub": "out/in/sub",
		// The index of the folder around both repositories covers them.
		"beside/sub": ".", "plain": ".",
		"plain/wt": "plain/wt",
	} {
		if got := FindRoot(in(dir)); got != in(want) {
			t.Errorf("in %s: got %s, want %s", dir, got, in(want))
		}
	}
	t.Chdir(in("main/wt/x/sub"))
	if got := FindRoot("."); got != "." {
		t.Errorf("got %q", got)
	}
}

func mustEval(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHelp(t *testing.T) {
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	fs.SortFlags = false
	Flags(fs, "chunking")
	want := `      --strategies TIERS        the tiers of code chunks to make (default symbols,definitions,data,implementations)
      --doc-chunk-size CHARS    characters in a chunk of documentation (default 1000)
      --code-chunk-size CHARS   characters in a chunk of code (default 2000)
      --overlap BYTES           bytes that two chunks share where no syntax says where to cut (default 300)
`
	if got := fs.FlagUsages(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "a: b", "paths:\n  code: [a, 'b', \"c\"]\n", "a: |\n x\n", "- a\n", "a: {b: 1, c: .inf}", "? a\n: b", "--- a\n...", "%YAML 1.2\n---\n", "a:\n\tb: c"} {
		f.Add([]byte(s))
	}
	table := keys()
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := decode(data)
		if err != nil {
			return
		}
		var c Config
		if err := apply(&c, table, "f", entries); err == nil {
			for _, p := range slices.Concat(c.Paths.Code, c.Paths.Docs, c.Paths.Ignore) {
				if err := checkPattern(p); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// TestNearestOfASection: a misspelt section is taken for the section, not for a key of another one.
func TestNearestOfASection(t *testing.T) {
	for name, want := range map[string]string{
		"embeding": "embedding", "serch": "search", "dimension": "embedding.dimensions", "overlap": "chunking.overlap", "embeding.model": "embedding.model", "bogus": "",
	} {
		if got := nearest(keys(), name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
