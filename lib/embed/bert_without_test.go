//go:build !bert

package embed

import (
	"context"
	"strings"
	"testing"

	"cortex/lib/hint"
)

func TestBERTSaysHowToGetIt(t *testing.T) {
	for _, cfg := range []Config{{Provider: "bert"}, {Provider: "bert", Model: t.TempDir()}} {
		_, err := Open(context.Background(), cfg)
		if err == nil || !strings.Contains(err.Error(), "was built without it") || !strings.Contains(hint.Of(err), "go build -tags bert") {
			t.Errorf("%v; %s", err, hint.Of(err))
		}
	}
	_, err := OpenModel(context.Background(), "bert-384-0123456789abcdef", Config{})
	if err == nil || !strings.Contains(err.Error(), "was built without it") {
		t.Error(err)
	}
}
