package embed

import (
	"math"
	"strings"

	"cortex/lib/embed/lexicon"
)

// one is the fixed-point unit of weights.
const one = 256

// stopWords say nothing about a text's subject, in prose.
const stopWords = `
a about above after again against all also am an and another any are as at be because been before being below
between both but by can cannot could did do does doing don done down during each either else etc every few for from
further had has have having he her here hers him his how however i if in into is it its itself just
let like many may me might more most much must my no nor not now of off often on once one only or other
our out over own per please same shall she should since so some such than that the their them then there these
they this those through thus to too under until up upon us very via was we were what when where whether which
while who whom whose why will with within without would yes yet you your`

// commonWords say little about a piece of code.
const commonWords = `
abstract assert async await bool boolean break byte case catch char class const continue
data def default defer del double elif end enum err error except export extends false final
finally float fmt fn func function get go goto impl implements import info int integer interface key lambda len
list long main make map mod module mut name namespace new nil node none null number obj object option options
override package pass print private protected ptr pub public raise range ref result ret return self set short
size static str string struct super switch template test this throw throws true try type typeof uint undefined union
unsafe use used uses using val value values var void volatile yield`

// A weightTable knows the weights of words and the roots of small numbers. It is read only.
type weightTable struct {
	slots []weightSlot
	roots [2*maxCount + 1]int64
}

type weightSlot struct {
	hash   uint64
	weight int64
}

const weightSlots = 1024

func newWeightTable() *weightTable {
	t := &weightTable{slots: make([]weightSlot, weightSlots)}
	for i := range t.roots {
		t.roots[i] = int64(math.Sqrt(float64(i)) * one)
	}
	for _, w := range strings.Fields(stopWords) {
		t.set(w, stopWeight)
	}
	for _, w := range strings.Fields(commonWords) {
		t.set(w, commonWeight)
	}
	return t
}

// set gives an ASCII word in lower case a weight unless it has one.
func (t *weightTable) set(w string, weight int64) {
	h := lexicon.Hash(w)
	slot := t.find(h)
	if slot.hash == 0 {
		*slot = weightSlot{h, weight}
	}
}

// find returns the slot with the hash, or the free one where it belongs.
func (t *weightTable) find(hash uint64) *weightSlot {
	for at := hash % weightSlots; ; at = (at + 1) % weightSlots {
		if slot := &t.slots[at]; slot.hash == hash || slot.hash == 0 {
			return slot
		}
	}
}

// word is the weight of the word with the hash.
func (t *weightTable) word(hash uint64) int64 {
	if slot := t.find(hash); slot.hash != 0 {
		return slot.weight
	}
	return wordWeight
}

// count is the weight of n occurrences: its root, in units of 1/one.
func (t *weightTable) count(n uint32) int64 { return t.roots[min(n, maxCount)] }

// root is the square root of n, in units of 1/one; n is at most 2*maxCount.
func (t *weightTable) root(n int) int64 { return t.roots[n] }

// Weights, in units of 1/256. They were chosen for how well comments of functions find the
// functions in Go's standard library, without the comments.
const (
	wordWeight   = 256
	wholeWeight  = 160 // of an identifier of several parts
	numberWeight = 96
	gramsWeight  = 500 // of all n-grams of one word together
	stopWeight   = 20  // of words that say nothing
	commonWeight = 220 // of words that say little in code
	titleCount   = 3   // how often a word of the first line counts
)

// Bounds on what one text costs.
const (
	maxGramRunes = 30 // of a word
	maxCount     = 64
)
