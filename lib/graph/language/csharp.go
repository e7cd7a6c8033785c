package language

import (
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// csharpRules are those of C#. The code of a tree is one package; a namespace with a body stands in the qualified names of what
// is in it, one for a whole file is the file's package and does not.
func csharpRules() Rules {
	return Rules{
		Languages:    []string{"csharp"},
		Prepare:      func(_ *facts.Tree, files []*facts.File) any { return csharpNamesOf(files) },
		Package:      func(*facts.Tree, *facts.File) string { return csharpPackage },
		Wide:         true,
		Import:       importCSharp,
		Absolute:     absoluteCSharp,
		ImplicitThis: true,
		Getters:      true,
		Builtin:      isBuiltinCSharp,
		Passes:       passCSharp,
	}
}

// passCSharp says what members of tasks give back.
func passCSharp(name string) Pass {
	switch name {
	case "AsTask", "ConfigureAwait", "GetAwaiter", "GetResult", "WaitAsync":
		return PassHeld
	case "Result":
		return PassSame
	}
	return PassNothing
}

const csharpPackage = "csharp"

// csharpNames are what the tree declares.
type csharpNames struct {
	// known are the namespaces and those around them.
	known map[string]bool
	// types are the qualified names of types at the top of namespaces with a body, and files those of types in files with a
	// namespace of their own, by the name with it.
	types map[string]bool
	files map[string]string
}

func csharpNamesOf(files []*facts.File) *csharpNames {
	n := &csharpNames{known: map[string]bool{}, types: map[string]bool{}, files: map[string]string{}}
	for _, f := range files {
		if f.Language != "csharp" {
			continue
		}
		bodies := map[string]bool{}
		for d := range f.Declarations() {
			switch {
			case d.Kind == record.Module:
				bodies[d.Qualified] = true
				n.add(d.Qualified)
			case !d.Kind.IsType():
			case d.Name == d.Qualified && f.Package != "" && len(bodies) == 0:
				n.add(f.Package)
				n.files[f.Package+"."+d.Name] = d.Name
			case d.Name == d.Qualified || bodies[d.Qualified[:len(d.Qualified)-len(d.Name)-1]]:
				n.types[d.Qualified] = true
			}
		}
	}
	return n
}

// add adds a namespace and those around it.
func (n *csharpNames) add(name string) {
	for name != "" {
		n.known[name] = true
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
}

// find is the longest beginning of a path that is a type, as the tree's package knows it, and how many parts that takes.
func (n *csharpNames) find(around string, parts []string) (string, int) {
	for i := len(parts); i > 0; i-- {
		name := strings.TrimPrefix(around+"."+strings.Join(parts[:i], "."), ".")
		if n.types[name] {
			return name, i
		}
		if own, ok := n.files[name]; ok {
			return own, i
		}
	}
	return "", 0
}

// importCSharp says what a using directive means: of a namespace or type all that is in it, or under another name it itself.
func importCSharp(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	n := t.Prepared(f).(*csharpNames)
	module := strings.TrimPrefix(ref.Module, "global::")
	for at := f.Package; ; at = at[:max(strings.LastIndexByte(at, '.'), 0)] {
		if name, used := n.find(at, strings.Split(module, ".")); used > 0 {
			rest := strings.Join(strings.Split(module, ".")[used:], ".")
			name = strings.TrimSuffix(name+"."+rest, ".")
			return []Import{{Local: ref.Alias, All: ref.Alias == "", Package: csharpPackage, Name: name}}
		}
		if whole := strings.TrimPrefix(at+"."+module, "."); n.known[whole] {
			return []Import{{Local: ref.Alias, All: ref.Alias == "", Package: csharpPackage, Name: whole}}
		}
		if at == "" {
			break
		}
	}
	return []Import{{Local: ref.Alias, All: ref.Alias == "", External: module}}
}

// absoluteCSharp finds a type in the namespaces around the file's own, or the one with whose namespace a path begins.
func absoluteCSharp(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	n := t.Prepared(f).(*csharpNames)
	for at := f.Package; ; at = at[:max(strings.LastIndexByte(at, '.'), 0)] {
		if name, used := n.find(at, parts); used > 0 {
			return Import{Package: csharpPackage, Name: name}, used
		}
		if at == "" {
			break
		}
	}
	if isBuiltinCSharp(parts[0], false) {
		return Import{External: "System", Name: parts[0]}, 1
	}
	return Import{}, 0
}

// isBuiltinCSharp knows the types of the system and the methods that most things have.
func isBuiltinCSharp(name string, member bool) bool {
	return among(name, member, builtinCSharp, builtinMembersCSharp)
}

// The lists are sorted.
var (
	builtinCSharp = strings.Fields(`Action Activator AggregateException ArgumentException ArgumentNullException ArgumentOutOfRangeException Array ArraySegment Assembly Assert
		Attribute BigInteger BindingFlags BitConverter Boolean Byte CancellationToken CancellationTokenSource Char ConcurrentDictionary
		ConcurrentQueue Console Convert CultureInfo DBNull DateOnly DateTime DateTimeOffset Decimal Delegate Dictionary Double Encoding Enum
		Enumerable Environment EventArgs EventHandler Exception Expression File FormatException Func GC Guid HashSet ICollection IComparable
		IDbCommand IDbConnection IDictionary IDisposable IEnumerable IEnumerator IEquatable IFormatProvider IList IQueryable IReadOnlyCollection
		IReadOnlyDictionary IReadOnlyList IndexOutOfRangeException Int16 Int32 Int64 IntPtr Interlocked InvalidCastException
		InvalidOperationException JsonSerializer KeyNotFoundException KeyValuePair Lazy List Math MemberInfo Memory MemoryStream MethodInfo Monitor
		NotImplementedException NotSupportedException NullReferenceException Nullable Object ObjectDisposedException Path PropertyInfo Queue Random
		ReadOnlySpan Regex SByte Single Span Stack Stopwatch Stream StreamReader StreamWriter String StringBuilder StringComparer StringComparison
		StringReader StringWriter Task TaskCompletionSource TextReader TextWriter Thread TimeOnly TimeSpan Tuple Type TypeCode UInt16 UInt32 UInt64
		Uri ValueTask ValueTuple Version XDocument XElement bool byte char decimal double dynamic float int long nameof object sbyte short string
		uint ulong ushort void`)
	builtinMembersCSharp = strings.Fields(`Add AddRange Aggregate All Any Append AppendLine AsSpan Cast Clear Clone Close Combine CompareTo Concat ConfigureAwait Contains ContainsKey
		Copy CopyTo Count Delay Dispose DisposeAsync Distinct ElementAt EndsWith Equals Except First FirstOrDefault Flush ForEach Format Get
		GetAwaiter GetEnumerator GetHashCode GetResult GetType GetValue GetValueOrDefault GroupBy IndexOf Insert Invoke IsNullOrEmpty Join Last
		LastOrDefault Max Min MoveNext Next OfType OrderBy OrderByDescending Peek Pop Push Range Read Remove RemoveAt Replace Reset Reverse Run
		Select SelectMany Sequence Set SetValue Single SingleOrDefault Skip Sort Split Start StartsWith Stop Substring Sum Take ThenBy ToArray
		ToDictionary ToHashSet ToList ToLower ToLowerInvariant ToString ToUpper ToUpperInvariant Trim TrimEnd TrimStart TryAdd TryGetValue Union
		Wait WhenAll Where Write WriteLine Zip`)
)
