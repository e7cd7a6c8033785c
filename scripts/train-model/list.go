package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// A use says what a repository is used for.
type use string

const (
	useTrain    use = "train"
	useAsked    use = "asked"  // for training, by the questions written for it alone; its code is not read
	useBefore   use = "before" // an earlier model was trained on it
	useDev      use = "dev"    // to choose between recipes
	useTest     use = "test"   // for the final figures, looked at once
	useLanguage use = "lang"   // like test, for languages that the others lack
)

// A repository is a line of the list: name, commit, licence and use, separated by tabs.
type repository struct {
	Name, Commit, Licence string
	Use                   use
}

// folder returns the name of the repository's checkout.
func (r repository) folder() string { return strings.ReplaceAll(r.Name, "/", "+") }

func readList(file string) ([]repository, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []repository
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if line := lines.Text(); line != "" && line[0] != '#' {
			fields := strings.Split(line, "\t")
			if len(fields) != 4 {
				return nil, fmt.Errorf("read %s:%d: expected repository, commit, licence, use with tabs between", file, n)
			}
			r := repository{fields[0], fields[1], fields[2], use(fields[3])}
			switch r.Use {
			case useTrain, useAsked, useBefore, useDev, useTest, useLanguage:
			default:
				return nil, fmt.Errorf("read %s:%d: unknown use %q", file, n, r.Use)
			}
			list = append(list, r)
		}
	}
	return list, lines.Err()
}
