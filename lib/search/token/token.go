// Package token is the analyser of code and prose: it splits text into the terms that the index of package search holds
// and that queries look for. Both sides use the same analyser, so a query finds what is written the same way. Begin
// with Scan.
//
// A word is a run of letters, digits, marks and underscores. It yields these terms, all folded, since search ignores
// case:
//
//   - Whole: the word itself: "getUserByID" yields "getuserbyid".
//   - Part: each part of a word that has several. Underscores, changes from lower to upper case, the end of a run of
//     capitals and the edges of digits separate parts: get, user, by, id; HTTPServer yields http and server; utf8Reader
//     yields utf8, utf, 8 and reader.
//   - Sigil: the word with the sign directly before it, if that is one of @, #, $ or --, so that @decorator, #include,
//     $var and --flag can be told from the bare word.
//
// Dots, hyphens, slashes, colons and other punctuation separate words: sync.RWMutex, std::vector and lib/record are
// successive words. In scripts without spaces (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar) each character is a word,
// and so is each emoji. There are no stop words.
//
// # Positions
//
// Positions count parts, not words: a word of n parts takes n positions, and every term has the half-open interval that
// it covers. In "x := getUser(a)":
//
//	x[0,1) getuser[1,3) get[1,2) user[2,3) a[3,4)
//
// A phrase matches where each of its terms begins at the position at which the term before it ends. So "x getuser a",
// "user a", "get user" and "x get user a" are all found: a phrase may mix whole words and parts, and a phrase in lower
// case finds names of any number of parts.
package token

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"cortex/lib/shorten"
)

// A Kind is the kind of a term.
type Kind uint8

// The kinds of terms.
const (
	Whole Kind = iota
	Sigil
	Part
)

// A Token is one occurrence of a term.
type Token struct {
	// Term is folded and at most MaxTerm bytes long.
	Term string
	Kind Kind
	// From and To are the interval of positions.
	From, To int
	// Start and End are byte offsets in the text; those of a Sigil include the sigil.
	Start, End int
}

// MaxTerm is the length in bytes at which terms are cut. A longer word is not split into parts: it is data, not a name.
const MaxTerm = 256

// A class says how a character separates words.
type class uint8

const (
	separator class = iota
	wordChar
	// single is a character that is a word of its own.
	single
)

// IsWord reports whether a character is a word of its own, such as one of Chinese or Japanese, which have no spaces.
func IsWord(r rune) bool { return classOf(r) == single }

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if isASCIIWord(byte(r)) {
			return wordChar
		}
		return separator
	case r == utf8.RuneError:
		return separator
	case unicode.IsLetter(r):
		if r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			return single
		}
		return wordChar
	case unicode.IsMark(r) && !isVariation(r), unicode.IsNumber(r), unicode.Is(unicode.Pc, r):
		return wordChar
	case isEmoji(r):
		return single
	}
	return separator
}

func isASCIIWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
}

// isEmoji reports whether a character is a pictograph. Box drawing, geometric shapes and Braille do not count, because
// people draw with them.
func isEmoji(r rune) bool {
	switch {
	case 0x1F3FB <= r && r <= 0x1F3FF: // skin tones qualify the character before
		return false
	case 0x2500 <= r && r <= 0x25FF, 0x2800 <= r && r <= 0x28FF:
		return false
	}
	return r >= 0x2190 && unicode.Is(unicode.So, r)
}

func isVariation(r rune) bool { return 0xFE00 <= r && r <= 0xFE0F }

// isJoiner reports whether a character may occur inside a word without being part of it.
func isJoiner(r rune) bool { return r == 0x200C || r == 0x200D || r == 0x00AD }

// Scan calls emit for every token of the text: for each word the Whole, then the Sigil, then the Parts in order. It
// returns the number of positions.
func Scan(text string, emit func(Token)) int {
	position := 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf && !isASCIIWord(c) {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch classOf(r) {
		case separator:
			i += size
		case single:
			end := i + size + marksAfter(text[i+size:])
			emit(Token{Term: Fold(text[i:end]), From: position, To: position + 1, Start: i, End: end})
			position++
			i = end
		case wordChar:
			end := wordEnd(text, i)
			position = scanWord(text, i, end, position, emit)
			i = end
		}
	}
	return position
}

// marksAfter returns the length of the combining marks at the beginning of text.
func marksAfter(text string) int {
	n := 0
	for n < len(text) && text[n] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsMark(r) || isVariation(r) {
			break
		}
		n += size
	}
	return n
}

func wordEnd(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			if !isASCIIWord(c) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if classOf(r) != wordChar && !isJoiner(r) {
			return i
		}
		i += size
	}
	return i
}

// scanWord emits the tokens of the word text[start:end] and returns the position after it.
func scanWord(text string, start, end, position int, emit func(Token)) int {
	word := text[start:end]
	var buffer [16]wordPart
	pieces, width := buffer[:0], 1
	if len(word) <= MaxTerm && !plain(word) {
		pieces, width = split(word, pieces)
	}
	whole := Token{Term: Fold(word), Kind: Whole, From: position, To: position + width, Start: start, End: end}
	emit(whole)
	if n := sigilBefore(text[:start]); n > 0 {
		emit(Token{Term: text[start-n:start] + whole.Term, Kind: Sigil, From: whole.From, To: whole.To, Start: start - n, End: end})
	}
	for _, p := range pieces {
		// Folding keeps the length of ASCII, so the parts can share the memory of the whole.
		term := ""
		if isASCII(word) {
			term = whole.Term[p.start:p.end]
		} else {
			term = Fold(word[p.start:p.end])
		}
		emit(Token{Term: term, Kind: Part, From: position + p.from, To: position + p.to,
			Start: start + p.start, End: start + p.end})
	}
	return position + width
}

// sigilBefore returns the length of the sigil at the end of text; 0 if there is none or if a word precedes it.
func sigilBefore(text string) int {
	if text == "" {
		return 0
	}
	n := 0
	switch text[len(text)-1] {
	case '@', '#', '$':
		n = 1
	case '-':
		if len(text) < 2 || text[len(text)-2] != '-' {
			return 0
		}
		n = 2
		if len(text) > 2 && text[len(text)-3] == '-' {
			return 0
		}
	default:
		return 0
	}
	if r, _ := utf8.DecodeLastRuneInString(text[:len(text)-n]); classOf(r) == wordChar {
		return 0
	}
	return n
}

// A wordPart is a part of a word: its byte offsets and its interval of positions in the word.
type wordPart struct{ start, end, from, to int }

// A shape is the role of a character in splitting a word into parts.
type shape uint8

const (
	other shape = iota // caseless letters and marks
	lower
	upper
	digit
	underscore
)

func shapeOf(r rune) shape {
	switch {
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case '0' <= r && r <= '9':
		return digit
	case r < utf8.RuneSelf:
		return underscore
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLower(r):
		return lower
	case unicode.IsNumber(r):
		return digit
	case unicode.Is(unicode.Pc, r):
		return underscore
	}
	return other
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// split appends the parts of the word, or none if the word is a single part, and returns the number of positions that
// the word takes.
func split(word string, pieces []wordPart) ([]wordPart, int) {
	var segments, digits [8]wordPart
	list := splitCase(word, segments[:0])
	position := 0
	for _, s := range list {
		runs := splitDigits(word[s.start:s.end], digits[:0])
		if len(runs) > 1 {
			if len(list) > 1 {
				pieces = append(pieces, wordPart{s.start, s.end, position, position + len(runs)})
			}
			for _, r := range runs {
				pieces = append(pieces, wordPart{s.start + r.start, s.start + r.end, position, position + 1})
				position++
			}
			continue
		}
		pieces = append(pieces, wordPart{s.start, s.end, position, position + 1})
		position++
	}
	if len(pieces) == 1 && pieces[0].start == 0 && pieces[0].end == len(word) {
		return nil, 1
	}
	return pieces, max(position, 1)
}

// plain reports whether the word consists of the letters a to z. Most words do, and they have no parts.
func plain(word string) bool {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// splitCase splits a word at underscores and at changes of case: aB between a and B, and ABc between A and B, unless c
// is the s of a plural as in URLs.
func splitCase(word string, segments []wordPart) []wordPart {
	start, before, beforeAt := -1, underscore, 0
	for i, r := range word {
		s := shapeOf(r)
		cut := -1
		switch {
		case s == underscore:
			cut = i
		case before == lower && s == upper, before == digit && s == upper && start >= 0 && hasLower(word[start:i]):
			cut = i
		case before == upper && s == lower && start >= 0 && beforeAt > start && !pluralAt(word, i):
			cut = beforeAt
		}
		if cut >= 0 {
			if start >= 0 && cut > start {
				segments = append(segments, wordPart{start: start, end: cut})
			}
			start = cut
			if s == underscore {
				start = -1
			}
		} else if start < 0 {
			start = i
		}
		if s != other {
			before, beforeAt = s, i
		}
	}
	if start >= 0 && start < len(word) {
		segments = append(segments, wordPart{start: start, end: len(word)})
	}
	return segments
}

func hasLower(s string) bool {
	for _, r := range s {
		if shapeOf(r) == lower {
			return true
		}
	}
	return false
}

// pluralAt reports whether the s at i ends a plural such as URLs or IDsByName.
func pluralAt(word string, i int) bool {
	if word[i] != 's' {
		return false
	}
	if i+1 == len(word) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(word[i+1:])
	next := shapeOf(r)
	return next == upper || next == underscore
}

// splitDigits splits between digits and other characters; it appends nothing to runs if there are no digits.
func splitDigits(s string, runs []wordPart) []wordPart {
	hasDigit := false
	for i := 0; i < len(s) && !hasDigit; i++ {
		hasDigit = '0' <= s[i] && s[i] <= '9' || s[i] >= utf8.RuneSelf
	}
	if !hasDigit {
		return runs
	}
	start, in := 0, false
	for i, r := range s {
		now := shapeOf(r) == digit
		if i > 0 && now != in {
			runs = append(runs, wordPart{start: start, end: i})
			start = i
		}
		in = now
	}
	return append(runs, wordPart{start: start, end: len(s)})
}

// Fold returns the form in which terms are compared: without case, composed (Unicode NFC), without joiners, cut at
// MaxTerm bytes.
func Fold(s string) string {
	return shorten.Bytes(FoldAll(s), MaxTerm)
}

// FoldAll is Fold without the cut, for texts that are not terms.
func FoldAll(s string) string {
	ascii, changed := true, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		ascii = ascii && c < utf8.RuneSelf
		changed = changed || 'A' <= c && c <= 'Z'
	}
	switch {
	case !ascii:
		return norm.NFC.String(strings.Map(foldRune, s))
	case changed:
		return strings.ToLower(s)
	}
	return s
}

// foldRune returns the lower case of the upper case, so that letters with two lower-case forms, such as the Greek
// sigma, become one. It returns -1 for joiners.
func foldRune(r rune) rune {
	if isJoiner(r) {
		return -1
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// Words returns the whole words of the text, each as its Sigil if it has one.
func Words(text string) []Token {
	var words []Token
	Scan(text, func(t Token) {
		switch t.Kind {
		case Whole:
			words = append(words, t)
		case Sigil:
			words[len(words)-1] = t
		}
	})
	return words
}

// First returns the first of the Words of the text as it is written. It returns "" if there is none, or if a character
// beyond ASCII precedes the word or ends it.
func First(text string) string {
	start := 0
	for start < len(text) && text[start] < utf8.RuneSelf && !isASCIIWord(text[start]) {
		start++
	}
	end := start
	for end < len(text) && isASCIIWord(text[end]) {
		end++
	}
	if start == end || end < len(text) && text[end] >= utf8.RuneSelf {
		return ""
	}
	return text[start-sigilBefore(text[:start]) : end]
}

// HasWord reports whether the text has a letter or a digit: a line of brackets or dashes alone says nothing.
func HasWord(text string) bool {
	return strings.ContainsFunc(text, IsLetterOrDigit)
}

// IsLetterOrDigit reports whether r is a letter or a digit of any script.
func IsLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// IsInName reports whether r can be part of a name in most languages: a letter, a digit or an underscore.
func IsInName(r rune) bool { return r == '_' || IsLetterOrDigit(r) }

// NameAt returns the index of the first occurrence of a name in a text that is no part of a longer name, or -1.
func NameAt(text, name string) int {
	for from := 0; name != ""; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return -1
		}
		start, end := from+i, from+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		first, size := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !(IsInName(before) && IsInName(first)) && !(IsInName(last) && IsInName(after)) {
			return start
		}
		from = start + size
	}
	return -1
}
