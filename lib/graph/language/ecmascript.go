package language

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// ecmascriptRules returns the rules of JavaScript and TypeScript. Modules are found as by TypeScript's "bundler"
// resolution. If the manifest of a package in the tree names a file that a build makes, its source is taken instead.
func ecmascriptRules() Rules {
	return Rules{
		Languages: []string{"javascript", "typescript", "tsx", "vue", "svelte"},
		Foreign:   true,
		Prepare:   func(t *facts.Tree, files []*facts.File) any { return newModules(t, files) },
		Import:    importECMAScript,
		Absolute:  globalECMAScript,
		Getters:   true,
		Default:   defaultExport,
		Passes:    passECMAScript,
		Builtin:   isBuiltinECMAScript,
	}
}

// passECMAScript returns what members of arrays, sets and maps return.
func passECMAScript(name string) Pass {
	switch name {
	case "filter", "slice", "splice", "concat", "reverse", "toReversed", "sort", "toSorted", "values":
		return PassList
	case "find", "findLast", "at", "pop", "shift", "get":
		return PassItem
	}
	return PassNothing
}

// importECMAScript returns the meaning of an import. One without a module exports a name of the file under another
// name. A whole module imported under a name is its default export if it has one: ES and CommonJS modules import each
// other so.
func importECMAScript(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	local := cmp.Or(ref.Alias, ref.Name)
	if ref.Module == "" {
		if local == "=" || local == "exports" {
			local = defaultExport
		}
		if local == ref.Name {
			return nil
		}
		return []Import{{Local: local, Files: []*facts.File{f}, Name: ref.Name}}
	}
	files := t.Prepared(f).(*modules).find(t, f, ref.Module)
	external := ""
	if len(files) == 0 {
		external = ref.Module
	}
	switch {
	case ref.Name == "*" && ref.Alias == "":
		return []Import{{All: true, Files: files, External: external}}
	case ref.Name == "*", ref.Name == "" && ref.Alias == "":
		return []Import{{Local: ref.Alias, Files: files, External: external}}
	case ref.Name == "" || ref.Name == defaultExport:
		if external != "" {
			return []Import{{Local: local, External: external, Name: defaultExport}}
		}
		return []Import{{Local: local, Files: files, Name: defaultExport}, {Local: local, Files: files}}
	}
	return []Import{{Local: local, Files: files, External: external, Name: ref.Name}}
}

// defaultExport is the name of the default export of a module.
const defaultExport = "default"

// modules has the packages and path mappings of a tree.
type modules struct {
	// packages has the folders of packages by name, names their names by folder.
	packages map[string][]packageFolder
	names    map[string]string
	// paths has the mappings of tsconfig files, import maps and the like, by folder.
	paths map[string][]record.Mapping
	// own has the mappings of names that begin with "#", by the folder of the package.
	own map[string][]record.Mapping
}

// A packageFolder is a package: its folder and the mappings of its manifest.
type packageFolder struct {
	folder   string
	mappings []record.Mapping
}

func newModules(_ *facts.Tree, files []*facts.File) *modules {
	m := &modules{packages: map[string][]packageFolder{}, names: map[string]string{}, paths: map[string][]record.Mapping{}, own: map[string][]record.Mapping{}}
	for _, f := range files {
		folder, base := path.Dir(f.Path), path.Base(f.Path)
		switch {
		case len(f.Mappings) == 0:
		case base == "package.json":
			m.addPackage(folder, f.Mappings)
		case strings.HasPrefix(base, "tsconfig") || strings.HasPrefix(base, "jsconfig") || strings.HasPrefix(base, "deno.json") || strings.HasPrefix(base, "import_map"):
			if base == "tsconfig.json" || base == "jsconfig.json" {
				m.paths[folder] = slices.Concat(f.Mappings, m.paths[folder])
			} else {
				m.paths[folder] = append(m.paths[folder], f.Mappings...)
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(m.paths)) {
		slices.SortStableFunc(m.paths[folder], func(a, b record.Mapping) int { return cmp.Compare(specificity(b.Module), specificity(a.Module)) })
	}
	return m
}

// specificity ranks patterns: the greatest are those without "*", then those with more text before it.
func specificity(pattern string) int {
	if i := strings.IndexByte(pattern, '*'); i >= 0 {
		return i
	}
	return 1 << 20
}

func (m *modules) addPackage(folder string, mappings []record.Mapping) {
	name := ""
	for _, mapping := range mappings {
		if strings.HasPrefix(mapping.Module, "#") {
			m.own[folder] = append(m.own[folder], mapping)
		} else if name == "" {
			name = mapping.Module
		}
	}
	if name != "" {
		m.packages[name] = append(m.packages[name], packageFolder{folder, mappings})
		m.names[folder] = name
	}
}

// find returns the file that the module name means in f, nil if it is outside of the tree. If a file of JavaScript imports
// one that has its types in a file beside it, the declarations are in the first, and the others in the second.
func (m *modules) find(t *facts.Tree, f *facts.File, module string) []*facts.File {
	module, _, _ = strings.Cut(module, "?") // options for bundlers
	var found *facts.File
	switch {
	case module == "":
	case module == "." || module == ".." || strings.HasPrefix(module, "./") || strings.HasPrefix(module, "../"):
		place := path.Join(path.Dir(f.Path), module)
		if found = m.at(t, place, !strings.HasSuffix(module, "/") && module != "." && module != ".."); found == nil {
			found = m.ofPackage(t, f, place)
		}
	case strings.HasPrefix(module, "/"):
		found = m.fromRoot(t, f, module)
	case strings.HasPrefix(module, "#"):
		found = m.mapped(t, m.own, f, module)
	}
	if found == nil && module != "" && module[0] != '.' {
		if found = m.mapped(t, m.paths, f, module); found == nil {
			found = m.inPackage(t, f, module)
		}
	}
	if found == nil {
		return nil
	}
	if stem, ok := strings.CutSuffix(found.Path, ".d.ts"); ok && f.Language == "javascript" {
		if code := t.File(stem + ".js"); code != nil {
			return []*facts.File{code, found}
		}
	}
	return []*facts.File{found}
}

// ofPackage finds the main file of the package whose folder is place, or the source of the file place that a build of the
// package around f makes.
func (m *modules) ofPackage(t *facts.Tree, f *facts.File, place string) *facts.File {
	if name := m.names[place]; name != "" {
		i := slices.IndexFunc(m.packages[name], func(p packageFolder) bool { return p.folder == place })
		return m.within(t, m.packages[name][i], name, "")
	}
	for folder := range record.Folders(f.Path) {
		if m.names[folder] != "" {
			return m.sourceOf(t, folder, place)
		}
	}
	return nil
}

// fromRoot finds a module by its path from the root of a site: in the nearest folder around f that has it.
func (m *modules) fromRoot(t *facts.Tree, f *facts.File, module string) *facts.File {
	for folder := range record.Folders(f.Path) {
		if found := t.File(path.Join(folder, module)); found != nil {
			return found
		}
	}
	return nil
}

// mapped finds a module by the mappings of the folders around f, the nearest first.
func (m *modules) mapped(t *facts.Tree, mappings map[string][]record.Mapping, f *facts.File, module string) *facts.File {
	if len(mappings) == 0 {
		return nil
	}
	for folder := range record.Folders(f.Path) {
		for _, mapping := range mappings[folder] {
			if place, ok := matchPattern(mapping, module); ok {
				if found := m.at(t, place, true); found != nil {
					return found
				}
				if found := m.sourceOf(t, folder, place); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// matchPattern returns the path to which a mapping leads for a module; false if its pattern does not match.
func matchPattern(mapping record.Mapping, module string) (string, bool) {
	before, after, ok := strings.Cut(mapping.Module, "*")
	if !ok {
		return mapping.Path, module == mapping.Module
	}
	if len(module) < len(before)+len(after) || !strings.HasPrefix(module, before) || !strings.HasSuffix(module, after) {
		return "", false
	}
	return path.Clean(strings.Replace(mapping.Path, "*", module[len(before):len(module)-len(after)], 1)), true
}

// inPackage finds a module in a package of the tree; of several packages of the name, in the one nearest to f.
func (m *modules) inPackage(t *facts.Tree, f *facts.File, module string) *facts.File {
	name, rest := splitModule(module)
	folders := m.packages[name]
	if len(folders) == 0 {
		return nil
	}
	best := slices.MinFunc(folders, func(a, b packageFolder) int {
		return cmp.Or(cmp.Compare(facts.SharedFolders(b.folder+"/", f.Path), facts.SharedFolders(a.folder+"/", f.Path)), cmp.Compare(len(a.folder), len(b.folder)), cmp.Compare(a.folder, b.folder))
	})
	return m.within(t, best, module, rest)
}

// within finds a module in a package. rest is its path in the package.
func (m *modules) within(t *facts.Tree, p packageFolder, module, rest string) *facts.File {
	for _, mapping := range p.mappings {
		place, ok := matchPattern(mapping, module)
		if !ok || place == p.folder {
			continue
		}
		if found := m.at(t, place, true); found != nil {
			return found
		}
		if found := m.sourceOf(t, p.folder, place); found != nil {
			return found
		}
	}
	for _, place := range []string{"src", "", "lib", "source"} {
		if found := m.at(t, path.Join(p.folder, place, rest), rest != ""); found != nil {
			return found
		}
	}
	return nil
}

// splitModule splits the name of a module into the name of its package and the path in it.
func splitModule(module string) (name, rest string) {
	end := strings.IndexByte(module, '/')
	if end > 0 && module[0] == '@' {
		if next := strings.IndexByte(module[end+1:], '/'); next >= 0 {
			end += 1 + next
		} else {
			end = -1
		}
	}
	if end < 0 {
		return module, ""
	}
	return module[:end], module[end+1:]
}

// built lists usual output folders of builds.
var built = []string{"dist", "build", "lib", "out", "es", "esm", "cjs", "types", "umd"}

// sourceOf finds the source of a file that a build makes: src/a.ts for dist/a.js.
func (m *modules) sourceOf(t *facts.Tree, folder, place string) *facts.File {
	rest := strings.TrimPrefix(strings.TrimPrefix(place, folder), "/")
	if folder == "." {
		rest = place
	}
	dropped := 0
	for ; dropped < 3; dropped++ {
		first, after, ok := strings.Cut(rest, "/")
		if !ok || !slices.Contains(built, first) {
			break
		}
		rest = after
	}
	if dropped == 0 {
		return nil
	}
	for _, source := range []string{"src", "", "source"} {
		if found := m.at(t, path.Join(folder, source, rest), true); found != nil {
			return found
		}
	}
	return nil
}

// sources lists the endings of modules in the order in which they are tried.
var sources = []string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte", ".json"}

// compiled lists endings of compiled files with the endings of their sources.
var compiled = []struct {
	ending  string
	sources []string
}{
	{".d.ts", []string{".ts", ".tsx", ".d.ts"}},
	{".d.mts", []string{".mts"}},
	{".d.cts", []string{".cts", ".ts"}},
	{".js", []string{".ts", ".tsx", ".d.ts"}},
	{".jsx", []string{".tsx", ".d.ts"}},
	{".mjs", []string{".mts", ".d.mts", ".ts"}},
	{".cjs", []string{".cts", ".d.cts", ".ts"}},
}

// at finds the module at a path: the index file of the folder, or before it, if file is set, the file itself.
func (m *modules) at(t *facts.Tree, place string, file bool) *facts.File {
	if place == ".." || strings.HasPrefix(place, "../") {
		return nil
	}
	if file && place != "." {
		for _, c := range compiled {
			if stem, ok := strings.CutSuffix(place, c.ending); ok {
				for _, ending := range c.sources {
					if found := t.File(stem + ending); found != nil {
						return found
					}
				}
				break
			}
		}
		if found := t.File(place); found != nil {
			return found
		}
		for _, ending := range sources {
			if found := t.File(place + ending); found != nil {
				return found
			}
		}
	}
	for _, ending := range sources {
		if found := t.File(path.Join(place, "index"+ending)); found != nil {
			return found
		}
	}
	return nil
}

// globalECMAScript reports paths that begin with a global as external.
func globalECMAScript(_ *facts.Tree, _ *facts.File, parts []string) (Import, int) {
	if len(parts) > 0 && parts[0] != "require" && isBuiltinECMAScript(parts[0], false) {
		return Import{External: parts[0]}, 1
	}
	return Import{}, 0
}

// isBuiltinECMAScript reports whether a name is that of a global, or of a method of a standard object.
func isBuiltinECMAScript(name string, member bool) bool {
	return among(name, member, builtinECMAScript, builtinMembersECMAScript)
}

// The lists are sorted.
var (
	builtinECMAScript = strings.Fields(`AbortController AbortSignal AggregateError Array ArrayBuffer ArrayLike AsyncIterable AsyncIterator Atomics Awaited BigInt BigInt64Array
		BigUint64Array Blob Boolean Buffer CSS Capitalize ConstructorParameters CustomEvent DOMParser DataView Date Document Element Error EvalError
		Event EventSource EventTarget Exclude Extract File FileList FileReader FinalizationRegistry Float32Array Float64Array FormData Function
		Generator HTMLElement Headers History Infinity InstanceType Int16Array Int32Array Int8Array IntersectionObserver Intl Iterable
		IterableIterator Iterator JSON KeyboardEvent Location Lowercase Map Math MessageChannel MessageEvent MouseEvent MutationObserver NaN
		Navigator NoInfer Node NodeList NonNullable Notification Number Object Omit OmitThisParameter Parameters Partial Performance Pick
		PointerEvent Promise PromiseLike PropertyKey Proxy RangeError ReadableStream Readonly ReadonlyArray ReadonlyMap ReadonlySet Record
		ReferenceError Reflect RegExp Request Required ResizeObserver Response ReturnType Set SharedArrayBuffer Storage String Symbol SyntaxError
		TemplateStringsArray TextDecoder TextEncoder ThisParameterType ThisType TransformStream TypeError URIError URL URLSearchParams Uint16Array
		Uint32Array Uint8Array Uint8ClampedArray Uncapitalize Uppercase WeakMap WeakRef WeakSet WebAssembly WebSocket Window Worker WritableStream
		XMLHttpRequest afterAll afterEach alert atob beforeAll beforeEach bigint boolean btoa cancelAnimationFrame clearImmediate clearInterval
		clearTimeout confirm console crypto customElements decodeURI decodeURIComponent describe document encodeURI encodeURIComponent escape eval
		expect fetch getComputedStyle getSelection globalThis history isFinite isNaN it jest localStorage location matchMedia navigator number
		parseFloat parseInt performance process prompt queueMicrotask requestAnimationFrame requestIdleCallback require sessionStorage setImmediate
		setInterval setTimeout string structuredClone suite symbol test undefined unescape vi window`)
	builtinMembersECMAScript = strings.Fields(`abs add addEventListener appendChild apply assign at bind call catch ceil charAt charCodeAt clear codePointAt concat copyWithin
		createElement createTextNode debug delete dispatchEvent endsWith entries error every exec fill filter finally find findIndex findLast
		findLastIndex flat flatMap floor forEach freeze from get getAttribute getBoundingClientRect getElementById getElementsByClassName
		getElementsByTagName getTime has hasOwnProperty includes indexOf info insertBefore isArray isPrototypeOf join keys lastIndexOf localeCompare
		log map match matchAll max min mockImplementation mockReturnValue next normalize now of padEnd padStart pop preventDefault
		propertyIsEnumerable push querySelector querySelectorAll random reduce reduceRight removeAttribute removeChild removeEventListener repeat
		replace replaceAll reverse round search set setAttribute shift slice some sort splice split startsWith stopPropagation stringify substr
		substring table then toBe toBeDefined toBeFalsy toBeGreaterThan toBeInstanceOf toBeLessThan toBeNull toBeTruthy toBeUndefined toContain
		toEqual toFixed toHaveBeenCalled toHaveBeenCalledTimes toHaveBeenCalledWith toHaveLength toISOString toJSON toLocaleLowerCase toLocaleString
		toLocaleUpperCase toLowerCase toMatch toMatchInlineSnapshot toMatchObject toMatchSnapshot toPrecision toReversed toSorted toSpliced
		toStrictEqual toString toThrow toThrowError toUpperCase trace trim trimEnd trimStart unshift valueOf values warn with`)
)
