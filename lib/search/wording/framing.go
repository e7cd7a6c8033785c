package wording

import "regexp"

// WithoutFraming removes from a question about a change the words that only say so. "what must I change to add a new
// output format" is about output formats; the words "change", "add" and "new" would rank changelogs first. Other
// questions, and those with no other words, are returned unchanged.
func WithoutFraming(question string) string {
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
