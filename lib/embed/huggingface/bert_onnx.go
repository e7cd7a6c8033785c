//go:build bert

package huggingface

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	mlcontext "github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/onnx-gomlx/onnx"

	"cortex/lib/shorten"
)

const bertBuilt = true

// onnxRunner runs an ONNX model in pure Go, with the engine that knights-analytics/hugot uses too.
type onnxRunner struct {
	inputs  []string
	output  string
	dims    int
	perText bool
	weights *mlcontext.Context
	exec    *mlcontext.Exec
	backend backends.Backend
}

// newBERTRunner reads a model. The library panics if it cannot run a model.
func newBERTRunner(data []byte) (runner bertRunner, err error) {
	defer recoverTo(&err)
	model, err := onnx.Parse(data)
	if err != nil {
		return nil, firstLine(err)
	}
	for _, tensor := range model.Proto.Graph.Initializer {
		if tensor.DataLocation != 0 {
			return nil, errors.New("its numbers are in another file, which is not supported")
		}
	}
	if err := checkNetwork(model, len(data)); err != nil {
		return nil, err
	}
	r := &onnxRunner{inputs: model.InputsNames}
	for _, name := range r.inputs {
		if !slices.Contains(bertInputs(), name) {
			return nil, fmt.Errorf("unknown input %q, expected %s", name, strings.Join(bertInputs(), ", "))
		}
	}
	if !slices.Contains(r.inputs, "input_ids") {
		return nil, errors.New("it has no input input_ids")
	}
	// Prefer an output with a vector for each token, which the folder's pooling combines.
	for _, rank := range []int{3, 2} {
		for i, shape := range model.OutputsShapes {
			if shape.Rank() != rank || r.output != "" {
				continue
			}
			r.output, r.perText = model.OutputsNames[i], rank == 2
			r.dims = max(0, shape.Dimensions[rank-1])
		}
	}
	if r.output == "" {
		return nil, errors.New("no output has a vector for each token or for the text")
	}
	r.weights = mlcontext.New().Reuse()
	if err := model.VariablesToContext(r.weights); err != nil {
		return nil, firstLine(err)
	}
	if r.backend, err = simplego.New(""); err != nil {
		return nil, firstLine(err)
	}
	r.exec, err = mlcontext.NewExec(r.backend, r.weights, func(weights *mlcontext.Context, inputs []*graph.Node) []*graph.Node {
		named := map[string]*graph.Node{}
		for i, name := range r.inputs {
			named[name] = inputs[i]
		}
		g := inputs[0].Graph()
		outputs := model.CallGraph(weights, g, named, r.output)
		if err := checkValues(g, inputs[0].Shape().Size()); err != nil {
			panic(err) // the library reports its errors by panics here
		}
		return outputs
	})
	if err != nil {
		return nil, firstLine(err)
	}
	// The number of shapes is bounded by the padded lengths of texts.
	r.exec.SetMaxCache(-1)
	return r, nil
}

func bertInputs() []string {
	return []string{"input_ids", "attention_mask", "token_type_ids", "position_ids"}
}

func (r *onnxRunner) dimensions() int { return r.dims }

func (r *onnxRunner) run(ids, kinds []int64, count int) (out []float32, rows int, err error) {
	defer recoverTo(&err)
	mask, positions := make([]int64, len(ids)), make([]int64, len(ids))
	for i := range ids {
		positions[i] = int64(i)
		if i < count {
			mask[i] = 1
		}
	}
	var inputs []any
	for _, name := range r.inputs {
		values := map[string][]int64{"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds, "position_ids": positions}[name]
		tensor := tensors.FromFlatDataAndDimensions(values, 1, len(ids))
		defer func() { err = errors.Join(err, tensor.FinalizeAll()) }()
		inputs = append(inputs, tensor)
	}
	results, err := r.exec.Exec(inputs...)
	if err != nil {
		return nil, 0, firstLine(err)
	}
	for _, result := range results {
		defer func() { err = errors.Join(err, result.FinalizeAll()) }()
	}
	out, err = tensors.CopyFlatData[float32](results[0])
	if err != nil {
		return nil, 0, firstLine(err)
	}
	rows = len(ids)
	if r.perText {
		rows = 1
	}
	return out, rows, nil
}

func (r *onnxRunner) close() (err error) {
	defer recoverTo(&err)
	r.exec.Finalize()
	r.weights.Finalize()
	r.backend.Finalize()
	return nil
}

// recoverTo turns a panic into an error.
func recoverTo(err *error) {
	switch cause := recover().(type) {
	case nil:
	case error:
		*err = firstLine(cause)
	default:
		*err = firstLine(fmt.Errorf("%v", cause))
	}
}

// firstLine returns the first line of an error of the library.
func firstLine(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(shorten.Bytes(line, 300))
}
