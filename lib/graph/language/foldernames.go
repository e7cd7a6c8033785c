package language

import (
	"path"
	"strings"

	"cortex/lib/graph/facts"
)

// fileNames has the files of a language, each under the last part and under the last two parts of its path.
type fileNames map[string][]*facts.File

func newFileNames(files []*facts.File, language string) fileNames {
	n := fileNames{}
	for _, f := range files {
		if f.Language != language {
			continue
		}
		for _, end := range []string{lastParts(f.Path, 1), lastParts(f.Path, 2)} {
			if len(n[end]) < maxFolders {
				n[end] = append(n[end], f)
			}
		}
	}
	return n
}

// find returns the file other than f whose path ends with name; of several, the one that shares most folders with f;
// nil if there is none.
func (n fileNames) find(f *facts.File, name string) *facts.File {
	name = path.Clean(name)
	var best *facts.File
	for _, file := range n[lastParts(name, 2)] {
		if (file.Path == name || strings.HasSuffix(file.Path, "/"+name)) && file != f && (best == nil || facts.SharedFolders(f.Path, file.Path) > facts.SharedFolders(f.Path, best.Path)) {
			best = file
		}
	}
	return best
}

// maxFolders bounds the files of one name, and the folders, among which an import is looked for.
const maxFolders = 200

// lastParts returns the last parts of a path; all of it if it has no more.
func lastParts(name string, parts int) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			if parts--; parts == 0 {
				return name[i+1:]
			}
		}
	}
	return name
}
