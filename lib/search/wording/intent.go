package wording

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/search/token"
)

// An Intent tells what a question asks for. Several fields may be set.
type Intent struct {
	// Tests, Examples, Translations and Documents are set if a word of the question stands for files of that kind.
	Tests, Examples, Translations, Documents bool
	// Use is set if the question is about how something is used, what it does, how it works or why it is so.
	// Documentation answers such questions as well as code does.
	Use bool
	// Value is set if the question is about a limit, a default, a size or another value rather than about what code
	// does: "how many times is a job retried", "default port", "exit code for bad usage".
	Value bool
	// Type is set if the question is about the declaration of a type: "the struct that holds a session", "kinds of
	// tokens", "states of a job".
	Type bool
	// How is set if the question asks how something is done: "how are records decoded", not "how many".
	How bool
}

// IntentOf returns the intent of a question. Of a report, only the first line asks; the others mention things in
// passing.
func IntentOf(topic string) Intent {
	question := cmp.Or(Headline(topic), topic)
	asks := Intent{Use: asksForUse(question)}
	token.Scan(question, func(t token.Token) {
		switch Stem(t.Term) {
		case "test", "spec", "mock", "fixtur", "benchmark":
			asks.Tests = true
		case "exampl", "sampl", "demo":
			asks.Examples = true
		case "translat", "local", "i18n", "l10n", "gettext":
			asks.Translations = true
		case "document", "doc", "readm", "guid", "tutori", "changelog", "manual":
			asks.Documents, asks.Examples = true, true
		}
	})
	if words := subject(question); len(words) > 1 {
		asks.Value, asks.Type = asksForValue(words), asksForType(words)
		asks.How = words[0] == "how" && !measures[words[1]]
	}
	return asks
}

func asksForUse(question string) bool {
	words := strings.Fields(strings.ToLower(question))
	if len(words) < 3 {
		return false
	}
	last := strings.TrimRight(words[len(words)-1], "?!.")
	switch words[0] {
	case "why":
		return true
	case "what":
		switch words[1] {
		case "is", "are":
			return true
		case "do", "does":
			return last == "do" || last == "mean" || slices.Contains(words, "do") || slices.Contains(words, "mean")
		}
	case "how":
		switch words[1] {
		case "to":
			return true
		case "do", "does", "can", "could", "should", "would":
			return isReader(words[2]) || last == "work" || last == "works"
		}
	case "can", "could", "may", "should", "must":
		return isReader(words[1])
	case "difference", "differences":
		return words[1] == "between"
	case "which":
		switch words[1] {
		case "option", "options", "setting", "settings", "flag", "flags", "parameter", "parameters", "variable":
			return true
		}
	}
	return false
}

// isReader reports whether the word stands for the person who asks or for a user.
func isReader(word string) bool {
	switch word {
	case "i", "we", "you", "one", "my", "users", "people":
		return true
	}
	return false
}

func asksForValue(words []string) bool {
	first, second := words[0], words[1]
	last, beforeLast := words[len(words)-1], words[len(words)-2]
	switch {
	case first == "how": // how many jobs run at once
		return measures[second]
	case first == "limit": // limit on the size of a request, but not: limit how many jobs run at once
		return second == "on" || second == "of" || second == "for"
	case first == "environment", first == "env":
		return strings.HasPrefix(second, "var")
	case extremes[first], quantities[first]:
		return true
	case bounds[last] && len(words) <= maxBounded: // connection timeout
		return true
	case units[last] && beforeLast == "in", last == "default" && beforeLast == "by":
		return true
	case chosen[last] && slices.ContainsFunc(words, func(word string) bool { return negations[word] }): // unless configured
		return true
	}
	return beginsWithValue(words)
}

// maxBounded is the number of words up to which a question that ends with a bound asks for it. A longer one mentions
// it.
const maxBounded = 6

// beginsWithValue reports whether the question begins with a noun that stands for a value, of which the rest says more:
// "port the server binds", "hash algorithm for passwords", but not "parse the port of a URL".
func beginsWithValue(words []string) bool {
	at := slices.IndexFunc(words[1:], func(word string) bool { return afterValue[word] }) // index of the noun in words
	switch {
	case at < 0 || at > 2:
		return false
	case at == 0:
		return valueNouns[words[0]] || plainNouns[words[0]]
	}
	noun, adjective := words[at], words[at-1]
	return at == 1 && valueNouns[noun] || noun == "code" && codes[adjective] || noun == "message" && adjective == "error"
}

func asksForType(words []string) bool {
	asks := func(i int) bool {
		return holders[words[i]] || typeNouns[words[i]] && (i+1 == len(words) || afterType[words[i+1]])
	}
	return asks(0) || asks(1)
}

// subject returns the words of a question in lower case, without articles and the like in front of its subject.
func subject(question string) []string {
	words := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !token.IsLetterOrDigit(r) })
	for len(words) > 0 && (beforeSubject[words[0]] || len(words) > 1 && words[1] == "how" && beforeHow[words[0]]) {
		words = words[1:]
	}
	return words
}

var (
	// beforeSubject are the words that are left out in front of a subject, beforeHow those in front of "how".
	beforeSubject = wordSet("the a an one what which is are where")
	beforeHow     = wordSet("after at by for from in to until up within")
	// measures are the words after "how" that ask for a number.
	measures = wordSet("many much long often far fast big large deep wide high old heavy soon late quickly small short low")
	// A question that begins with one of extremes or quantities asks for a value; so does a short one that ends with
	// one of bounds, and one that ends with "in" and one of units.
	extremes   = wordSet("maximum minimum max min most least largest biggest longest shortest smallest greatest highest lowest oldest newest latest earliest upper lower fewest deepest widest default")
	quantities = wordSet("ceiling cap bounds threshold timeout interval capacity port ratio seconds milliseconds bytes constant number")
	bounds     = wordSet("limit ceiling cap threshold timeout unset")
	units      = wordSet("bytes kilobytes megabytes characters pixels percent milliseconds seconds minutes hours days")
	// A question that has one of negations and ends with one of chosen asks for a default.
	negations = wordSet("unless none nothing nobody")
	chosen    = wordSet("configured overridden set specified otherwise given provided passed chosen supplied")
	// valueNouns stand for values. So do plainNouns unless another noun is before them, as in "view name". codes are
	// the words before "code".
	valueNouns = wordSet("algorithm bound bounds cap ceiling delay delimiter interval limit lifetime path period port prefix priority separator suffix threshold timeout ttl wording")
	plainNouns = wordSet("extension name pattern size version")
	codes      = wordSet("close error exit response return status")
	// afterValue are the words that may follow a noun that begins a question.
	afterValue = wordSet("the a an of for on in at to when before after between until that which whose is are was were does used sent written given bound allowed from with above below beyond per by under")
	// typeNouns stand for types if one of afterType follows: "union of two shapes", but not "union and intersection".
	// holders stand for types wherever they are: "holds what is known about a peer".
	typeNouns = wordSet("struct structure class classes interface trait enum enumeration union record types kinds categories category variants contract object holder container wrapper " +
		"states phases modes levels choices strategies reasons outcomes severities")
	afterType = wordSet("of that which for with holding behind a an the in to one")
	holders   = wordSet("holds everything something thing anything")
)

// wordSet returns the words of a text as a set.
func wordSet(text string) map[string]bool { return setOf(strings.Fields(text)...) }
