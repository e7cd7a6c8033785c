// Package manifest reads manifests of packages and builds, such as go.mod and package.json. Mappings takes the text of
// a manifest and returns which module names mean which folders or files.
package manifest

import (
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"cortex/lib/parse/expression"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

// A manifest is a kind of manifest file and the function that reads it.
type manifest struct {
	// name is a glob of the file's base name.
	name string
	read func(m *mappings, text string)
}

// manifests returns the table of manifests.
func manifests() []manifest {
	return []manifest{
		{"go.mod", (*mappings).goMod},
		{"package.json", (*mappings).packageJSON},
		{"tsconfig*.json", (*mappings).compilerOptions},
		{"jsconfig*.json", (*mappings).compilerOptions},
		{"deno.json", (*mappings).importMap},
		{"deno.jsonc", (*mappings).importMap},
		{"import_map.json", (*mappings).importMap},
		{"composer.json", (*mappings).composer},
		{"Cargo.toml", (*mappings).cargo},
		{"pyproject.toml", (*mappings).pyproject},
		{"setup.cfg", (*mappings).setupConfig},
	}
}

const (
	// maxManifest is the size in bytes of the largest manifest that is read.
	maxManifest = 1 << 20
	// maxMappings bounds the mappings of a manifest.
	maxMappings = 2000
	// maxJSON bounds the nesting of JSON.
	maxJSON = 32
)

// mappings collects the mappings of one manifest in folder.
type mappings struct {
	folder string
	out    []record.Mapping
}

// Mappings returns the mappings of a file, nil if it is no manifest or cannot be read.
func Mappings(file, text string) []record.Mapping {
	if len(text) > maxManifest {
		return nil
	}
	base := path.Base(file)
	for _, kind := range manifests() {
		// The globs are constants.
		if ok, _ := path.Match(kind.name, base); ok {
			m := mappings{folder: path.Dir(file)}
			kind.read(&m, text)
			return m.out
		}
	}
	return nil
}

// add adds a mapping from a module to the path target, whose parts are relative to the manifest's folder. It ignores
// paths that leave the tree, and mappings with "*" on one side only.
func (m *mappings) add(module string, target ...string) {
	if len(module) > lexical.MaxName || len(m.out) >= maxMappings ||
		slices.ContainsFunc(target, func(t string) bool {
			return len(t) > lexical.MaxName || path.IsAbs(t) || strings.ContainsAny(t, "\\\x00")
		}) {
		return
	}
	at := path.Join(append([]string{m.folder}, target...)...)
	switch {
	case module == "" || len(at) > lexical.MaxName:
	case record.CheckFolder(at) != nil:
	case strings.Contains(module, "*") && !strings.Contains(at, "*"), !strings.Contains(module, "*") && strings.Contains(at, "*"):
	default:
		if one := (record.Mapping{Module: module, Path: at}); !slices.Contains(m.out[max(0, len(m.out)-100):], one) {
			m.out = append(m.out, one)
		}
	}
}

// isLocal reports whether a path in a manifest is relative.
func isLocal(target string) bool {
	return target == "." || target == ".." || strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../")
}

// goMod reads the name of the module and replacements by folders (https://go.dev/ref/mod#go-mod-file).
func (m *mappings) goMod(text string) {
	block := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case block != "" && words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		if len(words) < 2 {
			continue
		}
		for i := range words {
			words[i] = lexical.Unquote(words[i])
		}
		switch words[0] {
		case "module":
			m.add(words[1], ".")
		case "replace":
			if i := slices.Index(words, "=>"); i > 0 && i+1 < len(words) && isLocal(words[i+1]) {
				m.add(words[1], words[i+1])
			}
		}
	}
}

// A jsonValue is a JSON value that keeps the order of keys.
type jsonValue struct {
	text   string // set for strings
	keys   []string
	values []jsonValue // values of an object, elements of an array
}

var errDeep = errors.New("nested too deep")

// readJSON reads a JSON value that may have comments and trailing commas.
func readJSON(text string) (jsonValue, error) {
	return decodeJSON(json.NewDecoder(strings.NewReader(withoutJSONComments(text))), 0)
}

func decodeJSON(d *json.Decoder, depth int) (v jsonValue, err error) {
	if depth > maxJSON {
		return v, errDeep
	}
	t, err := d.Token()
	if err != nil {
		return v, err
	}
	switch t := t.(type) {
	case string:
		v.text = t
	case json.Delim:
		for d.More() {
			if t == '{' {
				key, err := d.Token()
				if err != nil {
					return v, err
				}
				name, _ := key.(string)
				v.keys = append(v.keys, name)
			}
			inner, err := decodeJSON(d, depth+1)
			if err != nil {
				return v, err
			}
			v.values = append(v.values, inner)
		}
		_, err = d.Token()
	}
	return v, err
}

// withoutJSONComments replaces comments and trailing commas with blanks.
func withoutJSONComments(text string) string {
	out := []byte(text)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			comma = -1
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := "\n"
			if out[i+1] == '*' {
				end = "*/"
			}
			n := strings.Index(text[i+2:], end)
			if n < 0 {
				n = len(text) - i - 2 - len(end)
			}
			for stop := i + 2 + n + len(end); i < stop && i < len(out); i++ {
				out[i] = ' '
			}
			i--
		case c == ',':
			comma = i
		case c == ']' || c == '}':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case !lexical.IsSpace(c):
			comma = -1
		}
	}
	return string(out)
}

// get returns the value of a key of an object, the zero value if there is none.
func (v jsonValue) get(key string) jsonValue {
	if i := slices.Index(v.keys, key); i >= 0 && i < len(v.values) {
		return v.values[i]
	}
	return jsonValue{}
}

// texts returns all strings in v in order, without keys.
func (v jsonValue) texts() []string {
	if v.text != "" {
		return []string{v.text}
	}
	var out []string
	for _, inner := range v.values {
		out = append(out, inner.texts()...)
	}
	return out
}

// packageJSON reads the package's name and its entry points (https://nodejs.org/api/packages.html). The first mapping
// is from the name to the folder.
func (m *mappings) packageJSON(text string) {
	v, err := readJSON(text)
	if err != nil {
		return
	}
	name := v.get("name").text
	if len(name) > lexical.MaxName {
		return
	}
	m.add(name, ".")
	for _, key := range []string{"source", "module", "main", "types", "typings", "browser"} {
		m.add(name, v.get(key).text)
	}
	exports := v.get("exports")
	points := len(exports.keys) > 0 && strings.HasPrefix(exports.keys[0], ".")
	if !points {
		m.addAll(name, exports)
	}
	for i, key := range exports.keys {
		if sub, ok := strings.CutPrefix(key, "./"); points && ok {
			m.addAll(name+"/"+sub, exports.values[i])
		} else if points && key == "." {
			m.addAll(name, exports.values[i])
		}
	}
	imports := v.get("imports")
	for i, key := range imports.keys {
		m.addAll(key, imports.values[i])
	}
}

func (m *mappings) addAll(module string, v jsonValue) {
	for _, target := range v.texts() {
		if strings.HasPrefix(target, "./") {
			m.add(module, target)
		}
	}
}

// compilerOptions reads baseUrl and paths of TypeScript's configuration (https://www.typescriptlang.org/tsconfig).
func (m *mappings) compilerOptions(text string) {
	v, err := readJSON(text)
	if err != nil {
		return
	}
	options := v.get("compilerOptions")
	base := options.get("baseUrl").text
	paths := options.get("paths")
	for i, pattern := range paths.keys {
		for _, target := range paths.values[i].texts() {
			m.add(pattern, base, target)
		}
	}
	if base != "" {
		m.add("*", base, "*")
	}
}

// importMap reads the imports of an import map (https://html.spec.whatwg.org/#import-maps).
func (m *mappings) importMap(text string) {
	v, err := readJSON(text)
	if err != nil {
		return
	}
	imports := v.get("imports")
	for i, key := range imports.keys {
		target := imports.values[i].text
		if !isLocal(target) {
			continue
		}
		if strings.HasSuffix(key, "/") {
			key, target = key+"*", target+"/*"
		}
		m.add(key, target)
	}
}

// composer reads the namespaces of PSR-4 and PSR-0 (https://getcomposer.org/doc/04-schema.md#autoload).
func (m *mappings) composer(text string) {
	v, err := readJSON(text)
	if err != nil {
		return
	}
	for _, section := range []string{"autoload", "autoload-dev"} {
		spaces := v.get(section).get("psr-4")
		for i, space := range spaces.keys {
			for _, target := range spaces.values[i].texts() {
				m.add(space+"*", target, "*")
			}
		}
	}
}

// cargo reads the name of the library and dependencies on folders (https://doc.rust-lang.org/cargo/reference/manifest.html).
func (m *mappings) cargo(text string) {
	name, lib, file := "", "", "."
	for _, e := range readTOML(text) {
		switch {
		case e.table == "package" && e.key == "name":
			name = e.value
		case e.table == "lib" && e.key == "name":
			lib = e.value
		case e.table == "lib" && e.key == "path":
			file = e.value
		}
	}
	if lib == "" {
		lib = name
	}
	m.add(strings.ReplaceAll(lib, "-", "_"), file)
	for _, e := range readTOML(text) {
		table, dependency := e.table, ""
		if i := strings.LastIndex(table, "dependencies."); i >= 0 {
			table, dependency = table[:i+len("dependencies")], table[i+len("dependencies."):]
		} else if i := strings.IndexByte(e.key, '.'); i >= 0 {
			dependency, e.key = e.key[:i], e.key[i+1:]
		}
		if strings.HasSuffix(table, "dependencies") && dependency != "" && e.key == "path" {
			m.add(strings.ReplaceAll(lexical.Unquote(dependency), "-", "_"), e.value)
		}
	}
}

// pyproject reads the folders that contain packages, from the settings of setuptools, Poetry, PDM and Hatch.
func (m *mappings) pyproject(text string) {
	for _, e := range readTOML(text) {
		switch {
		case e.table == "tool.setuptools.packages.find" && e.key == "where",
			e.table == "tool.setuptools.packages" && e.key == "find.where",
			e.table == "tool.setuptools.package-dir" && e.key == "",
			e.table == "tool.setuptools" && (e.key == "package-dir." || e.key == "packages.find.where"),
			e.table == "tool.poetry" && e.key == "packages.from",
			e.table == "tool.pdm.build" && e.key == "package-dir":
			m.add("*", e.value, "*")
		case strings.HasPrefix(e.table, "tool.hatch.build") && e.key == "packages" && strings.Contains(e.value, "/"):
			m.add("*", path.Dir(e.value), "*")
		}
	}
}

// setupConfig reads the same settings of setuptools from setup.cfg.
func (m *mappings) setupConfig(text string) {
	section, key := "", ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
			continue
		case trimmed[0] == '[':
			section, key = strings.Trim(trimmed, "[]"), ""
			continue
		case lexical.IsSpace(line[0]):
		default:
			key, trimmed, _ = strings.Cut(trimmed, "=")
			key, trimmed = strings.TrimSpace(key), strings.TrimSpace(trimmed)
		}
		if root, ok := strings.CutPrefix(trimmed, "="); ok && section == "options" && key == "package_dir" {
			m.add("*", strings.TrimSpace(root), "*")
		}
		if section == "options.packages.find" && key == "where" && trimmed != "" {
			m.add("*", trimmed, "*")
		}
	}
}

// A tomlEntry is a string in a TOML document. A key in an inline table follows the key of the table and a dot. Each
// string of an array is an entry of its own.
type tomlEntry struct{ table, key, value string }

// readTOML reads the strings of a TOML document (https://toml.io), as far as manifests need it.
func readTOML(text string) []tomlEntry {
	var out []tomlEntry
	table := ""
	for text != "" && len(out) < maxMappings {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			name, _, _ := strings.Cut(line, "#")
			table = strings.ReplaceAll(strings.Trim(strings.TrimSpace(name), "[]"), `"`, "")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		// An array or inline table continues to its closing bracket.
		for value = strings.TrimSpace(value); value != "" && (value[0] == '[' || value[0] == '{') && matchingTOML(value) < 0 && text != ""; {
			line, rest, _ := strings.Cut(text, "\n")
			text = rest
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
				value += " " + line
			}
			if len(value) > expression.MaxType*expression.MaxParts {
				break
			}
		}
		out = appendTOML(out, table, strings.Trim(strings.TrimSpace(key), `"'`), value, 0)
	}
	return out
}

// appendTOML appends the strings of a value.
func appendTOML(out []tomlEntry, table, key, value string, depth int) []tomlEntry {
	value = strings.TrimSpace(value)
	if value == "" || depth > expression.MaxParentheses {
		return out
	}
	switch c := value[0]; c {
	case '"', '\'':
		if end := strings.IndexByte(value[1:], c); end > 0 {
			out = append(out, tomlEntry{table, key, value[1 : 1+end]})
		}
	case '[', '{':
		end := matchingTOML(value)
		if end < 0 {
			return out
		}
		for rest := value[1:end]; rest != ""; {
			n := expression.TopComma(rest)
			one := rest
			if n >= 0 {
				one, rest = rest[:n], rest[n+1:]
			} else {
				rest = ""
			}
			if name, v, ok := strings.Cut(one, "="); ok && c == '{' {
				out = appendTOML(out, table, key+"."+strings.Trim(strings.TrimSpace(name), `"'`), v, depth+1)
			} else if c == '[' {
				out = appendTOML(out, table, key, one, depth+1)
			}
		}
	}
	return out
}

// matchingTOML returns the index of the bracket that closes the one at the start of s, -1 if there is none.
func matchingTOML(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			n := strings.IndexByte(s[i+1:], c)
			if n < 0 {
				return -1
			}
			i += n + 1
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
