package wording

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/search/token"
)

// A Mention is a word of a question that may name a symbol.
type Mention struct {
	Text string
	// Word is the whole name if Text ends in an identifier of several parts, else "", since it may be any word.
	Word string
	// Identifier is set for names of several parts, which are no prose; Capital for those that begin with a capital.
	Identifier, Capital bool
}

// Mentions returns the words of a question that may name symbols; alone reports whether the question is one word.
func Mentions(question string) (list []Mention, alone bool) {
	seen := map[string]bool{}
	count := 0
	for word := range strings.FieldsSeq(question) {
		word = strings.Trim(word, Marks)
		words := token.Words(word)
		if len(words) == 0 || seen[word] {
			continue
		}
		seen[word] = true
		count++
		m := Mention{Text: word}
		first := words[0]
		m.Capital = first.Start == 0 && word[:first.End] != first.Term
		path := strings.ContainsAny(word, "/-")
		m.Identifier = !path && len(words) > 1
		for _, w := range words {
			m.Identifier = m.Identifier || !path && w.To-w.From > 1
		}
		if last := words[len(words)-1]; !path && last.To-last.From > 1 {
			m.Word = last.Term
		}
		if (count == 1 || m.Identifier || m.Capital) && len(list) < maxMentions {
			list = append(list, m)
		}
	}
	if count == 1 {
		return list, true
	}
	return slices.DeleteFunc(list, func(m Mention) bool { return !m.Identifier && !m.Capital }), false
}

// maxMentions bounds the names of a question that are looked up.
const maxMentions = 64

// IsVersion reports whether a word is the number of a version, such as 4.5.0 or v2.40.
func IsVersion(word string) bool {
	word = strings.TrimPrefix(word, "v")
	return strings.Contains(word, ".") && strings.Trim(word, "0123456789.") == ""
}

// NamesVersion returns how well a title names the version: 1 for its number, longerVersion for one that goes on.
func NamesVersion(title, version string) float32 {
	best := float32(0)
	for at := 0; ; {
		i := strings.Index(title[at:], version)
		if i < 0 {
			return best
		}
		before, after := title[:at+i], title[at+i+len(version):]
		at += i + len(version)
		switch {
		case before != "" && strings.IndexByte("0123456789.", before[len(before)-1]) >= 0, after != "" && after[0] >= '0' && after[0] <= '9':
		case len(after) > 1 && after[0] == '.' && after[1] >= '0' && after[1] <= '9':
			best = max(best, longerVersion)
		default:
			return 1
		}
	}
}

// longerVersion is the value of a title with a longer number than the version in the question.
const longerVersion = 0.5

// IsHyphenated reports whether a word has hyphens between letters or digits, as names of settings have, such as
// default-theme, and as words of prose have.
func IsHyphenated(word string) bool { return hyphenated.MatchString(word) }

var hyphenated = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)

// BeginsWithName reports whether a line of a document begins with the name, but for markup, and does not go on as a
// sentence. A name below a directive or macro is its argument.
func BeginsWithName(line, name string) bool {
	before, after, found := strings.Cut(line, name)
	if !found {
		return false
	}
	if strings.HasPrefix(strings.TrimLeft(before, " \t"), ".") {
		return len(strings.Fields(before)) <= 2 && strings.HasSuffix(before, " ")
	}
	word := strings.IndexFunc(before, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if word >= 0 && !(strings.HasPrefix(name, "--") && word > 0 && before[word-1] == '-' && len(before)-word <= 6) { // as in "`-x`, `--name`"
		return false
	}
	after = strings.TrimLeft(after, "`*'\"_]) \t\r\n")
	return after == "" || strings.IndexByte(":|(<-[{", after[0]) >= 0
}
