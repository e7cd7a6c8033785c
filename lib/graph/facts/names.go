package facts

import (
	"strings"
	"sync"
)

// A Name is the number of a string. Within one names table, equal strings have equal numbers; the numbers have no order.
type Name uint32

// names numbers strings. Number 0 is "". Several goroutines may add strings at once.
type names struct{ shards [64]nameShard }

type nameShard struct {
	mutex sync.RWMutex
	byKey map[string]Name
	list  []string
	_     [64]byte // keeps the shards in different cache lines
}

// NewNames returns a table with only "".
func NewNames() *names {
	n := &names{}
	for i := range n.shards {
		n.shards[i].byKey = map[string]Name{}
	}
	n.shards[0].list = []string{""}
	return n
}

// shardOf returns the shard of s: the FNV-1a hash of its length and last 6 bytes, modulo 64.
func shardOf[T string | []byte](s T) uint32 {
	h := uint32(2166136261)
	step := func(c byte) { h = (h ^ uint32(c)) * 16777619 }
	step(byte(len(s)))
	for i := max(0, len(s)-6); i < len(s); i++ {
		step(s[i])
	}
	return (h ^ h>>16) & 63
}

// Text returns the number of s, which it adds if it is new.
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

// Find returns the number of s if it has one. It takes no lock: nobody may add strings meanwhile.
func (n *names) Find(s string) (Name, bool) {
	if s == "" {
		return 0, true
	}
	number, ok := n.shards[shardOf(s)].byKey[s]
	return number, ok
}

// Of returns the string of a number. It takes no lock: nobody may add strings meanwhile.
func (n *names) Of(number Name) string { return n.shards[number&63].list[number>>6] }
