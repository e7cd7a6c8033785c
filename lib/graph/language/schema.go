package language

import (
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// protobufRules returns the rules of Protocol Buffers: the files of one package share their names.
func protobufRules() Rules {
	return Rules{
		Languages: []string{"protobuf"},
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return protosOf(files) },
		Package: func(_ *facts.Tree, f *facts.File) string {
			if f.Package == "" {
				return ""
			}
			return protoKey(f.Package)
		},
		Wide:     true,
		Import:   importProto,
		Absolute: protoPath,
	}
}

func protoKey(pkg string) string { return "package " + pkg }

// protos has the files of a tree by the last part of their path, and the packages.
type protos struct {
	byBase   map[string][]*facts.File
	packages map[string]bool
}

func protosOf(files []*facts.File) *protos {
	p := &protos{byBase: map[string][]*facts.File{}, packages: map[string]bool{}}
	for _, f := range files {
		if f.Language == "protobuf" {
			p.byBase[path.Base(f.Path)] = append(p.byBase[path.Base(f.Path)], f)
			p.packages[f.Package] = true
		}
	}
	return p
}

// importProto finds a file by the end of its path, since the roots of imports are options of the compiler.
func importProto(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	name := path.Clean(ref.Module)
	var best *facts.File
	most := -1
	for _, other := range t.Prepared(f).(*protos).byBase[path.Base(name)] {
		if other.Path != name && !strings.HasSuffix(other.Path, "/"+name) {
			continue
		}
		if n := facts.SharedFolders(f.Path, other.Path); n > most {
			best, most = other, n
		}
	}
	if best == nil {
		return []Import{{External: ref.Module}}
	}
	return []Import{{All: true, Files: []*facts.File{best}}}
}

// maxPackageDepth bounds the packages around a file that are searched.
const maxPackageDepth = 32

// protoPath finds the package with which a name begins: in the package of the file, in its parents, or at the root.
func protoPath(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	p := t.Prepared(f).(*protos)
	around := f.Package
	for range maxPackageDepth {
		for n := len(parts); n > 0; n-- {
			pkg := strings.Join(parts[:n], ".")
			if around != "" {
				pkg = around + "." + pkg
			}
			if p.packages[pkg] {
				return Import{Package: protoKey(pkg)}, n
			}
		}
		if around == "" {
			return Import{}, 0
		}
		around = record.Owner(around)
	}
	return Import{}, 0
}

// graphqlRules returns the rules of GraphQL: all files form one schema.
func graphqlRules() Rules {
	return Rules{
		Languages: []string{"graphql"},
		Package:   func(*facts.Tree, *facts.File) string { return "graphql" },
		Wide:      true,
		Builtin: func(name string, _ bool) bool {
			return slices.Contains([]string{"Boolean", "Float", "ID", "Int", "String", "deprecated", "include", "skip", "specifiedBy"}, name)
		},
	}
}

// sqlRules returns the rules of SQL: all files form one database. Several declarations of one name, as in migrations,
// are one thing.
func sqlRules() Rules {
	return Rules{
		Languages: []string{"sql"},
		Package:   func(*facts.Tree, *facts.File) string { return "sql" },
		Wide:      true,
		Variants:  true,
	}
}
