package language

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// jvmRules returns the rules of Java, Kotlin and Scala, which share their packages.
func jvmRules() Rules {
	return Rules{
		Languages: []string{"java", "kotlin", "scala"},
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return packagesOf(files) },
		Package: func(_ *facts.Tree, f *facts.File) string {
			return cmp.Or(f.Package, ".")
		},
		Import:       importJVM,
		Absolute:     absoluteJVM,
		ImplicitThis: true,
		Tops:         map[string][]string{"java": {"Object"}, "kotlin": {"Any", "Exception", "Throwable"}},
		Getters:      true,
		Constructors: []string{"apply", "new"},
		Builtin:      isBuiltinJVM,
		Passes:       passJVM,
		Extensions:   true,

		ImplicitReceivers: true,
	}
}

// passJVM returns what members of collections, optional values and all objects of Kotlin return.
func passJVM(name string) Pass {
	switch name {
	case "also", "apply", "takeIf", "takeUnless", "orElse", "orElseThrow", "orElseGet":
		return PassSame
	case "get":
		return PassElement
	case "element", "elementAt", "find", "findAny", "findFirst", "findLast", "first", "firstOrNull", "getFirst", "getLast", "getOrDefault", "getOrElse", "getOrNull",
		"getOrPut", "getValue", "head", "last", "lastOrNull", "next", "peek", "poll", "pop", "removeFirst", "removeLast", "single", "singleOrNull":
		return PassItem
	case "asSequence", "distinct", "drop", "dropLast", "filter", "filterNot", "filterNotNull", "iterator", "limit", "listIterator", "onEach", "orEmpty", "parallelStream",
		"reversed", "shuffled", "skip", "sorted", "sortedBy", "sortedByDescending", "sortedWith", "stream", "subList", "tail", "take", "takeLast", "takeWhile", "toList",
		"toMutableList", "toSet", "values":
		return PassList
	}
	return PassNothing
}

// jvmPackages has the packages of the tree, each with the top-level names that Scala code declares in it.
type jvmPackages map[string]map[string]bool

func packagesOf(files []*facts.File) jvmPackages {
	packages := jvmPackages{}
	for _, f := range files {
		if f.Package == "" {
			continue
		}
		names := packages[f.Package]
		if names == nil {
			names = map[string]bool{}
			packages[f.Package] = names
		}
		if f.Language != "scala" {
			continue
		}
		for d := range f.Declarations() {
			if d.Name == d.Qualified {
				names[d.Name] = true
			}
		}
	}
	return packages
}

// importJVM returns the meaning of an import: one name of a package or type, or all names.
func importJVM(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	packages := t.Prepared(f).(jvmPackages)
	path := ref.Module
	all := ref.Name == "*" || ref.Name == "_"
	if !all && ref.Name != "" {
		path += "." + ref.Name
	}
	path = strings.ReplaceAll(path, ".Companion", "")
	local := cmp.Or(ref.Alias, record.LastName(path))
	var out []Import
	// Scala's imports may begin in a package around the file's own.
	for _, around := range outward(f) {
		whole := strings.TrimPrefix(around+"."+path, ".")
		name := ""
		for at := whole; ; {
			if packages[at] != nil {
				switch {
				case all:
					out = append(out, Import{All: true, Package: at, Name: name})
				case name != "":
					out = append(out, Import{Local: local, Package: at, Name: name})
				}
				break
			}
			if strings.IndexByte(at, '.') < 0 {
				break
			}
			at, name = record.Owner(at), strings.TrimSuffix(record.LastName(at)+"."+name, ".")
		}
	}
	switch {
	case len(out) > 0 || packages[path] != nil:
	case all:
		out = append(out, Import{All: true, External: path})
	default:
		of, name := record.Owner(path), record.LastName(path)
		if of == "" {
			of, name = path, ""
		}
		out = append(out, Import{Local: local, External: of, Name: name})
	}
	return out
}

// outward returns the packages in which the paths of a file may begin: the root "", in Scala preceded by the packages
// around the file, the innermost first.
func outward(f *facts.File) []string {
	if f.Language != "scala" {
		return []string{""}
	}
	var out []string
	for at := f.Package; at != ""; {
		out = append(out, at)
		at = record.Owner(at)
	}
	return append(out, "")
}

// absoluteJVM finds the package with which a path begins, or which it is. In Scala a path may begin with a name in a
// package around the file.
func absoluteJVM(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	packages := t.Prepared(f).(jvmPackages)
	for _, around := range outward(f) {
		for n := len(parts); n > 0; n-- {
			if whole := strings.TrimPrefix(around+"."+strings.Join(parts[:n], "."), "."); len(parts) > 1 && packages[whole] != nil {
				return Import{Package: whole}, n
			}
		}
		if f.Language == "scala" && packages[around][parts[0]] {
			return Import{Package: around, Name: parts[0]}, 1
		}
	}
	if f.Language == "java" && isBuiltinType(parts[0]) {
		return Import{External: "java.lang", Name: parts[0]}, 1
	}
	return Import{}, 0
}

func isBuiltinType(name string) bool {
	_, found := slices.BinarySearch(builtinTypesJVM, name)
	return found
}

// isBuiltinJVM reports whether a name of the languages or their libraries needs no import.
func isBuiltinJVM(name string, member bool) bool {
	return !member && isBuiltinType(name) || among(name, member, builtinJVM, builtinMembersJVM)
}

// The lists are sorted.
var (
	builtinTypesJVM = strings.Fields(`Any AnyRef AnyVal Array AutoCloseable Boolean Byte ByteArray Char CharArray CharSequence Character Class ClassCastException ClassLoader
		Cloneable Collection Comparable Deprecated Double Either Enum Error Exception Float Function Function1 Function2 FunctionalInterface Future
		IllegalArgumentException IllegalStateException IndexOutOfBoundsException Int IntArray Integer InterruptedException Iterable Iterator Lazy
		Left List Long LongArray Map Math MutableList MutableMap MutableSet Nil NoSuchElementException None Nothing NullPointerException Number
		NumberFormatException Object Option Override Pair Process Record Result Right Runnable Runtime RuntimeException SafeVarargs
		SecurityException Seq Sequence Set Short Some StackTraceElement String StringBuffer StringBuilder SuppressWarnings System Thread ThreadLocal
		Throwable Triple Try Unit UnsupportedOperationException Vector Void boolean byte char double float int long short void`)
	builtinJVM = strings.Fields(`TODO also and apply arrayListOf arrayOf arrayOfNulls assert assertEquals assertFalse assertNotNull assertNull assertThat assertThrows
		assertTrue buildList buildMap buildString byteArrayOf check checkNotNull downTo emptyArray emptyList emptyMap emptySet error fail hashMapOf
		hashSetOf identity implicitly intArrayOf it lazy let linkedMapOf linkedSetOf listOf listOfNotNull longArrayOf mapOf maxOf minOf
		mutableListOf mutableMapOf mutableSetOf or print println repeat require requireNotNull run runCatching sequence sequenceOf setOf shl shr
		step synchronized takeIf takeUnless to until use ushr with xor`)
	builtinMembersJVM = strings.Fields(`add addAll all also and any append apply asList associate associateBy await booleanValue charAt clear clone close collect compareTo contains
		containsKey copy count countDown doubleValue drop endsWith entrySet equals equalsIgnoreCase execute exists filter filterNot find first
		firstOrNull flatMap flatten fold foldLeft foldRight forEach foreach format get getBytes getClass getKey getLength getMessage getName
		getOrDefault getOrElse getOrNull getOrPut getValue groupBy hasMessageThat hasNext hashCode head headOption indexOf intValue intern isEmpty
		isEqualTo isFalse isInstanceOf isNotEmpty isNotEqualTo isNotNull isNull isPresent isSameInstanceAs isTrue iterator join joinToString keySet
		keys last lastIndexOf lastOption length let lines lock longValue lowercase map mapNotNull mapValues matches max maxBy min minBy mkString
		name next nonEmpty notify notifyAll of ofNullable orElse ordinal parallelStream plus poll pop print printStackTrace println push put putAll
		reduce remove removeAll repeat replace reversed run set size sort sorted sortedBy split start startsWith stop stream sub subList submit
		substring sum tail take takeIf takeUnless toArray toByteArray toCharArray toInt toList toLong toLowerCase toMap toMutableList toSeq toSet
		toString toUpperCase trim trimIndent trimMargin unlock uppercase use valueOf values wait withIndex zip zipWithIndex`)
)
