package wording

import (
	"slices"
	"strings"

	"cortex/lib/search/token"
)

// AsksForUse reports whether a question is about how something is used, what it does, how it works or why it is so.
// Documentation answers such questions as well as code does.
func AsksForUse(topic string) bool {
	words := strings.Fields(strings.ToLower(topic))
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

// AsksForValue reports whether a question is about a limit, a default, a size or another value rather than about what
// code does: "how many times is a job retried", "default port", "longest name that is accepted", "exit code for bad usage".
func AsksForValue(topic string) bool {
	words := subject(topic)
	if len(words) < 2 {
		return false
	}
	first, second, last := words[0], words[1], words[len(words)-1]
	switch first {
	case "how":
		return measures[second]
	case "limit":
		return second == "on" || second == "of" || second == "for"
	case "environment", "env":
		return strings.HasPrefix(second, "var")
	}
	return extremes[first] || quantities[first] || bounds[last] && len(words) <= maxBounded || isAboutValue(words) ||
		units[last] && words[len(words)-2] == "in" || last == "default" && words[len(words)-2] == "by" ||
		unlessSet[last] && slices.ContainsFunc(words, func(word string) bool { return unless[word] })
}

// maxBounded is the number of words up to which a question that ends with a bound asks for it. A longer one mentions it.
const maxBounded = 6

// isAboutValue reports whether the question begins with a noun that stands for a value, of which the rest says more:
// "port the server binds", "hash algorithm for passwords", but not "parse the port of a URL".
func isAboutValue(words []string) bool {
	before := slices.IndexFunc(words[1:], func(word string) bool { return afterValue[word] })
	switch noun := words[max(before, 0)]; before {
	case 0:
		return valueNouns[noun] || plainNouns[noun]
	case 1, 2:
		adjective := words[before-1]
		return before == 1 && valueNouns[noun] || noun == "code" && codes[adjective] || noun == "message" && adjective == "error"
	}
	return false
}

// AsksHow reports whether a question asks how something is done: "how are records decoded", not "how many".
func AsksHow(topic string) bool {
	words := subject(topic)
	return len(words) > 1 && words[0] == "how" && !measures[words[1]]
}

// AsksForType reports whether a question is about the declaration of a type rather than about what code does: "the struct
// that holds a session", "kinds of tokens", "states of a job".
func AsksForType(topic string) bool {
	words := subject(topic)
	if len(words) < 2 {
		return false
	}
	asks := func(i int) bool {
		return holders[words[i]] || typeNouns[words[i]] && (i+1 == len(words) || afterType[words[i+1]])
	}
	return asks(0) || asks(1)
}

// subject returns the words of a question in lower case, without articles and the like in front of its subject.
func subject(topic string) []string {
	words := strings.FieldsFunc(strings.ToLower(topic), func(r rune) bool { return !token.IsLetterOrDigit(r) })
	for len(words) > 0 && (beforeSubject[words[0]] || len(words) > 1 && words[1] == "how" && beforeHow[words[0]]) {
		words = words[1:]
	}
	return words
}

var (
	typeNouns = wordSet("struct structure class classes interface trait enum enumeration union record types kinds categories category variants contract object holder container wrapper " +
		"states phases modes levels choices strategies reasons outcomes severities")
	// afterType are the words that may follow such a noun: "union of two shapes", but not "union and intersection".
	afterType     = wordSet("of that which for with holding behind a an the in to one")
	holders       = wordSet("holds everything something thing anything")
	beforeSubject = wordSet("the a an one what which is are where")
	beforeHow     = wordSet("after at by for from in to until up within")
	measures      = wordSet("many much long often far fast big large deep wide high old heavy soon late quickly small short low")
	extremes      = wordSet("maximum minimum max min most least largest biggest longest shortest smallest greatest highest lowest oldest newest latest earliest upper lower fewest deepest widest default")
	quantities    = wordSet("ceiling cap bounds threshold timeout interval capacity port ratio seconds milliseconds bytes constant number")
	bounds        = wordSet("limit ceiling cap threshold timeout unset")
	units         = wordSet("bytes kilobytes megabytes characters pixels percent milliseconds seconds minutes hours days")
	unless        = wordSet("unless none nothing nobody")
	unlessSet     = wordSet("configured overridden set specified otherwise given provided passed chosen supplied")
	// valueNouns stand for values. So do plainNouns unless another noun is before them, as in "view name".
	valueNouns = wordSet("algorithm bound bounds cap ceiling delay delimiter interval limit lifetime path period port prefix priority separator suffix threshold timeout ttl wording")
	plainNouns = wordSet("extension name pattern size version")
	codes      = wordSet("close error exit response return status")
	// afterValue are the words that may follow a noun that begins a question.
	afterValue = wordSet("the a an of for on in at to when before after between until that which whose is are was were does used sent written given bound allowed from with above below beyond per by under")
)

// wordSet returns the words of a text as a set.
func wordSet(text string) map[string]bool { return setOf(strings.Fields(text)...) }
