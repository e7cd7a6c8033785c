package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/language"
	"cortex/lib/lineartest"
	"cortex/lib/record"
)

// marks are the operators, brackets, quotes, comment and list markers of one to three characters in the grammars of
// lib/parse and the document formats, and characters that are not part of words.
const marks = "! !! != !~ \" \"\" \"\"\" # #! ## #( #) #[ #{ $ $$ $( $= $[ $` ${ % %% %= & &# && &. &: &= &> &^ ' '' ''' ( (# (( () (* (/ ) )) * *% *) ** */ *= *> *| " +
	"+ +% ++ +++ += +@ +| , ,, - -% -- --- -= -> -@ -| . .* .. ... .= .? / /# /% /) /* // /// /= /> : :\" :+ :- :: ::= := :> :? ; ;& ;; < <! <!- <![ <% <& <( <- </ <: << <= <> <? <| <~ " +
	"= =- == === => =~ > >& >( >: >= >> >| >} ? ?- ?. ?: ?= ?> ?? @ @* @- @= [ [% [* [< [> [@ [[ [] [| \\ \\( \\\\ \\{ ] ](  ]: ]] ^ ^= ^^ ^{ ` `` ``` { {# {% {- {/ {< {{ {| " +
	"| |& |- |= |> |] || |} } }} ~ ~/ ~= ~> ~@ ~~ ~~~ _ __ a 1 1. 1) a. . é 。 😀 → « \u00a0 \u200b \ufffd"

// TestLongLinesAreLinear compares the processor time of an input with that of an input eight times as large.
func TestLongLinesAreLinear(t *testing.T) {
	small := lineartest.Size(t)
	share := 41
	if lineartest.RaceDetector {
		share *= 8 // it multiplies the time, and finds nothing here
	}
	seeds := append(strings.Fields(marks), " ", "\t", "\n", "\r", "\u00a0")
	for i, lang := range distinctLanguages() {
		t.Run(lang.Name, func(t *testing.T) {
			own := append([]string{lang.Comment, lang.CommentEnd, lang.Comment + lang.CommentEnd}, seeds...)
			for k, seed := range own {
				for s, shape := range shapes {
					// Languages differ little, so each seed is tried in each shape with only some of them.
					if seed == "" || small < 100<<10 && (k > 2 || lineartest.RaceDetector) && (i+7*k+s)%share > 0 {
						continue
					}
					name := fmt.Sprintf("%s of %q", shape.name, seed)
					lineartest.Check(t, name, small, func(n int) func() {
						f := shape.make(lang, seed, n)
						return func() { chunk.File(f, "", chunk.DefaultOptions()) }
					})
				}
			}
		})
	}
}

// distinctLanguages has one language for each way in which the chunker treats them.
func distinctLanguages() []language.Language {
	type treatment struct {
		comment, commentEnd, document string
	}
	var list []language.Language
	seen := map[treatment]bool{}
	for _, lang := range language.All() {
		way := treatment{comment: lang.Comment, commentEnd: lang.CommentEnd}
		if lang.Class == language.Document {
			way.document = lang.Name
		}
		if !seen[way] {
			seen[way] = true
			list = append(list, lang)
		}
	}
	return list
}

// shapes make files of n bytes from a seed.
var shapes = []struct {
	name string
	make func(lang language.Language, seed string, n int) *record.File
}{
	{"a line", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, lineartest.Repeat(seed, n))
	}},
	{"a line with blanks", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, lineartest.Repeat(seed+" ", n))
	}},
	{"a word at the end", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, lineartest.Repeat(seed, n)+" x")
	}},
	{"lines", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, lineartest.Repeat(seed+"\n", n))
	}},
	{"a last line", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, lineartest.Repeat("word word word\n", n/2)+lineartest.Repeat(seed, n/2)+"x")
	}},
	{"a comment", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, lang.Comment+" "+lineartest.Repeat(seed, n))
	}},
	{"a function", symbolOf(record.Function)},
	{"a variable", symbolOf(record.Variable)},
	{"a class", symbolOf(record.Class)},
	{"an enumeration", symbolOf(record.Enum)},
	{"a heading", symbolOf(record.Heading)},
}

func fileOf(lang language.Language, text string) *record.File {
	return &record.File{FilePath: "x", Language: lang.Name, Status: record.StatusOK, Text: text}
}

// symbolOf makes a file with a single symbol that spans all of it and has its text as name.
func symbolOf(kind record.Kind) func(language.Language, string, int) *record.File {
	return func(lang language.Language, seed string, n int) *record.File {
		text := lineartest.Repeat(seed, n)
		f := fileOf(lang, text+"\n"+text)
		f.Symbols = []record.Symbol{{Kind: kind, Name: text, QualifiedName: text, Signature: text, Doc: text, StartLine: 1,
			EndLine: 1 + strings.Count(f.Text, "\n"), EndByte: len(f.Text), BodyByte: len(text)}}
		return f
	}
}
