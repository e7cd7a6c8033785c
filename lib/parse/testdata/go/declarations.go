// Package shapes has every form of declaration.
package shapes

import (
	_ "embed"
	"fmt"
	str "strings"
)

import . "math"

// Pi is circular.
const Pi = 3.14

// Colours of things.
const (
	// Red is hot.
	Red   Colour = iota
	Green        // Green is calm.
	blue, violet
)

const (
	Alone = 1
)

var debug, Verbose bool

// Table is long.
var Table = map[string][]string{
	"one":   {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "b"},
	"two":   {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "b"},
	"three": {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "b"},
}

var (
	_ fmt.Stringer = Colour(0)
	a              = func() int { x := 1; var y int; return x + y }()
	// b has a doc.
	b, c = 1, 2
)

// A Colour is one.
//
//go:generate stringer
type Colour int

// Point is
// in two lines.
type Point[T any] struct {
	fmt.Stringer
	X, Y T `json:"x"`
}

/*
Shape is block documented.

	indented
*/
type Shape interface {
	Area() float64
	~int | ~string
}

type (
	// Handler handles.
	Handler func(a int,
		b string) error
	Alias = Point[int]
	empty struct{}
)

//nolint:unused
func (p *Point[T]) Move(dx, dy T) (ok bool) {
	const local = 1
	type inner struct{ a int }
	var v = func() {}
	v()
	return
}

func (Colour) String() string { return "" } // trailing

// not a doc

func (p Point[T]) Sum() T { return p.X }

// Map maps.
func Map[K comparable, V any](
	m map[K]V, // the map
	f func(V) V,
) map[K]V {
	return m
}

func asm(x int) int

func init() {}

func init() { _ = str.ToUpper("") }

const left, right = 1, 2

const _, counted = iota, 1 << iota
