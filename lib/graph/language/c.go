package language

import (
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// cRules returns the rules of C, C++ and Objective-C, which share their names. Qualified names have the namespaces, and the whole
// tree is one package. Of several functions of one name, those count that a header declares which the file includes,
// then the nearest. If several are left, they are variants for different systems, of which the build takes one.
func cRules() Rules {
	return Rules{
		Languages:    []string{"c", "cpp", "objectivec"},
		Prepare:      func(_ *facts.Tree, files []*facts.File) any { return includesOf(files) },
		Package:      func(*facts.Tree, *facts.File) string { return "c" },
		Wide:         true,
		Variants:     true,
		Means:        includedC,
		Import:       include,
		ImplicitThis: true,
		Builtin:      isBuiltinC,
		Passes:       passC,
		Constructors: []string{"alloc", "new"},
		Forwards:     []string{"operator->"},
		Getters:      true, // of Objective-C
		Tops:         map[string][]string{"objectivec": {"Class", "NSObject", "NSProxy", "OCMockObject"}},
	}
}

// includes has the include directives of a tree.
type includes struct {
	byPath map[string]*facts.File
	// byBase has the files by the last part of their path, sorted by path.
	byBase map[string][]*facts.File
	// direct has the files that a file itself includes, by its number.
	direct map[int32][]*facts.File
	// types has the qualified names of all types.
	types map[facts.Name]bool
	// opened has the namespaces that a file names in "using namespace", by its number.
	opened map[int32][]string
	// recent caches closures.
	recent [16]atomic.Pointer[closure]
}

// A closure has all files that a file includes directly or not, the file itself among them, and their names without
// ending.
type closure struct {
	file  *facts.File
	files map[*facts.File]bool
	stems map[string]bool
}

func includesOf(files []*facts.File) *includes {
	in := &includes{byPath: map[string]*facts.File{}, byBase: map[string][]*facts.File{}, direct: map[int32][]*facts.File{}, types: map[facts.Name]bool{}, opened: map[int32][]string{}}
	for _, f := range files {
		if f.Language == "c" || f.Language == "cpp" || f.Language == "objectivec" {
			in.byPath[f.Path] = f
			in.byBase[path.Base(f.Path)] = append(in.byBase[path.Base(f.Path)], f)
			for i := range f.Symbols {
				if s := &f.Symbols[i]; record.Kinds[s.Kind].IsType() {
					in.types[s.Qualified] = true
				}
			}
		}
	}
	for _, f := range files {
		if in.byPath[f.Path] == nil {
			continue
		}
		for i := range f.References {
			switch ref := &f.References[i]; {
			case ref.Module == 0:
			case ref.Name != 0:
				if opened := in.opened[f.Number]; len(opened) < maxOpened {
					in.opened[f.Number] = append(opened, plainC(f.Names.Of(ref.Module)))
				}
			default:
				if h := in.find(f, f.Names.Of(ref.Module)); h != nil {
					in.direct[f.Number] = append(in.direct[f.Number], h)
				}
			}
		}
	}
	return in
}

// find returns the file that an include directive in f means, nil if it is outside of the tree.
func (in *includes) find(f *facts.File, module string) *facts.File {
	name := path.Clean(strings.Trim(module, "<>"))
	if strings.HasPrefix(module, "<") {
		if isStandardHeader(name) {
			return nil
		}
	} else if h := in.byPath[path.Join(path.Dir(f.Path), name)]; h != nil {
		return h
	}
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	var best *facts.File
	most := -1
	for _, other := range in.byBase[path.Base(name)] {
		if other.Path != name && !strings.HasSuffix(other.Path, "/"+name) {
			continue
		}
		if n := facts.SharedFolders(f.Path, other.Path); n > most {
			best, most = other, n
		}
	}
	return best
}

// maxIncluded bounds the files of a closure.
const maxIncluded = 2000

// closure returns the closure of the file.
func (in *includes) closure(f *facts.File) *closure {
	slot := &in.recent[int(f.Number)%len(in.recent)]
	if c := slot.Load(); c != nil && c.file == f {
		return c
	}
	c := &closure{file: f, files: map[*facts.File]bool{f: true}, stems: map[string]bool{}}
	queue := []*facts.File{f}
	for i := 0; i < len(queue) && i < maxIncluded; i++ {
		c.stems[stemOf(queue[i].Path)] = true
		for _, h := range in.direct[queue[i].Number] {
			if !c.files[h] {
				c.files[h] = true
				queue = append(queue, h)
			}
		}
	}
	slot.Store(c)
	return c
}

// stemOf returns the name of a file without folder and ending.
func stemOf(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// includedC keeps the declarations that f can mean, of the best sort that there is: macros of files that f includes;
// other declarations in files that f includes, or beside a header of the same name that f includes; other declarations;
// macros of other headers. A static declaration, or one with the name of a function of the standard library, must be
// included.
func includedC(t *facts.Tree, f *facts.File, decls []facts.Decl) []facts.Decl {
	in := t.Prepared(f).(*includes)
	c := in.closure(f)
	decls = slices.DeleteFunc(decls, func(d facts.Decl) bool {
		other := t.Files[d.File]
		s := &other.Symbols[d.Symbol]
		if c.files[other] || slices.Contains(in.direct[other.Number], f) && path.Ext(f.Path) == ".c" {
			return false
		}
		static := s.Flags&facts.ExportedFlag == 0 && record.Kinds[s.Kind] != record.Method
		return static || s.Parent == 0 && isStandardC(t.Names.Of(s.Name))
	})
	best := 0
	rank := func(d facts.Decl) int {
		other := t.Files[d.File]
		macro := record.Kinds[other.Symbols[d.Symbol].Kind] == record.Macro
		switch {
		case macro && c.files[other]:
			return 4
		case macro && path.Ext(other.Path) == ".c":
			return 0
		case macro:
			return 1
		case c.files[other] || c.stems[stemOf(other.Path)]:
			return 3
		}
		return 2
	}
	for _, d := range decls {
		best = max(best, rank(d))
	}
	return slices.DeleteFunc(decls, func(d facts.Decl) bool { return best == 0 || rank(d) < best })
}

// include returns the meaning of an #include or using directive.
func include(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	in := t.Prepared(f).(*includes)
	if strings.Contains(ref.Module, "::") || ref.Name != "" {
		return in.using(t, f, ref)
	}
	if h := in.find(f, ref.Module); h != nil {
		return []Import{{Files: []*facts.File{h}}}
	}
	return []Import{{External: strings.Trim(ref.Module, "<>")}}
}

// Bounds of the search for the name of a using declaration: namespaces around it, namespaces that its file opens, and
// the length of their names in bytes.
const (
	maxAround = 8
	maxOpened = 8
	maxScope  = 256
)

// using returns the meaning of "using a::b" and "using namespace a". The name is looked for in the scopes around the
// directive, then in the namespaces that the file opens. A using declaration in a class brings a member of a base: it
// gives the file no local name, and if the base does not define the member, it means the base.
func (in *includes) using(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	name := plainC(ref.Module)
	var around []string
	if !strings.HasPrefix(ref.Module, "::") {
		for scope := ref.Symbol[:min(len(ref.Symbol), maxScope)]; scope != "" && len(around) < maxAround; scope = record.Owner(scope) {
			around = append(around, scope+".")
		}
	}
	around = append(around, "")
	if ref.Name != "" {
		var all []Import
		for _, scope := range around {
			all = append(all, Import{All: true, Package: "c", Name: scope + name})
		}
		return all
	}
	for _, namespace := range in.opened[f.Number] {
		around = append(around, namespace[:min(len(namespace), maxScope)]+".")
	}
	module, rest, _ := strings.Cut(name, ".")
	owner, local := record.Owner(name), record.LastName(name)
	if in.isType(t, ref.Symbol) {
		local = ""
	}
	var all, owners []Import
	for _, scope := range around {
		all = append(all, Import{Local: local, Package: "c", Name: scope + name})
		if in.isType(t, scope+owner) {
			owners = append(owners, Import{Package: "c", Name: scope + owner})
		}
	}
	return slices.Concat(all, owners, []Import{{Local: local, External: module, Name: rest}})
}

func (in *includes) isType(t *facts.Tree, qualified string) bool {
	n, known := t.Names.Find(qualified)
	return known && in.types[n]
}

// plainC returns a qualified name of C++ with dots for "::", without template arguments.
func plainC(name string) string {
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(name, "typename "), "::"))
	var plain strings.Builder
	depth := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case depth == 0 && isOperator(name[i:]):
			plain.WriteString("." + name[i+len("::"):])
			return plain.String()
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth > 0 || c == ':' && i > 0 && name[i-1] == ':':
		case c == ':':
			plain.WriteByte('.')
		default:
			plain.WriteByte(c)
		}
	}
	return plain.String()
}

// isOperator reports whether the text begins with "::" and the name of an operator, such as "::operator<".
func isOperator(text string) bool {
	rest, found := strings.CutPrefix(text, "::operator")
	return found && rest != "" && !unicode.IsLetter(rune(rest[0])) && !unicode.IsDigit(rune(rest[0])) && rest[0] != '_'
}

// standardHeaders lists, sorted, headers of C and POSIX whose names files of a tree often have too.
var standardHeaders = strings.Fields(`assert.h complex.h ctype.h dirent.h dlfcn.h endian.h errno.h fcntl.h fenv.h float.h getopt.h glob.h grp.h inttypes.h
	iso646.h libgen.h limits.h locale.h malloc.h math.h memory.h netdb.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h setjmp.h signal.h
	stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h syslog.h termios.h tgmath.h
	threads.h time.h uchar.h unistd.h utime.h wchar.h wctype.h windows.h`)

func isStandardHeader(name string) bool {
	_, found := slices.BinarySearch(standardHeaders, name)
	return found || strings.HasPrefix(name, "sys/") || strings.HasPrefix(name, "linux/")
}

// builtinC has words that look like calls, builtinMembersC members of containers and smart pointers, standardC
// functions of the standard library and POSIX that trees often define too. All are sorted.
var (
	builtinC = strings.Fields(`_Alignof _Static_assert __attribute__ __declspec alignas alignof catch const_cast decltype defined do
		dynamic_cast for if noexcept offsetof operator reinterpret_cast return sizeof static_assert static_cast switch throw typeid
		typeof va_arg va_copy va_end va_start while`)
	builtinMembersC = strings.Fields(`append at back begin c_str cbegin cend clear count data emplace emplace_back empty end erase find first front get
		insert join length load lock pop_back push_back rbegin release rend reserve reset resize second size store str substr swap top unlock
		value value_or what`)
	standardC = strings.Fields(`abort abs accept access alarm asprintf assert atexit atof atoi atol atoll basename bind bsearch calloc chdir chmod chown
		clock clock_gettime close closedir connect difftime dirname dup dup2 execl execlp execv execve execvp exit fabs fchmod fclose fcntl fdopen
		feof ferror fflush fgetc fgets fileno floor fopen fork fprintf fputc fputs fread free freeaddrinfo freopen fscanf fseek fseeko fstat
		fsync ftell ftello ftruncate fwrite getaddrinfo getc getchar getcwd getenv gethostname getline getopt getopt_long getpagesize getpeername
		getpid getppid getsockname getsockopt gettimeofday getuid glob gmtime gmtime_r htonl htons inet_aton inet_ntoa inet_ntop inet_pton ioctl
		isalnum isalpha isascii isatty iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit kill labs link listen localtime
		localtime_r longjmp lseek lstat main malloc memchr memcmp memcpy memmem memmove memset mkdir mkdtemp mkstemp mktime mmap munmap
		nanosleep ntohl ntohs open opendir pathconf pause pclose perror pipe poll popen pow pread printf pselect putc putchar putenv puts pwrite
		qsort raise rand random read readdir readlink readv realloc realpath recv recvfrom recvmsg regcomp regexec regfree remove rename
		rewind rmdir scanf select send sendmsg sendto setenv setitimer setjmp setlocale setsid setsockopt setvbuf shutdown sigaction
		sigemptyset signal sigprocmask sleep snprintf socket socketpair sprintf sqrt srand srandom sscanf stat strcasecmp strcasestr strcat strchr
		strcmp strcoll strcpy strcspn strdup strerror strerror_r strftime strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk
		strptime strrchr strsep strsignal strspn strstr strtod strtof strtok strtok_r strtol strtoll strtoul strtoull symlink sync
		sysconf system tcgetattr tcsetattr time times tmpfile tolower toupper truncate umask uname ungetc unlink unsetenv usleep utime
		vasprintf vfprintf vprintf vsnprintf vsprintf wait waitpid write writev`)
)

// passC returns what members of smart pointers and containers return.
func passC(name string) Pass {
	switch name {
	case "get", "lock", "value", "load", "init":
		return PassSame
	case "at", "back", "front", "top":
		return PassElement
	}
	return PassNothing
}

func isBuiltinC(name string, member bool) bool {
	return among(name, member, builtinC, builtinMembersC)
}

func isStandardC(name string) bool {
	_, found := slices.BinarySearch(standardC, name)
	return found || strings.HasPrefix(name, "pthread_")
}
