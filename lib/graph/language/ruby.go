package language

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// rubyRules returns the rules of Ruby. All loaded code is visible everywhere, so the tree is one package. Names are
// looked up through the modules around them. A method is called by its bare name.
func rubyRules() Rules {
	return Rules{
		Languages:     []string{"ruby"},
		Prepare:       func(_ *facts.Tree, files []*facts.File) any { return newRubyTree(files) },
		Package:       func(*facts.Tree, *facts.File) string { return "ruby" },
		Wide:          true,
		Import:        importRuby,
		Absolute:      absoluteRuby,
		ImplicitThis:  true,
		FileFunctions: true,
		Getters:       true,
		CalledFields:  true,
		Constructors:  []string{"new"},
		Builtin: func(name string, member bool) bool {
			if member {
				return rubyMethods[name] || rubyBuiltins[name]
			}
			return rubyBuiltins[name]
		},
	}
}

// A rubyTree has what the rules need to know of a tree.
type rubyTree struct {
	// folders lists where a required file is looked for: lib, test and spec of a gem, and the folders in app/ of an
	// application.
	folders []string
	// constants has the names of declarations that begin with a capital letter.
	constants map[string]bool
}

func newRubyTree(files []*facts.File) *rubyTree {
	r := &rubyTree{constants: map[string]bool{}}
	seen := map[string]bool{}
	for _, f := range files {
		if f.Language != "ruby" {
			continue
		}
		for d := range f.Declarations() {
			if isConstant(d.Name) {
				r.constants[d.Name] = true
			}
		}
		for folder := range record.Folders(f.Path) {
			if folder == "." || seen[folder] {
				break
			}
			seen[folder] = true
			switch path.Base(folder) {
			case "lib", "test", "spec":
			default:
				if path.Base(path.Dir(folder)) != "app" {
					continue
				}
			}
			if len(r.folders) < maxFolders {
				r.folders = append(r.folders, folder)
			}
		}
	}
	slices.Sort(r.folders)
	r.folders = append(r.folders, ".")
	return r
}

func isConstant(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// absoluteRuby reports constants that no file of the tree declares as external: they belong to Ruby or to a gem.
func absoluteRuby(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	if !isConstant(parts[0]) || t.Prepared(f).(*rubyTree).constants[parts[0]] {
		return Import{}, 0
	}
	n := 1
	for n < len(parts) && isConstant(parts[n]) {
		n++
	}
	return Import{External: strings.Join(parts[:n], ".")}, n
}

// importRuby finds a required file. A name that begins with a dot is relative to the folder of f.
func importRuby(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	folder := path.Dir(f.Path)
	if strings.HasPrefix(ref.Module, ".") {
		if file := rubyFile(t, path.Join(folder, ref.Module)); file != nil {
			return []Import{{All: true, Files: []*facts.File{file}}}
		}
		return nil
	}
	var best *facts.File
	for _, root := range t.Prepared(f).(*rubyTree).folders {
		file := rubyFile(t, path.Join(root, ref.Module))
		if file != nil && file != f && (best == nil || cmp.Compare(facts.SharedFolders(f.Path, file.Path), facts.SharedFolders(f.Path, best.Path)) > 0) {
			best = file
		}
	}
	if best != nil {
		return []Import{{All: true, Files: []*facts.File{best}}}
	}
	return []Import{{External: ref.Module}}
}

func rubyFile(t *facts.Tree, name string) *facts.File {
	name = path.Clean(name)
	for _, ending := range []string{".rb", ""} {
		if f := t.File(name + ending); f != nil && f.Language == "ruby" {
			return f
		}
	}
	return nil
}

// rubyBuiltins has methods of Kernel and Module, and constants of Ruby itself.
var rubyBuiltins = wordSet(`abort alias_method at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given? caller
	caller_locations catch class_eval const_get const_missing define_method eval exit exit! extend fail fork format freeze gets global_variables include inspect
	instance_variable_get instance_variable_set lambda load local_variables loop method_missing module_function open p pp prepend print printf private
	private_class_method private_constant proc protected public public_send putc puts raise rand readline readlines refine require
	require_relative respond_to? select send set_trace_func sleep spawn sprintf srand syscall system test throw trap using warn
	__method__ __dir__ __FILE__ Array Complex Float Hash Integer Rational String class hash method methods object_id super dup clone tap then itself new
	ArgumentError BasicObject Bignum Binding Class ClosedQueueError Comparable ConditionVariable Data Date DateTime Dir ENV ENVIRONMENT EOFError Encoding
	EncodingError Enumerable Enumerator Errno Exception FalseClass Fiber File FileTest FileUtils FloatDomainError FrozenError GC IO IOError IndexError
	Interrupt JSON Kernel KeyError LoadError LocalJumpError Logger Marshal MatchData Math Method Module Monitor Mutex NameError NilClass
	NoMatchingPatternError NoMethodError NotImplementedError Numeric Object ObjectSpace OpenStruct Pathname Proc Process Queue Ractor Random Range RangeError
	Regexp RegexpError RbConfig RuntimeError SecureRandom Set Shellwords Signal SignalException StandardError StopIteration StringIO StringScanner Struct
	Symbol SyntaxError SystemCallError SystemExit SystemStackError Tempfile Thread ThreadError Time Timeout TracePoint TrueClass TypeError UnboundMethod
	UncaughtThrowError URI YAML ZeroDivisionError ARGV DATA RUBY_ENGINE RUBY_PLATFORM RUBY_VERSION STDERR STDIN STDOUT`)

// rubyMethods has methods of the core classes.
var rubyMethods = wordSet(`abs all? any? append assoc at bytes bytesize call capitalize ceil center chars chomp chop clear close closed? collect compact
	compare_by_identity concat count cover? cycle deep_dup default delete delete_at delete_if detect dig digits downcase drop drop_while each each_char
	each_cons each_entry each_key each_line each_pair each_slice each_value each_with_index each_with_object empty? encode encoding end_with? entries eql? equal? except
	exist? fetch fetch_values fill filter filter_map find find_all find_index first flat_map flatten floor flush force_encoding frozen? gsub gsub! group_by has_key? has_value?
	include? index inject insert instance_of? intersect? intersection is_a? join keep_if key key? keys kind_of? last length lines ljust lstrip map map! match match?
	max max_by member? merge merge! message min min_by minmax name nil? none? nonzero? one? ord pack partition pop positive? prepend product push
	read rassoc reduce reject reject! replace reverse reverse_each rewind rindex rjust rotate round rpartition rstrip sample scan select select! shift shuffle
	size slice slice! sort sort! sort_by sort_by! split squeeze start_with? step store strip sub sub! sum swapcase take take_while tally times to_a to_ary
	to_c to_enum to_f to_h to_hash to_i to_int to_json to_path to_proc to_r to_s to_str to_sym tr transform_keys transform_values transpose truncate union uniq uniq! unpack
	unshift upcase upto downto update valid_encoding? value value? values values_at with_index with_object write zero? zip class instance_variable_defined? instance_methods
	ancestors superclass instance_method const_defined? public_method_defined? method_defined? instance_eval instance_exec class_exec module_eval backtrace full_message
	body code env flush get headers params post put request response status lock unlock synchronize run alive? wait signal basename dirname extname join expand_path exist? file? directory? mkdir_p rm_rf glob`)
