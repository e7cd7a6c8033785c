package language

import (
	"cmp"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// clojureRules returns the rules of Clojure: a file is a namespace, which other files name in full or by an alias.
func clojureRules() Rules {
	return Rules{
		Languages: []string{"clojure"},
		Prepare: func(_ *facts.Tree, files []*facts.File) any {
			n := moduleNames{}
			for _, f := range files {
				if f.Package != "" {
					n[f.Package] = append(n[f.Package], f)
				}
			}
			return n
		},
		Unexported: ReachFile,
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			i := Import{Local: cmp.Or(ref.Alias, ref.Name, ref.Module), Name: ref.Name, Files: nearestFirst(t.Prepared(f).(moduleNames)[ref.Module], f)}
			if len(i.Files) == 0 {
				i.External = ref.Module
			}
			return []Import{i}
		},
		Absolute: func(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
			known := t.Prepared(f).(moduleNames)
			for n := min(len(parts), 8); n > 0; n-- {
				if files := known[strings.Join(parts[:n], ".")]; len(files) > 0 {
					return Import{Files: nearestFirst(files, f)}, n
				}
			}
			return Import{}, 0
		},
		Builtin: func(name string, member bool) bool { return !member && clojureBuiltins[name] },
	}
}

var clojureBuiltins = wordSet(`* + - / < <= = == > >= aget apply are as-> assert assoc assoc-in atom boolean butlast char coll? comp complement concat conj cons
	constantly contains? count cycle dec deref disj dissoc distinct doall dorun double drop drop-while empty empty? every? ex-data ex-info ex-message false?
	filter filterv first float fn? format frequencies get get-in group-by hash-map hash-set identical? identity inc instance? int interleave interpose into
	is iterate juxt keep key keys keyword keyword? last lazy-seq list list? long map map-indexed map? mapcat mapv max memoize merge merge-with meta min mod
	name namespace nat-int? neg? next nil? not not-any? not-empty not= nth number? odd? even? parse-long partial partition peek pop pos? pr pr-str print
	println prn quot rand rand-int range re-find re-matches re-seq read-string realized? reduce reduce-kv rem remove repeat repeatedly replace require reset!
	rest resolve reverse rseq second select-keys seq seq? sequence set set? shuffle slurp some some-> some->> some? sort sort-by special-symbol? spit split-at
	str string? subs subvec swap! symbol symbol? take take-while testing thrown? time true? update update-in use-fixtures val vals vary-meta vec vector
	vector? when-first when-some while with-meta with-open with-out-str with-redefs zero? zipmap delay force future promise deliver`)
