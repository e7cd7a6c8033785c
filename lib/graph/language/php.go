package language

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// phpRules returns the rules of PHP. Names are found by their namespaces, not by files. Of several declarations of one
// class, the one counts that an autoloader finds by PSR-4.
func phpRules() Rules {
	return Rules{
		Languages: []string{"php"},
		Foreign:   true,
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return newPHPTree(files) },
		Package:   func(_ *facts.Tree, f *facts.File) string { return namespaceKey(f.Package) },
		Wide:      true,
		Import:    importPHP,
		Absolute:  absolutePHP,
		Builtin: func(name string, member bool) bool {
			return !member && phpBuiltins[strings.ToLower(name)] || member && phpMethods[name]
		},
	}
}

// globalNamespace is the key of the global namespace.
const globalNamespace = `\`

func namespaceKey(name string) string { return cmp.Or(strings.Trim(name, `\`), globalNamespace) }

// splitNamespace splits a qualified name into the key of its namespace and the last part.
func splitNamespace(name string) (key, last string) {
	name = strings.Trim(name, `\`)
	i := strings.LastIndexByte(name, '\\')
	return namespaceKey(name[:max(i, 0)]), name[i+1:]
}

// A phpTree has the declarations and namespaces of a tree.
type phpTree struct {
	// declared has the qualified names of functions, types and constants, in lower case since PHP ignores case.
	declared map[string]bool
	// known has the namespaces and their parents.
	known map[string]bool
	// aliases has the names that each file imports, by their local names.
	aliases map[*facts.File]map[string]string
	// folders has the folders of PSR-4 by the prefix of names, the longest prefix first.
	folders []record.Mapping
}

func newPHPTree(files []*facts.File) *phpTree {
	n := &phpTree{declared: map[string]bool{}, known: map[string]bool{}, aliases: map[*facts.File]map[string]string{}}
	for _, f := range files {
		for _, m := range f.Mappings {
			if path.Base(f.Path) == "composer.json" && len(n.folders) < maxFolders {
				n.folders = append(n.folders, record.Mapping{Module: strings.Trim(strings.TrimSuffix(m.Module, "*"), `\`), Path: strings.TrimSuffix(m.Path, "/*")})
			}
		}
		if f.Language != "php" {
			continue
		}
		key := namespaceKey(f.Package)
		for parent := key; !n.known[parent] && parent != globalNamespace; parent, _ = splitNamespace(parent) {
			n.known[parent] = true
		}
		n.aliases[f] = aliasesOf(f)
		for d := range f.Declarations() {
			if d.Name == d.Qualified {
				n.declared[strings.ToLower(key+`\`+d.Name)] = true
			}
		}
	}
	slices.SortStableFunc(n.folders, func(a, b record.Mapping) int { return cmp.Compare(len(b.Module), len(a.Module)) })
	return n
}

func (n *phpTree) declares(key, name string) bool {
	return n.declared[strings.ToLower(key+`\`+name)]
}

// file returns the file in which PSR-4 expects a class, nil if it does not declare the class.
func (n *phpTree) file(t *facts.Tree, key, name string) *facts.File {
	whole := strings.TrimLeft(key+`\`+name, `\`)
	for _, m := range n.folders {
		rest, ok := strings.CutPrefix(whole, m.Module)
		if !ok || m.Module != "" && !strings.HasPrefix(rest, `\`) {
			continue
		}
		f := t.File(path.Join(m.Path, strings.ReplaceAll(rest, `\`, "/")+".php"))
		if f != nil && namespaceKey(f.Package) == key && f.Declaration(name) != nil {
			return f
		}
	}
	return nil
}

// named returns the meaning of a qualified name; false if the tree does not declare it.
func (n *phpTree) named(t *facts.Tree, name string) (Import, bool) {
	key, last := splitNamespace(name)
	if !n.declares(key, last) {
		return Import{}, false
	}
	if f := n.file(t, key, last); f != nil {
		return Import{Files: []*facts.File{f}, Name: last}, true
	}
	return Import{Package: key, Name: last}, true
}

// importPHP returns the meaning of a "use" declaration or of an included file.
func importPHP(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	n := t.Prepared(f).(*phpTree)
	if strings.HasSuffix(ref.Module, ".php") || strings.HasSuffix(ref.Module, ".inc") {
		for _, folder := range []string{path.Dir(f.Path), "."} {
			if file := t.File(path.Join(folder, strings.TrimLeft(ref.Module, "/"))); file != nil {
				return []Import{{Files: []*facts.File{file}}}
			}
		}
		return nil
	}
	name := strings.Trim(ref.Module, `\`)
	if ref.Name != "" {
		name += `\` + ref.Name
	}
	_, last := splitNamespace(name)
	local := cmp.Or(ref.Alias, last)
	var all []Import
	if i, ok := n.named(t, name); ok {
		i.Local = local
		all = append(all, i)
	}
	if n.known[name] {
		all = append(all, Import{Local: local, Package: name})
	}
	if len(all) == 0 {
		all = append(all, Import{Local: local, External: name})
	}
	return all
}

// absolutePHP finds qualified names, from the namespace of the file or from the root, and functions in the global
// namespace.
func absolutePHP(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	n := t.Prepared(f).(*phpTree)
	own := namespaceKey(f.Package)
	for count := min(len(parts), 8); count > 0; count-- {
		name := strings.Join(parts[:count], `\`)
		if count > 1 && own != globalNamespace {
			if i, ok := n.named(t, own+`\`+name); ok {
				return i, count
			}
		}
		if i, ok := n.named(t, name); ok {
			return i, count
		}
	}
	for count := min(len(parts), 8); count > 0; count-- {
		name := strings.Join(parts[:count], `\`)
		if own != globalNamespace && n.known[own+`\`+name] {
			return Import{Package: own + `\` + name}, count
		}
		if n.known[name] {
			return Import{Package: name}, count
		}
	}
	if len(parts) > 1 {
		if i, count := n.aliased(t, f, parts); count > 0 {
			return i, count
		}
	}
	if c := (parts[0] + " ")[0]; 'A' <= c && c <= 'Z' && (len(parts) > 1 || phpBuiltins[strings.ToLower(parts[0])]) {
		return Import{External: strings.Join(parts, `\`)}, len(parts)
	}
	return Import{}, 0
}

// aliasesOf returns the names that a file imports, by their local names.
func aliasesOf(f *facts.File) map[string]string {
	aliases := map[string]string{}
	for ref := range f.EachReference() {
		if ref.Relation != record.Imports || ref.Module == "" {
			continue
		}
		name := strings.Trim(ref.Module+`\`+ref.Name, `\`)
		_, last := splitNamespace(name)
		if local := cmp.Or(ref.Alias, last); aliases[local] == "" {
			aliases[local] = name
		}
	}
	return aliases
}

// aliased returns the meaning of a path that begins with an imported namespace which itself declares nothing.
func (n *phpTree) aliased(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	name := n.aliases[f][parts[0]]
	if name == "" {
		return Import{}, 0
	}
	for count := min(len(parts), 8); count > 1; count-- {
		if i, ok := n.named(t, name+`\`+strings.Join(parts[1:count], `\`)); ok {
			return i, count
		}
	}
	return Import{External: name}, 1
}

// phpBuiltins has functions and types of PHP itself, in lower case.
var phpBuiltins = wordSet(`abs array_chunk array_column array_combine array_diff array_diff_key array_fill array_filter array_flip
	array_intersect array_intersect_key array_is_list array_key_exists array_key_first array_key_last array_keys array_map array_merge array_pad array_pop array_push
	array_reduce array_replace array_reverse array_search array_shift array_slice array_splice array_sum array_unique array_unshift
	array_values array_walk arsort asort assert base64_decode base64_encode basename bin2hex call_user_func call_user_func_array ceil chr
	class_exists class_implements compact constant copy count curl_exec curl_init curl_setopt date define defined dirname error_log error_reporting
	escapeshellarg exec explode extension_loaded extract fclose feof fgets file file_exists file_get_contents file_put_contents filemtime
	floor fopen fread func_get_args function_exists fwrite get_class get_object_vars get_parent_class getcwd getenv gettype glob hash
	header htmlspecialchars http_build_query implode in_array ini_get ini_set intdiv interface_exists is_a is_array is_bool is_callable
	is_dir is_file is_float is_int is_iterable is_null is_numeric is_object is_readable is_resource is_scalar is_string is_subclass_of is_writable
	iterator_to_array json_decode json_encode key ksort lcfirst ltrim max mb_strlen mb_strpos mb_strtolower mb_strtoupper mb_strwidth mb_substr md5
	method_exists microtime min mkdir mt_rand next number_format ob_get_clean ob_start openssl_encrypt ord parse_str parse_url preg_last_error
	preg_match preg_match_all preg_quote preg_replace preg_replace_callback preg_split print_r printf property_exists rand random_bytes random_int range
	rawurlencode realpath rename reset restore_error_handler round rsort rtrim scandir serialize set_error_handler set_exception_handler sha1
	shell_exec sleep sort spl_autoload_register spl_object_hash spl_object_id sprintf str_contains str_ends_with str_pad str_repeat
	str_replace str_split str_starts_with strcasecmp strcmp stream_context_create stream_get_contents strlen strncmp strpos strrev strrpos
	strstr strtolower strtotime strtoupper strtr strval substr substr_count sys_get_temp_dir tempnam time touch trigger_error trim uasort
	ucfirst ucwords uksort uniqid unlink unserialize unset urlencode usleep usort var_dump var_export version_compare vsprintf iterator_count end current
	array allowdynamicproperties arrayaccess arrayiterator arrayobject attribute backedenum badfunctioncallexception
	badmethodcallexception closure countable dateinterval datetime datetimeimmutable datetimeinterface datetimezone deprecated directoryiterator domdocument
	domainexception error errorexception exception filteriterator generator infiniteiterator intlchar invalidargumentexception
	iterator iteratoraggregate jsonexception jsonserializable lengthexception logicexception outofboundsexception outofrangeexception overflowexception
	override pdo pdoexception recursivedirectoryiterator recursiveiteratoriterator reflectionclass reflectionexception reflectionfunction
	reflectionmethod reflectionnamedtype reflectionobject reflectionproperty regexiterator returntypewillchange rangeexception runtimeexception
	sensitiveparameter simplexmlelement splfileinfo splfileobject splobjectstorage splpriorityqueue splqueue splstack stdclass stringable throwable traversable
	typeerror underflowexception unexpectedvalueexception unitenum valueerror weakmap weakreference ziparchive`)

// phpMethods has methods of PHP's own types, and of test libraries, that types of a tree often have too.
var phpMethods = wordSet(`__construct __destruct __get __set __call __tostring __invoke getMessage getCode getPrevious getFile getLine
	getTrace getTraceAsString format modify getTimestamp setTimezone diff add sub current key next rewind valid count offsetGet offsetSet
	offsetExists offsetUnset getIterator jsonSerialize getName newInstance newInstanceArgs newInstanceWithoutConstructor getParameters getMethod getMethods
	getProperty getProperties setAccessible invoke invokeArgs getValue setValue isSubclassOf implementsInterface getShortName getDocComment
	getAttributes bind bindTo call fromCallable prepare execute fetch fetchAll query getPathname getRealPath getFilename getExtension getBasename isDir isFile
	push pop shift attach detach contains insert top extract expects method with willReturn willReturnCallback once never
	assertSame assertEquals assertTrue assertFalse assertNull assertCount assertInstanceOf get set has all first toArray`)
