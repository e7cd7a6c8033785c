package source

import (
	"fmt"
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	dir := os.Getenv("TRY")
	if dir == "" {
		t.Skip()
	}
	es, err := Walk(t.Context(), Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	tree, _ := OpenTree(dir)
	count := map[string]int{}
	for _, e := range es {
		_, lang, skip, err := tree.Read(e, 0)
		if err != nil {
			t.Fatal(err)
		}
		count[Reason(skip)]++
		_ = lang
		if skip != "" && skip != Binary {
			fmt.Println(e.Path, skip)
		}
	}
	fmt.Println(count)
	f, _ := os.Create("/tmp/walk.txt")
	for _, e := range es {
		fmt.Fprintln(f, e.Path)
	}
}
