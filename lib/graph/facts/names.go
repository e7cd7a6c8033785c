package facts

import (
	"strings"
	"sync"
)

// A Name is the number of a string. Equal strings have equal numbers within one names; numbers have no order.
type Name uint32

// names numbers strings, from several goroutines at once. Number 0 is "".
type names struct{ shards [64]nameShard }

type nameShard struct {
	mutex sync.RWMutex
	byKey map[string]Name
	list  []string
	_     [64]byte // each in a cache line of its own
}

// NewNames has no names but "".
func NewNames() *names {
	n := &names{}
	for i := range n.shards {
		n.shards[i].byKey = map[string]Name{}
	}
	n.shards[0].list = []string{""}
	return n
}

// shardOf is FNV-1a over the ends of s.
func shardOf[T string | []byte](s T) uint32 {
	h := uint32(2166136261)
	step := func(c byte) { h = (h ^ uint32(c)) * 16777619 }
	step(byte(len(s)))
	for i := max(0, len(s)-6); i < len(s); i++ {
		step(s[i])
	}
	return (h ^ h>>16) & 63
}

// Text is the number of s.
func (n *names) Text(s string) Name {
	if s == "" {
		return 0
	}
	i := shardOf(s)
	shard := &n.shards[i]
	shard.mutex.RLock()
	number, ok := shard.byKey[s]
	shard.mutex.RUnlock()
	if ok {
		return number
	}
	return n.add(i, strings.Clone(s))
}

func (n *names) add(i uint32, s string) Name {
	shard := &n.shards[i]
	shard.mutex.Lock()
	defer shard.mutex.Unlock()
	if number, ok := shard.byKey[s]; ok {
		return number
	}
	number := Name(len(shard.list))<<6 | Name(i)
	shard.list = append(shard.list, s)
	shard.byKey[s] = number
	return number
}

// Find is the number of s if it has one. It is for the time when none are added.
func (n *names) Find(s string) (Name, bool) {
	if s == "" {
		return 0, true
	}
	number, ok := n.shards[shardOf(s)].byKey[s]
	return number, ok
}

// Of is the string of a number. It is for the time when none are added.
func (n *names) Of(number Name) string { return n.shards[number&63].list[number>>6] }
