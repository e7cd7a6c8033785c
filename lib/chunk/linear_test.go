package chunk_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"cortex/lib/chunk"
	"cortex/lib/language"
	"cortex/lib/record"
)

// marks are the operators, brackets, quotes, comment and list marks of one to three characters that
// the grammars of lib/parse and the document formats know, and characters that are no words.
const marks = "! !! != !~ \" \"\" \"\"\" # #! ## #( #) #[ #{ $ $$ $( $= $[ $` ${ % %% %= & &# && &. &: &= &> &^ ' '' ''' ( (# (( () (* (/ ) )) * *% *) ** */ *= *> *| " +
	"+ +% ++ +++ += +@ +| , ,, - -% -- --- -= -> -@ -| . .* .. ... .= .? / /# /% /) /* // /// /= /> : :\" :+ :- :: ::= := :> :? ; ;& ;; < <! <!- <![ <% <& <( <- </ <: << <= <> <? <| <~ " +
	"= =- == === => =~ > >& >( >: >= >> >| >} ? ?- ?. ?: ?= ?> ?? @ @* @- @= [ [% [* [< [> [@ [[ [] [| \\ \\( \\\\ \\{ ] ](  ]: ]] ^ ^= ^^ ^{ ` `` ``` { {# {% {- {/ {< {{ {| " +
	"| |& |- |= |> |] || |} } }} ~ ~/ ~= ~> ~@ ~~ ~~~ _ __ a 1 1. 1) a. . é 。 😀 → « \u00a0 \u200b \ufffd"

// TestLongLinesAreLinear bounds what eight times as much of the same costs, in processor time.
// With CORTEX_LONG_TESTS, texts are of a mebibyte.
func TestLongLinesAreLinear(t *testing.T) {
	small := 4 << 10
	if os.Getenv("CORTEX_LONG_TESTS") != "" {
		small = 128 << 10
	}
	share := 41
	if raceDetector {
		share *= 8 // it multiplies the time, and finds nothing here
	}
	// Collecting garbage costs more processor time the busier the machine is.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	seeds := append(strings.Fields(marks), " ", "\t", "\n", "\r", "\u00a0")
	for i, lang := range distinctLanguages() {
		t.Run(lang.Name, func(t *testing.T) {
			own := append([]string{lang.Comment, lang.CommentEnd, lang.Comment + lang.CommentEnd}, seeds...)
			for k, seed := range own {
				for s, shape := range shapes {
					// Languages differ in little; each seed is tried in each shape with some of them.
					if seed == "" || small < 100<<10 && (k > 2 || raceDetector) && (i+7*k+s)%share > 0 {
						continue
					}
					name := fmt.Sprintf("%s of %q", shape.name, seed)
					checkLinear(t, name, small, func(n int) func() {
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

// shapes are files that consist of n bytes of a seed.
var shapes = []struct {
	name string
	make func(lang language.Language, seed string, n int) *record.File
}{
	{"a line", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, repeatTo(seed, n))
	}},
	{"a line with blanks", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, repeatTo(seed+" ", n))
	}},
	{"a word at the end", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, repeatTo(seed, n)+" x")
	}},
	{"lines", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, repeatTo(seed+"\n", n))
	}},
	{"a last line", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, repeatTo("word word word\n", n/2)+repeatTo(seed, n/2)+"x")
	}},
	{"a comment", func(lang language.Language, seed string, n int) *record.File {
		return fileOf(lang, lang.Comment+" "+repeatTo(seed, n))
	}},
	{"a function", symbolOf(record.Function)},
	{"a variable", symbolOf(record.Variable)},
	{"a class", symbolOf(record.Class)},
	{"an enumeration", symbolOf(record.Enum)},
	{"a heading", symbolOf(record.Heading)},
}

func repeatTo(seed string, n int) string { return strings.Repeat(seed, max(n/len(seed), 1)) }

func fileOf(lang language.Language, text string) *record.File {
	return &record.File{FilePath: "x", Language: lang.Name, Status: record.StatusOK, Text: text}
}

// symbolOf makes a file with one symbol that is all of it and is called like it.
func symbolOf(kind record.Kind) func(language.Language, string, int) *record.File {
	return func(lang language.Language, seed string, n int) *record.File {
		text := repeatTo(seed, n)
		f := fileOf(lang, text+"\n"+text)
		f.Symbols = []record.Symbol{{Kind: kind, Name: text, QualifiedName: text, Signature: text, Doc: text, StartLine: 1,
			EndLine: 1 + strings.Count(f.Text, "\n"), EndByte: len(f.Text), BodyByte: len(text)}}
		return f
	}
}

// checkLinear reports work that grows faster than the size of its input: what is eight times as large may cost
// at most 24 times as much and 200 ns a byte, in the best of several tries.
func checkLinear(t *testing.T, name string, n int, work func(n int) func()) {
	t.Helper()
	const growth, tries = 24, 12
	slack := time.Duration(8*n) * 200 * time.Nanosecond
	less, more := work(n), work(8*n)
	least, most := time.Hour, time.Hour
	for range tries {
		least, most = min(least, processorTime(less)), min(most, processorTime(more))
		if most <= growth*least+slack {
			return
		}
	}
	t.Errorf("%s: %d bytes cost %v, %d bytes %v", name, n, least, 8*n, most)
}

// processorTime is the time that work takes of the processor.
func processorTime(work func()) time.Duration {
	usage := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	begin := usage()
	work()
	return usage() - begin
}
