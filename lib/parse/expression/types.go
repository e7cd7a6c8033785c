package expression

import (
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// Arguments says which type arguments are kept.
type Arguments int

// The values of Arguments.
const (
	NoArguments Arguments = iota
	// OneArgument: the type argument of types with exactly one.
	OneArgument
	// PlainArguments: the names of all type arguments, without type arguments of their own.
	PlainArguments
	// AllArguments: all type arguments except lifetimes, and the types of the parts of tuples.
	AllArguments
)

// maxArguments is the most type arguments that a type keeps.
const maxArguments = 6

// holders has types whose values are used as the value that they hold, lists has collection types. Their names mean the
// same in many languages.
var (
	holders = wordSet(`Box Rc Arc Cow Pin RefMut Ref Option Result Mutex RwLock RefCell Cell OnceCell OnceLock LazyLock LazyCell Lazy MutexGuard MappedMutexGuard
		OwnedMutexGuard RwLockReadGuard RwLockWriteGuard MappedRwLockReadGuard MappedRwLockWriteGuard OwnedRwLockReadGuard OwnedRwLockWriteGuard ManuallyDrop Weak
		NonNull ArcSwap
		unique_ptr shared_ptr weak_ptr optional scoped_refptr Optional Promise PromiseLike Future Awaitable Coroutine Task ValueTask
		Annotated Final ClassVar Required NotRequired Readonly Partial NonNullable Nullable Type type`)
	lists = wordSet(`SmallVec IndexMap IndexSet BinaryHeap DashMap initializer_list forward_list multimap Array ReadonlyArray List MutableList ArrayList LinkedList Vec VecDeque vector deque list set tuple dict Set MutableSet HashSet
		BTreeSet TreeSet Map MutableMap HashMap BTreeMap TreeMap LinkedHashMap ConcurrentHashMap ConcurrentMap map unordered_map unordered_set Dict Dictionary IDictionary
		DefaultDict OrderedDict Mapping MutableMapping Sequence MutableSequence Iterable Iterator Collection Generator AsyncIterator
		AsyncIterable AsyncGenerator IEnumerable ICollection IList IReadOnlyList IReadOnlyCollection Stream Seq Tuple array span Span Flow Observable`)
	// qualifiers has words before a type that are no part of it.
	qualifiers = wordSet(`const mut dyn impl struct class enum union volatile static readonly final typename ref out in extends super val var inout some any
		register extern inline unsafe unsigned signed keyof typeof unique lateinit override abstract virtual constexpr chan mutable
		internal public private protected open vararg crossinline noinline suspend weak borrowing consuming sending nonisolated`)
	// casts has functions whose result has the type of their type argument.
	casts = wordSet("static_cast dynamic_cast reinterpret_cast const_cast make_unique make_shared")
	// untyped has words that in place of a type say nothing.
	untyped = wordSet(`import func fn function interface auto var null None undefined nil void map fun Fn FnMut FnOnce`)
)

// MaxType is the most bytes of a type that are read.
const MaxType = 400

// TypeName returns the type that text names, for (T) of a record.Expression: its qualified name, and "[]" for each
// list; "" if there is none. If resolved is set, holders are replaced by the type that they hold, and other types keep
// their type arguments according to g.Arguments.
func (g *Reader) TypeName(text string, resolved bool) string {
	text = shorten.Bytes(text, MaxType)
	if g.Arguments == AllArguments {
		text = WithoutLifetimes(text)
	}
	t := typeReader{Reader: g, text: text, resolved: resolved && !g.Own, own: g.Own}
	if t.resolved {
		t.arguments = g.Arguments
	}
	name := g.withBase(t.read(0))
	if len(name) > MaxReceiver {
		name, _, _ = strings.Cut(name, "<")
	}
	if len(name) > MaxReceiver {
		return ""
	}
	return name
}

// withBase returns a type with a pronoun or a word in Modules at its start replaced.
func (g *Reader) withBase(name string) string {
	plain, _, _ := strings.Cut(name, "<")
	base := BaseOf(plain)
	if base == "" {
		return name
	}
	if m := g.Modules[base]; base != plain && m != "" {
		return m + name[len(base):]
	}
	p, ok := g.Pronouns[base]
	if !ok {
		p, ok = Pronouns[base]
	}
	if ok {
		return p + name[len(base):]
	}
	return name
}

// WithoutLifetimes returns a Rust type without lifetimes, including those in its type arguments.
func WithoutLifetimes(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '\'')
		if i < 0 {
			break
		}
		end := i + 1
		for end < len(text) && IsNameByte(text[end]) {
			end++
		}
		if end < len(text) && text[end] == '\'' {
			b.WriteString(text[:end+1])
			text = text[end+1:]
			continue
		}
		before := strings.TrimRight(text[:i], " \t\r\n")
		b.WriteString(text[:i])
		text = text[end:]
		if strings.HasSuffix(before, "<") || strings.HasSuffix(before, ",") || before == "" && strings.HasSuffix(b.String(), ",") {
			text = strings.TrimPrefix(strings.TrimLeft(text, " \t\r\n"), ",")
		}
	}
	if b.Len() == 0 {
		return text
	}
	b.WriteString(text)
	return b.String()
}

// A typeReader reads a type from its start.
type typeReader struct {
	*Reader
	text          string
	resolved, own bool
	arguments     Arguments
}

func (t *typeReader) skip() {
	for t.text != "" {
		switch c := t.text[0]; {
		case lexical.IsSpace(c) || strings.IndexByte("*&?:=!~", c) >= 0:
			t.text = t.text[1:]
		case strings.HasPrefix(t.text, "<-") || strings.HasPrefix(t.text, "->"):
			t.text = t.text[2:]
		case strings.HasPrefix(t.text, "..."):
			t.text = t.text[3:]
		case c == '\'' && len(t.text) > 2 && t.text[2] != '\'' && !strings.Contains(t.text[1:], "'"):
			// A lifetime.
			t.text = t.text[1:]
			t.text = strings.TrimLeft(t.text, "abcdefghijklmnopqrstuvwxyz_")
		default:
			return
		}
	}
}

const maxTypeDepth = 6

func (t *typeReader) read(depth int) string {
	if depth > maxTypeDepth {
		return ""
	}
	for {
		t.skip()
		if t.text == "" {
			return ""
		}
		switch c := t.text[0]; {
		case c == '"' || c == '\'':
			// A type in quotes.
			if end := strings.IndexByte(t.text[1:], c); end > 0 {
				return t.inner(t.text[1:1+end], depth)
			}
			return ""
		case c == '[':
			return t.bracketed(depth)
		case c == '(':
			end := matching(t.text)
			if end < 0 {
				return ""
			}
			inside, rest := t.text[1:end], strings.TrimSpace(t.text[end+1:])
			if strings.HasPrefix(rest, "=>") || strings.HasPrefix(rest, "->") {
				return ""
			}
			if t.arguments == AllArguments && TopComma(inside) >= 0 {
				return listed(inside, func(part string) string { return t.withBase(t.inner(part, depth)) })
			}
			inside = t.firstOf(inside)
			return t.suffixed(t.inner(inside, depth), rest, depth)
		case c == '@':
			t.text = t.text[1:]
			t.word()
		case IsNameByte(c) && !lexical.IsDigit(c):
			if name, done := t.named(depth); done {
				return name
			}
		case c == '\\' || strings.HasPrefix(t.text, "::"):
			t.text = strings.TrimLeft(t.text, `\:`)
		default:
			return ""
		}
	}
}

// firstOf returns the type of the first of several results, which may have names: (T, error), (a, b T, err error).
func (t *typeReader) firstOf(list string) string {
	first := ""
	for rest := list; ; {
		i := TopComma(rest)
		one := rest
		if i >= 0 {
			one = rest[:i]
		}
		one = strings.TrimSpace(one)
		if first == "" {
			first = one
		}
		if name, typ, ok := strings.Cut(one, " "); ok && IsName(name) && (t.own || !qualifiers[name]) && name != "chan" {
			return typ
		}
		if i < 0 || !IsName(one) {
			return first
		}
		rest = rest[i+1:]
	}
}

func (t *typeReader) inner(text string, depth int) string {
	inner := typeReader{Reader: t.Reader, text: text, resolved: t.resolved, own: t.own, arguments: t.arguments}
	return inner.read(depth + 1)
}

func (t *typeReader) word() string {
	i := 0
	for i < len(t.text) && IsNameByte(t.text[i]) {
		i++
	}
	w := t.text[:i]
	t.text = t.text[i:]
	return w
}

// bracketed reads []T, [N]T, [T], [T; N] and [K: V].
func (t *typeReader) bracketed(depth int) string {
	end := matching(t.text)
	if end < 0 {
		return ""
	}
	inside, rest := t.text[1:end], strings.TrimSpace(t.text[end+1:])
	if rest == "" || strings.ContainsRune("?!,)", rune(rest[0])) {
		if i := strings.LastIndex(inside, ": "); i >= 0 {
			inside = inside[i+1:]
		}
		inside, _, _ = strings.Cut(inside, ";")
		return listOf(t.inner(inside, depth))
	}
	return listOf(t.inner(rest, depth))
}

func listOf(name string) string {
	if name == "" {
		return ""
	}
	return name + "[]"
}

// named reads a type that begins with a word. done is false if the word is a qualifier, behind which the type is to be
// read.
func (t *typeReader) named(depth int) (name string, done bool) {
	word := t.word()
	if word == "map" && strings.HasPrefix(t.text, "[") {
		end := matching(t.text)
		if end < 0 {
			return "", true
		}
		return listOf(t.inner(t.text[end+1:], depth)), true
	}
	next := strings.TrimLeft(t.text, " \t\r\n")
	if qualifiers[word] && next != "" && (IsNameByte(next[0]) || strings.HasPrefix(next, "<-") || strings.ContainsRune("*&[(", rune(next[0])) && word == "chan" || strings.HasPrefix(next, "::") && word == "typename") {
		if word == "chan" {
			return listOf(t.inner(next, depth)), true
		}
		return "", false
	}
	if untyped[word] || qualifiers[word] && strings.HasPrefix(next, "{") {
		if strings.HasPrefix(next, "|") {
			t.text = next[1:]
			return "", false
		}
		return "", true
	}
	path, next := t.path(word, next)
	last := path[len(path)-1]
	name = strings.Join(path, ".")
	var args string
	switch {
	case strings.HasPrefix(next, "<"):
		end := closeAngle(next)
		if end < 0 {
			return name, true
		}
		args, next = next[1:end], strings.TrimLeft(next[end+1:], " \t\r\n")
		// C++: A<B>::C; Java: A<B>.C
		rest, ok := strings.CutPrefix(next, ".")
		if !ok && !t.resolved {
			rest, ok = strings.CutPrefix(next, "::")
		}
		if ok && rest != "" && IsNameByte(rest[0]) {
			t.text = rest
			return name + "." + t.word(), true
		}
	case strings.HasPrefix(next, "["):
		end := matching(next)
		if end < 0 {
			return name, true
		}
		if inside := strings.TrimSpace(next[1:end]); inside != "" && !lexical.IsDigit(inside[0]) {
			args, next = inside, strings.TrimLeft(next[end+1:], " \t\r\n")
		}
	}
	return t.suffixed(t.withArguments(name, last, args, depth), next, depth), true
}

// path reads a qualified name that begins with word, which is read already; next is the text behind it. behind is the
// text behind the name.
func (t *typeReader) path(word, next string) (parts []string, behind string) {
	parts = []string{word}
	for len(parts) <= MaxParts {
		rest, ok := strings.CutPrefix(next, "::")
		if !ok {
			rest, ok = strings.CutPrefix(next, ".")
		}
		if !ok {
			rest, ok = strings.CutPrefix(next, `\`)
		}
		rest = strings.TrimLeft(rest, " \t\r\n")
		if !ok || rest == "" || !IsNameByte(rest[0]) {
			break
		}
		t.text = rest
		parts = append(parts, t.word())
		next = strings.TrimLeft(t.text, " \t\r\n")
	}
	return parts, next
}

// withArguments returns the type with the name and the type arguments args, "" for none: what a holder holds, a list of
// elements, or the name with the arguments that it keeps. last is the last part of the name.
func (t *typeReader) withArguments(name, last, args string, depth int) string {
	switch {
	case args == "":
	case t.resolved && (holders[last] || lists[last]):
		arg := args
		for i := TopComma(arg); i >= 0; i = TopComma(arg) {
			if holders[last] || last == "Generator" || last == "AsyncGenerator" || last == "vector" || strings.HasSuffix(last, "Set") {
				arg = arg[:i]
				break
			}
			arg = arg[i+1:]
		}
		name = t.inner(arg, depth)
		if lists[last] {
			name = listOf(name)
		}
	case t.arguments == AllArguments:
		name += listed(args, func(arg string) string { return t.withBase(t.inner(arg, depth)) })
	case t.arguments == PlainArguments || t.arguments == OneArgument && TopComma(args) < 0:
		name += listed(args, t.argument)
	}
	return name
}

// argument returns the type of a type argument, "" if it is no plain name.
func (t *typeReader) argument(text string) string {
	inner := typeReader{Reader: t.Reader, text: text, resolved: true, own: t.own}
	arg := inner.read(1)
	if !isDotted(arg) || Pronouns[BaseOf(arg)] != "" {
		return ""
	}
	return arg
}

// suffixed returns name with "[]" for each pair of brackets at the start of rest.
func (t *typeReader) suffixed(name, rest string, depth int) string {
	for name != "" {
		rest = strings.TrimLeft(rest, " \t\r\n*&?!")
		end := matching(rest)
		if !strings.HasPrefix(rest, "[") || end < 0 {
			break
		}
		name += "[]"
		rest = rest[end+1:]
	}
	if name == "" && strings.HasPrefix(rest, "|") {
		return t.inner(rest[1:], depth)
	}
	return name
}
