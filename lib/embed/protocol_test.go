package embed

import (
	"net/http"
	"testing"
	"time"
)

// FuzzProtocols decodes answers of hostile services: an accepted answer must be complete.
func FuzzProtocols(f *testing.F) {
	for _, seed := range []string{
		`{"embeddings":[[1,2],[3,4]],"prompt_eval_count":9,"model":"m","tokens":3}`,
		`{"data":[{"index":1,"embedding":"AACAPw=="},{"index":0,"embedding":[1e38]}],"usage":{"total_tokens":-1}}`,
		`{"data":[{"index":7}]}`, `{"embeddings":[null]}`, `{"error":{"message":"m","code":3}}`, `{"error":"e"}`, `{"detail":[{"msg":"x"}]}`, `[]`, "null", "\xff",
	} {
		f.Add([]byte(seed), 2)
	}
	f.Fuzz(func(t *testing.T, body []byte, count int) {
		count = int(uint(count) % 5)
		for _, p := range []protocol{ollama{}, openai{}, embedProtocol{}} {
			got, err := p.decode(body, count)
			if err != nil {
				continue
			}
			if len(got.vectors) != count {
				t.Fatalf("%T: %d vectors for %d texts", p, len(got.vectors), count)
			}
			for _, v := range got.vectors {
				if len(v) == 0 || len(v) > maxDimensions {
					t.Fatalf("%T: a vector of %d", p, len(v))
				}
			}
		}
		errorMessage(body)
	})
}

func TestErrorMessage(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"error":{"message":"no credit","code":"insufficient_quota"}}`: {"no credit", "insufficient_quota"},
		`{"error":{"message":"no","code":400}}`:                         {"no", ""},
		`{"error":"model not found"}`:                                   {"model not found", ""},
		`{"message":"rate limit"}`:                                      {"rate limit", ""},
		`{"detail":"not allowed"}`:                                      {"not allowed", ""},
		`{"detail":[{"msg":"x"}]}`:                                      {`{"detail":[{"msg":"x"}]}`, ""},
		`<html>Bad Gateway`:                                             {"<html>Bad Gateway", ""},
		``:                                                              {"", ""},
	} {
		if message, code := errorMessage([]byte(body)); message != want[0] || code != want[1] {
			t.Errorf("%s: %q, %q", body, message, code)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r := &remote{clock: clock{now: func() time.Time { return now }}}
	for text, want := range map[string]time.Duration{
		"": 0, "5": 5 * time.Second, " 1.5 ": 1500 * time.Millisecond, "-3": 0, "NaN": 0, "1e300": 0, "soon": 0,
		"Thu, 01 Jan 2026 00:01:00 GMT": time.Minute, "Wed, 31 Dec 2025 00:00:00 GMT": 0,
	} {
		if got := r.retryAfter(http.Header{"Retry-After": {text}}); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// The wait doubles up to its bound; half of it is random.
func TestBackoff(t *testing.T) {
	for _, chance := range []float64{0, 0.999} {
		r := &remote{clock: clock{random: func() float64 { return chance }}}
		for attempt := 1; attempt < 12; attempt++ {
			whole := min(lastBackoff, firstBackoff<<(attempt-1))
			if got := r.backoff(attempt, 0); got < whole/2 || got > whole {
				t.Errorf("attempt %d: %v", attempt, got)
			}
		}
		if got := r.backoff(1, time.Minute); got != time.Minute {
			t.Errorf("less than was asked for: %v", got)
		}
	}
}

func TestCutDimensions(t *testing.T) {
	for model, want := range map[string]struct {
		name        string
		dims, asked int
	}{
		"a@768": {"a", 768, 0}, "a@=16": {"a", 16, 16}, "@cf/baai/bge@384": {"@cf/baai/bge", 384, 0}, "a:latest": {"a:latest", 0, 0},
		"a@": {"a@", 0, 0}, "a@x": {"a@x", 0, 0}, "a@0": {"a@0", 0, 0}, "a@007": {"a@007", 0, 0}, "a@99999999": {"a@99999999", 0, 0}, "": {"", 0, 0},
	} {
		if name, dims, asked := cutDimensions(model); name != want.name || dims != want.dims || asked != want.asked {
			t.Errorf("%q: %q, %d, %d", model, name, dims, asked)
		}
	}
}
