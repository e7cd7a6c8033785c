//go:build bert

package huggingface

import (
	"fmt"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/onnx-gomlx/onnx"
)

// Bounds on a network, of which the library checks none: it would end the program for want of memory or stack.
const (
	// maxNodes bounds the operations. A BERT of 24 layers has three thousand; the library follows them by recursion.
	maxNodes = 20_000
	// A value of a network that reads n tokens has at most valueBase + n * n * valueFactor bytes: valueFactor is what 64 heads of attention
	// take for each pair of tokens.
	valueBase   = 256 << 20
	valueFactor = 64 * 4
)

// checkNetwork makes sure that operations follow those whose results they need, as ONNX demands, so that there is no circle, and that tensors
// are no larger than the file.
func checkNetwork(m *onnx.Model, fileSize int) error {
	network := m.Proto.Graph
	if len(network.Node) > maxNodes {
		return fmt.Errorf("%d operations, expected at most %d", len(network.Node), maxNodes)
	}
	known := map[string]bool{"": true} // an input that is left out
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

// checkValues makes sure that a network which reads so many tokens makes no value that is out of proportion.
func checkValues(g *graph.Graph, tokens int) error {
	most := uint64(valueBase + tokens*tokens*valueFactor)
	for _, node := range g.Nodes() {
		if node.NumOutputs() != 1 {
			continue // of the values that other nodes are made of
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
