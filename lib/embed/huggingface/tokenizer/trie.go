package tokenizer

import (
	"bytes"
	"maps"
	"slices"
)

// A trie finds all texts of a set that are prefixes of a string.
type trie struct {
	// The children of a node are adjacent, sorted by label.
	nodes  []node
	labels []byte
}

type node struct {
	value       int32 // -1 if no text ends here
	first, many int32 // children
}

// newTrie returns the trie of texts with their values. It ignores the empty text.
func newTrie(values map[string]int32) *trie {
	texts := slices.Sorted(maps.Keys(values))
	t := &trie{nodes: []node{{value: -1}}, labels: []byte{0}}
	// A job is a node to be built, with the texts that pass through it, which share depth bytes.
	type job struct {
		node     int32
		from, to int
		depth    int
	}
	for jobs := []job{{0, 0, len(texts), 0}}; len(jobs) > 0; {
		j := jobs[0]
		jobs = jobs[1:]
		if j.from < j.to && len(texts[j.from]) == j.depth {
			if j.depth > 0 {
				t.nodes[j.node].value = values[texts[j.from]]
			}
			j.from++
		}
		t.nodes[j.node].first = int32(len(t.nodes))
		for from := j.from; from < j.to; {
			label := texts[from][j.depth]
			to := from + 1
			for to < j.to && texts[to][j.depth] == label {
				to++
			}
			jobs = append(jobs, job{int32(len(t.nodes)), from, to, j.depth + 1})
			t.nodes = append(t.nodes, node{value: -1})
			t.labels = append(t.labels, label)
			t.nodes[j.node].many++
			from = to
		}
	}
	return t
}

// prefixes calls f with the value and length of each text that is a prefix of s, the shortest first.
func (t *trie) prefixes(s string, f func(value int32, length int)) {
	at := int32(0)
	for i := range len(s) {
		n := &t.nodes[at]
		labels := t.labels[n.first : n.first+n.many]
		child := -1
		if len(labels) <= 8 {
			child = bytes.IndexByte(labels, s[i])
		} else if found, ok := slices.BinarySearch(labels, s[i]); ok {
			child = found
		}
		if child < 0 {
			return
		}
		at = n.first + int32(child)
		if value := t.nodes[at].value; value >= 0 {
			f(value, i+1)
		}
	}
}
