package wording

import (
	"regexp"
	"strings"
)

// WithoutFraming removes from a question about a change, or for a declaration, the words that only say so. "what must I
// change to add a new output format" is about output formats; the words "change", "add" and "new" would rank changelogs
// first. "the Parser class" asks for Parser. Other questions, and those with no other words, are returned unchanged.
func WithoutFraming(question string) string {
	if name := declarationAsked(question); name != "" {
		return name
	}
	frame := changeFrame.FindString(question)
	rest := question[len(frame):]
	if frame == "" || WordsOfSubstance(rest) == 0 {
		return question
	}
	if added := addition.FindString(rest); WordsOfSubstance(rest[len(added):]) > 0 {
		rest = rest[len(added):]
	}
	return rest
}

var (
	// changeFrame matches a question where something must be changed, or a statement that somebody is going to do
	// something.
	changeFrame = regexp.MustCompile(`(?i)^\s*(?:(?:so|and|now|then),? )?(?:` +
		`(?:what|where|which \w+)(?: all| else)?(?: in the code)? (?:(?:must|should|do|would|can|could) (?:i|we|one|you)(?: (?:need|have) to)?|(?:must|should|needs? to|has to|have to)(?: be)?) ` +
		`(?:change|touch|edit|modify|modifie|adapt|update|adjust|extend)(?:d|ed)?(?: the code)?(?:(?: in order| if (?:i|we) want)? to| (?:if|when) (?:i|we))` +
		`|(?:i|we)(?:'d| would)? (?:want|like|need|plan|have)(?: to)?` +
		`|(?:i am|i'm|we are|we're) (?:going|about|trying|planning) to) `)
	// addition matches the verb, and the adjective, of adding something similar to what exists.
	addition = regexp.MustCompile(`(?i)^(?:add|introduc|support|implement|creat|defin|register)(?:e|ing)?(?: (?:a|an|another|one more|some|yet another))?(?: (?:new|further|additional|extra|custom|second|third))? `)
)

// declarationAsked returns the name in a question that consists of a name and of words that ask for its declaration, as
// in "the Parser class" or "where is parse_all defined?"; else "".
func declarationAsked(question string) string {
	words := strings.Fields(question)
	var names []string
	for i, word := range words {
		word = strings.Trim(word, Marks)
		if !asksForDeclaration(word) && (i > 0 || !asksForDeclaration(strings.ToLower(word))) {
			names = append(names, word)
		}
	}
	if len(names) != 1 || len(words) == 1 {
		return ""
	}
	if list, _ := Mentions(names[0]); len(list) == 1 && (list[0].Identifier || list[0].Capital) {
		return names[0]
	}
	return ""
}

// Marks are those that quote or follow a word in a sentence.
const Marks = "`'\"()[]{}<>,;:!?."

// asksForDeclaration reports whether the word tells the kind of a name beside it, or asks where the name is declared.
func asksForDeclaration(word string) bool {
	switch word {
	case "class", "struct", "interface", "trait", "protocol", "enum", "type", "function", "method", "constant", "macro",
		"definition", "declaration", "defined", "declared", "the", "a", "an", "of", "where", "is":
		return true
	}
	return false
}
