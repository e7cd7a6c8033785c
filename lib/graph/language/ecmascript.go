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

// ecmascriptRules are those of JavaScript and TypeScript. Modules are found as TypeScript's "bundler" resolution finds them,
// but that packages of the tree lead to their sources where their manifests name files that a build would make.
func ecmascriptRules() Rules {
	return Rules{
		Languages: []string{"javascript", "typescript", "tsx", "vue", "svelte"},
		Foreign:   true,
		Prepare:   func(t *facts.Tree, files []*facts.File) any { return newModules(t, files) },
		Import:    importECMAScript,
		Absolute:  globalECMAScript,
		Getters:   true,
		Passes:    passECMAScript,
		Builtin:   isBuiltinECMAScript,
	}
}

// passECMAScript says what members of arrays, sets and maps give back.
func passECMAScript(name string) Pass {
	switch name {
	case "filter", "slice", "splice", "concat", "reverse", "toReversed", "sort", "toSorted", "values":
		return PassList
	case "find", "findLast", "at", "pop", "shift", "get":
		return PassItem
	}
	return PassNothing
}

// importECMAScript says what an import means. One without a module gives a name of the file away under another. What is
// imported as a whole under a name is the default export if there is one, as modules of both systems import each other.
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

// defaultExport is the name of what a module gives away as a whole.
const defaultExport = "default"

// Modules know where the modules of a tree lie.
type modules struct {
	// packages are the folders of the packages of each name.
	packages map[string][]packageFolder
	// paths are the mappings of the compiler's configurations by folder.
	paths map[string][]record.Mapping
	// own are the mappings of "#" names by folder of the package.
	own map[string][]record.Mapping
}

// A packageFolder is where a package lies.
type packageFolder struct {
	folder   string
	mappings []record.Mapping
}

func newModules(_ *facts.Tree, files []*facts.File) *modules {
	m := &modules{packages: map[string][]packageFolder{}, paths: map[string][]record.Mapping{}, own: map[string][]record.Mapping{}}
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

// specificity orders patterns: names without "*" first, then those with more before it.
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
	}
}

// find returns the file that a module is in a file, nil if that is outside of the tree.
func (m *modules) find(t *facts.Tree, f *facts.File, module string) []*facts.File {
	module, _, _ = strings.Cut(module, "?") // what bundlers are told
	var found *facts.File
	switch {
	case module == "":
	case module == "." || module == ".." || strings.HasPrefix(module, "./") || strings.HasPrefix(module, "../"):
		found = m.at(t, path.Join(path.Dir(f.Path), module), !strings.HasSuffix(module, "/") && module != "." && module != "..")
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
	return []*facts.File{found}
}

// fromRoot finds what a page or a bundler takes from the root of its site: the nearest folder that has it.
func (m *modules) fromRoot(t *facts.Tree, f *facts.File, module string) *facts.File {
	for folder := range record.Folders(f.Path) {
		if found := t.File(path.Join(folder, module)); found != nil {
			return found
		}
	}
	return nil
}

// mapped finds a module by the mappings of the folders around a file, the nearest first.
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

// matchPattern is the place of a module by a mapping.
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

// inPackage finds a module of a package of the tree, of several of that name in the one nearest to the file.
func (m *modules) inPackage(t *facts.Tree, f *facts.File, module string) *facts.File {
	name, rest := splitModule(module)
	folders := m.packages[name]
	if len(folders) == 0 {
		return nil
	}
	best := slices.MinFunc(folders, func(a, b packageFolder) int {
		return cmp.Or(cmp.Compare(facts.SharedFolders(b.folder+"/", f.Path), facts.SharedFolders(a.folder+"/", f.Path)), cmp.Compare(len(a.folder), len(b.folder)), cmp.Compare(a.folder, b.folder))
	})
	for _, mapping := range best.mappings {
		place, ok := matchPattern(mapping, module)
		if !ok || place == best.folder {
			continue
		}
		if found := m.at(t, place, true); found != nil {
			return found
		}
		if found := m.sourceOf(t, best.folder, place); found != nil {
			return found
		}
	}
	for _, place := range []string{"src", "", "lib", "source"} {
		if found := m.at(t, path.Join(best.folder, place, rest), rest != ""); found != nil {
			return found
		}
	}
	return nil
}

// splitModule is the name of the package of a module and the path in it.
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

// built are folders that builds make, of sources in src or beside them.
var built = []string{"dist", "build", "lib", "out", "es", "esm", "cjs", "types", "umd"}

// sourceOf finds the source of a file that a build would make: dist/a.js is src/a.ts.
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

// sources are endings of modules in the order in which they are tried.
var sources = []string{".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte", ".json"}

// compiled are endings of what is compiled and those of its sources.
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

// at finds the module at a place, which may be a file or, unless that is no file, a folder.
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

// globalECMAScript says that a path begins with something that is there without an import.
func globalECMAScript(_ *facts.Tree, _ *facts.File, parts []string) (Import, int) {
	if len(parts) > 0 && parts[0] != "require" && isBuiltinECMAScript(parts[0], false) {
		return Import{External: parts[0]}, 1
	}
	return Import{}, 0
}

// isBuiltinECMAScript knows the globals and the methods of the standard objects.
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
