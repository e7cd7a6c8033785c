package wording

import (
	"strings"

	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// A Term is one word of a question with its forms.
type Term struct {
	Word   string
	Weight float32
	Forms  []Form
	// Misspelt is set for a word that occurs nowhere and is replaced by similar words.
	Misspelt bool
	// Rarity is the weight of the term in the index. Found is set if any chunk has it, Occurs if an allowed chunk does.
	// The ranker sets all three.
	Rarity        float32
	Found, Occurs bool
}

// A Form is a word of the index that counts as the term, with its weight.
type Form struct {
	Text   string
	Weight float32
}

// Terms returns the distinct words of a question without function words.
func Terms(text corpus.Text, question string) ([]Term, error) {
	var list []Term
	seen := map[string]bool{}
	add := func(word string, weight float32) error {
		if seen[word] || len(list) == MaxQuestionTerms {
			return nil
		}
		seen[word] = true
		forms, err := forms(text, word)
		if err != nil {
			return err
		}
		list = append(list, Term{Word: word, Weight: weight, Forms: forms})
		return nil
	}
	prose := isProse(question)
	var failed error
	token.Scan(question, func(t token.Token) {
		var err error
		switch {
		case failed != nil, prose && IsFunctionWord(t.Term):
		case t.Kind == token.Part:
			err = add(t.Term, PieceWeight)
		case t.Kind == token.Whole:
			err = add(t.Term, 1)
		}
		if err != nil {
			failed = err
		}
	})
	return list, failed
}

// forms returns the forms of the word in the dictionary: the word itself and, for a plain word, words with a related
// stem.
func forms(text corpus.Text, word string) ([]Form, error) {
	list := []Form{{word, 1}}
	root := Stem(word)
	if len(root) < 3 || !IsLetters(word) {
		return list, nil
	}
	related := func(other string) bool {
		return other != word && len(other) <= len(word)+5 && IsLetters(other) && relation(root, other) > 0
	}
	found, err := text.TermsOf(corpus.DictsOf(query.Text), root[:len(root)-1], related, maxForms)
	for _, other := range found {
		list = append(list, Form{other, relation(root, other)})
	}
	return list, err
}

// relation returns the weight of a word as a form of words with the given stem, 0 if it is no form.
func relation(root, word string) float32 {
	s := Stem(word)
	switch {
	case s == root:
		return sameStem
	case trimE(agentRoot(s)) == trimE(root), trimE(agentRoot(root)) == trimE(s):
		return agent
	}
	return 0
}

// agentRoot removes the ending from the stem of words such as reader, writer and parser.
func agentRoot(stem string) string {
	for _, ending := range []string{"er", "or"} {
		if root, ok := strings.CutSuffix(stem, ending); ok && len(root) >= 4 {
			return root
		}
	}
	return stem
}

func trimE(s string) string { return strings.TrimSuffix(s, "e") }

// maxForms bounds the words of the dictionary that are looked at for one word.
const maxForms = 2000

// sameStem and agent are the weights of other forms of a word: for read, sameStem is that of reads and reading, agent
// that of reader.
const sameStem, agent = 0.8, 0.5

// PieceWeight is the weight of each part of an identifier in the question.
const PieceWeight = 0.4
