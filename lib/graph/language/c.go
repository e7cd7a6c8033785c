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

// cRules are those of C and C++, which know each other's names. Qualified names hold the namespaces, and all of a tree is linked to one
// program, or to several that share files: of functions of one name those are meant that are declared in a header that the file includes, and of
// these the nearest. Several are variants for systems, of which the preprocessor or the build takes one.
func cRules() Rules {
	return Rules{
		Languages:    []string{"c", "cpp"},
		Prepare:      func(_ *facts.Tree, files []*facts.File) any { return includesOf(files) },
		Package:      func(*facts.Tree, *facts.File) string { return "c" },
		Wide:         true,
		Variants:     true,
		Means:        includedC,
		Import:       include,
		ImplicitThis: true,
		Builtin:      isBuiltinC,
		Passes:       passC,
		Forwards:     []string{"operator->"},
	}
}

// includes is which files include which.
type includes struct {
	byPath map[string]*facts.File
	// byBase are the files by the last part of their path, sorted by path.
	byBase map[string][]*facts.File
	// direct are those that a file includes itself, by its number.
	direct map[int32][]*facts.File
	// types are the qualified names of all types.
	types map[facts.Name]bool
	// opened are the namespaces that "using namespace" names in a file, by its number.
	opened map[int32][]string
	// recent are the files that were asked for last.
	recent [16]atomic.Pointer[closure]
}

// A closure is all files that a file includes, itself among them, and the names of these without what follows the last dot.
type closure struct {
	file  *facts.File
	files map[*facts.File]bool
	stems map[string]bool
}

func includesOf(files []*facts.File) *includes {
	in := &includes{byPath: map[string]*facts.File{}, byBase: map[string][]*facts.File{}, direct: map[int32][]*facts.File{}, types: map[facts.Name]bool{}, opened: map[int32][]string{}}
	for _, f := range files {
		if f.Language == "c" || f.Language == "cpp" {
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

// find is the file that an include directive means, nil if it lies outside of the tree.
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

// closure is that of the file.
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

// stemOf is the name of a file without its folder and what follows the last dot.
func stemOf(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// includedC leaves macros of what the file includes, which the preprocessor sees first, or else functions: those that are declared
// in what it includes, which a header of the same name tells, if there are such. What is static has to be included, and so has what bears the
// name of a function of the standard library. A macro of a header that nobody seems to include is meant if there is nothing else.
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

// include is what #include or using means.
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

// maxAround and maxOpened bound in how many namespaces around a using declaration, and opened by its file, its name is looked for, and maxScope
// how long the names of these are.
const (
	maxAround = 8
	maxOpened = 8
	maxScope  = 256
)

// using is what "using a::b" and "using namespace a" mean, whose names are looked for in what is around them, then in the namespaces that the file
// opens. What a class takes from a base belongs to the class, which inherits it anyway, and is no name of the file; if the base does not define it,
// the base is meant.
func (in *includes) using(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	name := plainC(ref.Module)
	var around []string
	if !strings.HasPrefix(ref.Module, "::") {
		for scope := ref.Symbol[:min(len(ref.Symbol), maxScope)]; scope != "" && len(around) < maxAround; scope = scope[:max(strings.LastIndexByte(scope, '.'), 0)] {
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
	last := strings.LastIndexByte(name, '.')
	owner, local := name[:max(last, 0)], name[last+1:]
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

// plainC is a qualified name of C++ with dots, without the arguments of templates.
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

// isOperator reports whether the text begins with the name of an operator behind a scope.
func isOperator(text string) bool {
	rest, found := strings.CutPrefix(text, "::operator")
	return found && rest != "" && !unicode.IsLetter(rune(rest[0])) && !unicode.IsDigit(rune(rest[0])) && rest[0] != '_'
}

// standardHeaders are those of C and POSIX that a tree is likely to have a file of the same name as.
var standardHeaders = strings.Fields(`assert.h complex.h ctype.h dirent.h dlfcn.h endian.h errno.h fcntl.h fenv.h float.h getopt.h glob.h grp.h inttypes.h
	iso646.h libgen.h limits.h locale.h malloc.h math.h memory.h netdb.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h setjmp.h signal.h
	stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h syslog.h termios.h tgmath.h
	threads.h time.h uchar.h unistd.h utime.h wchar.h wctype.h windows.h`)

func isStandardHeader(name string) bool {
	_, found := slices.BinarySearch(standardHeaders, name)
	return found || strings.HasPrefix(name, "sys/") || strings.HasPrefix(name, "linux/")
}

// builtinC are words that look like calls, members those that containers and smart pointers have, and functions those of the standard library and of
// POSIX of which a tree often has one of its own.
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

// passC says what members of smart pointers and containers give back.
func passC(name string) Pass {
	switch name {
	case "get", "lock", "value", "load":
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
