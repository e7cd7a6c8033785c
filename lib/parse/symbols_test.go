package parse

import (
	"slices"
	"testing"

	"cortex/lib/language"
)

func TestTagInCommentMarksTest(t *testing.T) {
	lang, _ := language.ByName("php")
	f := parseFile("a.php", lang, []byte(`<?php
/**
 * @test
 */
class Cases extends Base
{
    /** @test */
    public function first() {}

    /**
     * It waits.
     *
     * @test
     */
    public function second() {}

    /** Runs before a @test. */
    public function third() {}

    /** @tested */
    public function fourth() {}

    /** @test */
    const FIFTH = 1;
}
`))
	var got []string
	for _, s := range f.Symbols {
		if s.Test {
			got = append(got, s.QualifiedName)
		}
	}
	if want := []string{"Cases.first", "Cases.second"}; !slices.Equal(got, want) {
		t.Errorf("tests are %q, want %q", got, want)
	}
}
