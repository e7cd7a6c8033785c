package embed

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"cortex/lib/embed/provider"
)

// Embed implements Embedder. It spreads the texts over as many requests as the limits of the service demand.
func (r *remote) Embed(ctx context.Context, mode provider.Mode, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	b := &batch{remote: r, mode: mode, texts: slices.Clone(texts), cut: make([]bool, len(texts)), vectors: make([][]float32, len(texts)), failed: map[int]error{}}
	for i, text := range texts {
		if text == "" {
			b.texts[i] = " " // services refuse an empty text
		}
		if r.maxTokens > 0 {
			if short := CutTokens(text, r.maxTokens); len(short) < len(text) {
				b.texts[i], b.cut[i] = short, true
			}
		}
	}
	var group sync.WaitGroup
	for _, part := range b.parts() {
		group.Go(func() { b.embed(ctx, part) })
	}
	group.Wait()
	for i, cut := range b.cut {
		if cut && b.vectors[i] != nil {
			r.usage.cut.Add(1)
		}
	}
	r.usage.texts.Add(int64(len(texts) - len(b.failed)))
	switch {
	case ctx.Err() != nil:
		return b.vectors, ctx.Err()
	case len(b.failed) > 0:
		return b.vectors, &provider.PartialError{Failed: b.failed}
	}
	return b.vectors, nil
}

// A batch is the state of one call of Embed.
type batch struct {
	*remote
	mode    provider.Mode
	texts   []string
	cut     []bool
	vectors [][]float32

	// suspicious is set while the batch looks for texts that make the service fail.
	suspicious atomic.Bool

	mu     sync.Mutex
	failed map[int]error
}

// parts splits the batch into requests, each a list of indexes of texts.
func (b *batch) parts() [][]int {
	var parts [][]int
	var part []int
	tokens := 0
	for i, text := range b.texts {
		n := EstimateTokens(text)
		if len(part) == b.batchSize || len(part) > 0 && b.batchTokens > 0 && tokens+n > b.batchTokens {
			parts = append(parts, part)
			part, tokens = nil, 0
		}
		part = append(part, i)
		tokens += n
	}
	return append(parts, part)
}

// shortest is the length in bytes below which texts are not cut further.
const shortest = 64

// embed gets the vectors of some texts. If the service refuses them, it tries halves, to find the texts that are at
// fault, and cuts those that are too long.
func (b *batch) embed(ctx context.Context, part []int) {
	whole, long := b.split(part)
	if len(long) > 0 {
		b.send(ctx, long, true)
	}
	if len(whole) > 0 {
		b.send(ctx, whole, false)
	}
}

// split separates the texts that the service is known to refuse without cutting, if it can cut them itself.
func (b *batch) split(part []int) (whole, long []int) {
	if !b.cuts {
		return part, nil
	}
	for _, i := range part {
		if int64(len(b.texts[i])) > b.readable.Load() {
			long = append(long, i)
		} else {
			whole = append(whole, i)
		}
	}
	return whole, long
}

// send makes one request, and handles a refusal.
func (b *batch) send(ctx context.Context, part []int, cut bool) {
	texts := make([]string, len(part))
	longest := 0
	for k, i := range part {
		texts[k] = b.texts[i]
		longest = max(longest, len(texts[k]))
	}
	q := &question{mode: b.mode, texts: texts, cut: cut, attempts: b.attempts}
	if b.suspicious.Load() {
		q.attempts = min(q.attempts, queryAttempts)
	}
	vectors, err := b.ask(ctx, q)
	var refusal *refusal
	switch {
	case err == nil:
		var without []int
		for k, i := range part {
			if b.vectors[i] = vectors[k]; vectors[k] == nil {
				without = append(without, i)
			}
			b.cut[i] = b.cut[i] || cut
		}
		if len(without) > 0 {
			// The texts are at fault, unless the service returns such vectors for any text.
			b.fail(without, cmp.Or(b.probe(ctx), provider.ErrNoDirection))
		}
	case !errors.As(err, &refusal) || !refusal.aboutTexts():
		b.fail(part, err)
	case refusal.isInternal():
		// The request has failed several times: either one of the texts causes the error, or the service is broken.
		b.suspicious.Store(true)
		if broken := b.probe(ctx); broken != nil {
			b.fail(part, broken)
		} else if len(part) == 1 {
			b.fail(part, err)
		} else {
			b.embed(ctx, part[:len(part)/2])
			b.embed(ctx, part[len(part)/2:])
		}
	case b.cuts && !cut && longest > shortest && (refusal.saysTooLong() || refusal.tooLong() && len(part) == 1):
		b.lowerReadable(int64(longest) * 3 / 4)
		b.embed(ctx, part)
	case len(part) > 1:
		if err := b.works(ctx); err != nil {
			b.fail(part, err)
			return
		}
		b.embed(ctx, part[:len(part)/2])
		b.embed(ctx, part[len(part)/2:])
	case refusal.tooLong() && longest > shortest:
		// Some versions of Ollama refuse texts although they were asked to cut them.
		i := part[0]
		b.texts[i], b.cut[i] = cutBytes(texts[0], longest*3/4), true
		b.embed(ctx, part)
	default:
		b.fail(part, err)
	}
}

func (b *batch) fail(part []int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, i := range part {
		b.failed[i] = err
	}
}
