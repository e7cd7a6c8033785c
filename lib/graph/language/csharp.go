package language

import (
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// csharpRules returns the rules of C#. The whole tree is one package. A namespace with a body is part of the qualified
// names in it; a namespace for a whole file is the file's Package and not part of them.
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
		Extensions:   true,
		Builtin:      isBuiltinCSharp,
		Passes:       passCSharp,
	}
}

// passCSharp returns what members of tasks return.
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

// csharpNames has the namespaces and types of a tree.
type csharpNames struct {
	// known has the namespaces and their parents.
	known map[string]bool
	// types has the qualified names of types at the top level and directly in namespaces with a body. files has the
	// names of types in files with a namespace for the whole file, by the name with namespace.
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

// add adds a namespace and its parents.
func (n *csharpNames) add(name string) {
	for name != "" {
		n.known[name] = true
		name = record.Owner(name)
	}
}

// find returns the qualified name of the type that is the longest beginning of a path in the namespace around, and the
// number of parts that it takes; 0 if there is none.
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

// importCSharp returns the meaning of a using directive: all names in a namespace or type, or with an alias the thing
// itself.
func importCSharp(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	n := t.Prepared(f).(*csharpNames)
	module := strings.TrimPrefix(ref.Module, "global::")
	for at := f.Package; ; at = record.Owner(at) {
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

// absoluteCSharp finds the type with which a path begins, by its name in the file's namespace, in its parents, or in
// full.
func absoluteCSharp(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	n := t.Prepared(f).(*csharpNames)
	for at := f.Package; ; at = record.Owner(at) {
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

// isBuiltinCSharp reports whether a name is that of a type of the system library, or of a member that many types have.
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
