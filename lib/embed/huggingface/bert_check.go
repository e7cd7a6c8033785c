//go:build bert

package huggingface

import (
	"fmt"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/onnx-gomlx/onnx"
)

// Bounds on a network. The library does not check them, and would end the program when memory or stack is exhausted.
const (
	// maxNodes bounds the number of operations, which the library visits recursively. A BERT of 24 layers has three
	// thousand.
	maxNodes = 20_000
	// A value of a network that reads n tokens may have valueBase + n * n * valueFactor bytes; valueFactor is the size
	// of 64 attention heads for each pair of tokens.
	valueBase   = 256 << 20
	valueFactor = 64 * 4
)

// checkNetwork checks that each operation comes after those whose results it needs, as ONNX requires, so that there is
// no cycle, and that tensors are no larger than the file.
func checkNetwork(m *onnx.Model, fileSize int) error {
	network := m.Proto.Graph
	if len(network.Node) > maxNodes {
		return fmt.Errorf("%d operations, expected at most %d", len(network.Node), maxNodes)
	}
	known := map[string]bool{"": true} // an omitted input
	for _, name := range m.InputsNames {
		known[name] = true
	}
	for _, tensor := range network.Initializer {
		known[tensor.Name] = true
		size := int64(1)
		for _, d := range tensor.Dims {
			if d < 0 || d > int64(fileSize) || size*d > int64(fileSize) {
				return fmt.Errorf("tensor %.100q has the shape %.10v, of more numbers than the file has bytes", tensor.Name, tensor.Dims)
			}
			size *= d
		}
	}
	for _, node := range network.Node {
		for _, name := range node.Input {
			if !known[name] {
				return fmt.Errorf("operation %.100q needs %.100q, which does not come before it", node.OpType, name)
			}
		}
		for _, name := range node.Output {
			known[name] = true
		}
	}
	return nil
}

// checkValues checks that no value of a network that reads so many tokens is too large.
func checkValues(g *graph.Graph, tokens int) error {
	most := uint64(valueBase + tokens*tokens*valueFactor)
	for _, node := range g.Nodes() {
		if node.NumOutputs() != 1 {
			continue // its values belong to other nodes
		}
		size := uint64(node.DType().Size())
		for _, d := range node.Shape().Dimensions {
			if d < 0 || d > 0 && size > most/uint64(d) {
				return fmt.Errorf("a value of the shape %.10v is too large for %d tokens", node.Shape().Dimensions, tokens)
			}
			size *= uint64(d)
		}
	}
	return nil
}
