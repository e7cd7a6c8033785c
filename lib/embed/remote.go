package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// KeyVariable is the environment variable with the key of a service. Keys are read from the environment alone, and
// never occur in an error, a record or a file.
const KeyVariable = "CORTEX_EMBEDDING_KEY"

// Limits on what a service can cause: sizes in bytes, and the longest wait that it can ask for.
const (
	maxReplyBase    = 1 << 20
	maxReplyPerText = 256 << 10 // 8,192 numbers of 32 bytes
	maxErrorBody    = 64 << 10
	maxErrorShown   = 300
	maxRetryAfter   = 2 * time.Minute
)

// How often a request is tried, and the wait between attempts. The wait doubles, and up to half of it is random, so
// that clients that failed at the same time do not retry at the same time.
const (
	runAttempts   = 6
	queryAttempts = 2
	firstBackoff  = 500 * time.Millisecond
	lastBackoff   = 30 * time.Second
)

// leftAlone is the time for which a service that was given up is not asked, in a run that continues without it.
const leftAlone = time.Minute

// queryTimeout bounds each attempt of a question, and the time after which no other attempt begins, unless the user has
// set a timeout.
const queryTimeout = 15 * time.Second

// A service has the properties in which services differ.
type service struct {
	name     string
	protocol protocol
	// endpoint is the default address; the environment variable named by variable overrides it.
	endpoint, variable string
	// keyVariable names the environment variable with a key for the default endpoint and the one of variable.
	keyVariable string
	// model is the default model.
	model     string
	batchSize int
	// mostTexts bounds a batchSize that the user sets; 0 stands for no bound.
	mostTexts int
	// batchTokens and maxTokens bound the tokens of a request and of a text; 0 stands for no bound.
	batchTokens, maxTokens int
	concurrency            int
	timeout                time.Duration
	// cuts says that the service can cut long texts itself, and refuses them unless asked to cut.
	cuts bool
	// owns says that the service names the model, and that this name is the complete name in stores.
	owns bool
	// start and pull are hints for a service that does not answer, and for one that lacks the model.
	start, pull string
}

// A clock provides time and randomness; tests replace it.
type clock struct {
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	random func() float64
}

func realClock() clock {
	return clock{now: time.Now, random: rand.Float64, sleep: func(ctx context.Context, d time.Duration) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
}

// A remote is an embedder that sends texts to a service.
type remote struct {
	service
	url      string // with the path, without credentials
	shown    string
	key      string
	model    string  // the service's name of it
	asked    int     // dimensions that the user asked for; 0 stands for the model's own
	price    float64 // of a million tokens
	attempts int
	// patience is the time after which a question makes no other attempt; 0 stands for no bound.
	patience time.Duration
	// breaks says that the service is not asked for a while after it was given up.
	breaks bool
	client *http.Client
	clock  clock
	slots  chan struct{}

	mu        sync.Mutex
	dims      int
	served    string    // the name of the model that the service returns
	notBefore time.Time // no request before this time, as the service has asked
	down      error     // why the service was given up
	retry     time.Time // when it is asked again

	// readable is the length in bytes up to which the service accepts texts without cutting them, as far as is known.
	readable atomic.Int64
	// accepted is set when the service has answered any request; plain is set when it has refused base64.
	accepted, plain atomic.Bool
	usage           counters
}

// openRemote opens an embedder of a service. It asks the service for a vector unless the name of the model contains the
// dimensions.
func openRemote(ctx context.Context, s service, cfg provider.Config) (*remote, error) {
	return openRemoteAt(ctx, s, cfg, realClock())
}

func openRemoteAt(ctx context.Context, s service, cfg provider.Config, c clock) (*remote, error) {
	at, own, err := s.address(cfg.Endpoint)
	if err != nil {
		return nil, err
	}
	name, dims, asked, err := s.splitModel(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.BatchSize > 0 {
		s.batchSize = cfg.BatchSize
		if s.mostTexts > 0 {
			s.batchSize = min(s.batchSize, s.mostTexts)
		}
	}
	if cfg.Concurrency > 0 {
		s.concurrency = cfg.Concurrency
	}
	if cfg.Timeout > 0 {
		s.timeout = cfg.Timeout
	}
	if cfg.MaxTokens > 0 {
		s.maxTokens = cfg.MaxTokens
	}
	r := &remote{
		service: s, url: at.JoinPath(s.protocol.path()).String(), shown: at.String(), key: s.findKey(own),
		model: name, dims: dims, asked: asked, attempts: runAttempts, breaks: cfg.OnError == provider.OnErrorSkip, price: cfg.Price,
		clock: c, slots: make(chan struct{}, s.concurrency),
	}
	r.readable.Store(math.MaxInt64)
	r.client = &http.Client{
		// A redirect could send texts and key to another place; the error names its target instead.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second,
			MaxIdleConnsPerHost: s.concurrency,
			IdleConnTimeout:     90 * time.Second,
			ForceAttemptHTTP2:   true,
		},
	}
	if cfg.OnError == provider.OnErrorAnswer {
		r.attempts = queryAttempts
		if cfg.Timeout == 0 {
			r.timeout = min(r.timeout, queryTimeout)
		}
		r.patience = r.timeout
	}
	if r.dims == 0 || s.owns {
		if err := r.probe(ctx); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

// address returns the URL of the service; own says that the key of keyVariable may be sent there.
func (s *service) address(endpoint string) (at *url.URL, own bool, err error) {
	what := "embedding.endpoint"
	if endpoint == "" {
		endpoint, own = s.endpoint, true
		if s.variable != "" {
			if set := os.Getenv(s.variable); set != "" {
				endpoint, what = set, "environment variable "+s.variable
				if standard, err := url.Parse(s.endpoint); err == nil && standard.Port() != "" && !strings.Contains(set, "://") {
					endpoint = hostURL(set, standard.Port())
				}
			}
		}
	}
	if endpoint == "" {
		return nil, false, hint.Wrap(fmt.Errorf("embedding provider %s needs an endpoint", s.name), s.start)
	}
	at, err = url.Parse(endpoint)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		// The text is not quoted, since it may contain credentials.
		return nil, false, hint.Wrap(fmt.Errorf("%s is not the address of a service", what), "write it as http://localhost:8121 or https://host/path")
	}
	if at.User != nil || at.RawQuery != "" || at.Fragment != "" {
		return nil, false, hint.Wrap(fmt.Errorf("%s holds more than a host and a path", what), "a key belongs into the environment variable "+KeyVariable)
	}
	if standard, err := url.Parse(s.endpoint); err == nil && standard.Host != "" && at.Scheme == standard.Scheme && at.Host == standard.Host {
		own = true
	}
	return at, own, nil
}

// hostURL returns the URL for an address as in OLLAMA_HOST: that of a server, possibly without scheme, port or host.
func hostURL(text, standardPort string) string {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host, port = strings.Trim(text, "[]"), standardPort
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// findKey returns the key for the service. own says that the endpoint is one that keyVariable is meant for.
func (s *service) findKey(own bool) string {
	if key := os.Getenv(KeyVariable); key != "" {
		return strings.TrimSpace(key)
	}
	if own && s.keyVariable != "" {
		return strings.TrimSpace(os.Getenv(s.keyVariable))
	}
	return ""
}

// Model implements Embedder. It returns PROVIDER/MODEL@DIMENSIONS, with "=" before dimensions that the user asked for,
// since these must be part of later requests too.
func (r *remote) Model() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.owns {
		return r.served
	}
	mark := "@"
	if r.asked > 0 {
		mark = "@="
	}
	return r.name + "/" + r.model + mark + strconv.Itoa(r.dims)
}

// splitModel splits cfg.Model, which may have the form that stores record, into the name, the dimensions (0 if unknown)
// and the dimensions to ask for (0 for the model's own).
func (s *service) splitModel(cfg provider.Config) (name string, dims, asked int, err error) {
	name = cfg.Model
	if !s.owns {
		name, dims, asked = cutDimensions(cfg.Model)
	}
	if name == "" {
		name = s.model
	}
	if cfg.Dimensions > 0 {
		if dims > 0 && dims != cfg.Dimensions {
			return "", 0, 0, fmt.Errorf("model %q has %d dimensions, not %d", cfg.Model, dims, cfg.Dimensions)
		}
		dims, asked = cfg.Dimensions, cfg.Dimensions
	}
	if len(name) > 200 || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return "", 0, 0, fmt.Errorf("embedding.model %q is not the name of a model", shorten.Bytes(name, 60))
	}
	return name, dims, asked, nil
}

// cutDimensions splits MODEL@DIMENSIONS or MODEL@=DIMENSIONS.
func cutDimensions(model string) (name string, dims, asked int) {
	at := strings.LastIndexByte(model, '@')
	if at < 0 {
		return model, 0, 0
	}
	digits, equals := strings.CutPrefix(model[at+1:], "=")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > maxDimensions || strconv.Itoa(n) != digits {
		return model, 0, 0
	}
	if equals {
		asked = n
	}
	return model[:at], n, asked
}

// madeBy returns the row.made of the service with that name.
func madeBy(service string) func(string, provider.Config) (provider.Config, bool) {
	return func(model string, cfg provider.Config) (provider.Config, bool) {
		rest, ok := strings.CutPrefix(model, service+"/")
		if name, dims, _ := cutDimensions(rest); !ok || dims == 0 || name == "" {
			return cfg, false
		}
		cfg.Model, cfg.Dimensions = rest, 0
		return cfg, true
	}
}

// Dimensions implements Embedder.
func (r *remote) Dimensions() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dims
}

// Card implements Embedder.
func (r *remote) Card() provider.Card {
	card := provider.Card{Endpoint: r.shown, MaxTokens: r.maxTokens, BatchSize: r.batchSize, Concurrency: r.concurrency, Costly: true}
	if !r.owns {
		card.QueryPrefix, card.PassagePrefix = knownPrefixes(r.model)
		card.Text = "The licence and the card of " + r.model + " are its provider's to tell."
	}
	return card
}

// Close closes the idle connections.
func (r *remote) Close() error {
	r.client.CloseIdleConnections()
	return nil
}

// probe asks the service for one vector, to check that it answers and to learn the length of its vectors.
func (r *remote) probe(ctx context.Context) error {
	vectors, err := r.ask(ctx, &question{mode: provider.Passage, texts: []string{"probe"}, attempts: r.attempts, probe: true})
	if err == nil && vectors[0] == nil {
		return r.giveUp(&transient{err: errors.New("the vector of any text is all zeros, or not finite"), garbled: true})
	}
	return err
}

// lowerReadable lowers readable to n bytes, if it is greater.
func (r *remote) lowerReadable(n int64) {
	for {
		known := r.readable.Load()
		if n >= known || r.readable.CompareAndSwap(known, n) {
			return
		}
	}
}

// works returns nil if the service accepts some text, so that a refusal concerns the texts at hand.
func (r *remote) works(ctx context.Context) error {
	if r.accepted.Load() {
		return nil
	}
	return r.probe(ctx)
}

// ask makes one request, with further attempts where they may help, and returns vectors of length 1, or nil for a text
// whose vector has no direction.
func (r *remote) ask(ctx context.Context, q *question) ([][]float32, error) {
	if err := r.givenUp(); err != nil {
		return nil, err
	}
	q.model, q.dimensions, q.plain = r.model, r.asked, r.plain.Load()
	body, err := r.protocol.encode(q)
	if err != nil {
		return nil, fmt.Errorf("encode request to %s: %w", r.shown, err)
	}
	begun := r.clock.now()
	for attempt := 1; ; attempt++ {
		vectors, err := r.once(ctx, body, len(q.texts))
		if err == nil {
			r.accepted.Store(true)
			return vectors, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var again *transient
		if !errors.As(err, &again) {
			var refused *refusal
			if !q.plain && errors.As(err, &refused) && refused.ofBase64() {
				r.plain.Store(true)
				return r.ask(ctx, q)
			}
			return nil, r.advise(err)
		}
		if attempt >= q.attempts && again.internal != nil && !q.probe {
			return nil, again.internal
		}
		wait := r.backoff(attempt, again.after)
		if attempt >= q.attempts || again.final && !r.accepted.Load() || again.after > maxRetryAfter || r.isTooLong(r.clock.now().Sub(begun)+wait) {
			return nil, r.giveUp(again)
		}
		r.usage.retries.Add(1)
		if err := r.clock.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// backoff returns the wait after the given number of attempts, at least after.
func (r *remote) backoff(attempt int, after time.Duration) time.Duration {
	wait := min(lastBackoff, firstBackoff<<(attempt-1))
	wait = wait/2 + time.Duration(r.clock.random()*float64(wait/2))
	return max(wait, after)
}

// isTooLong reports whether a question does not wait for that time.
func (r *remote) isTooLong(wait time.Duration) bool { return r.patience > 0 && wait >= r.patience }

// A transient is a failure after which another attempt may succeed.
type transient struct {
	err error
	// after is the least time to wait before it.
	after time.Duration
	// final says that no other attempt is made if the service has never answered.
	final bool
	// internal is the service's answer if its status is 500.
	internal *refusal
	// garbled says that the service answered, but not in its protocol.
	garbled bool
}

func (t *transient) Error() string { return t.err.Error() }

func (r *remote) giveUp(t *transient) error {
	var err error
	if t.garbled {
		err = fmt.Errorf("read answer of the embedding provider %s at %s: %w", r.name, r.shown, t.err)
	} else {
		err = &provider.Unreachable{Provider: r.name, Endpoint: r.shown, Err: t.err}
	}
	err = hint.Wrap(err, r.start)
	if r.breaks {
		r.mu.Lock()
		r.down, r.retry = err, r.clock.now().Add(leftAlone)
		r.mu.Unlock()
	}
	return err
}

func (r *remote) givenUp() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down != nil && r.clock.now().After(r.retry) {
		r.down = nil
	}
	return r.down
}

// A refusal is an answer with an error status that says that the request is at fault.
type refusal struct {
	provider, shown string
	status          int
	message         string
}

func (e *refusal) Error() string {
	text := fmt.Sprintf("the embedding provider %s at %s refuses: %d %s", e.provider, e.shown, e.status, http.StatusText(e.status))
	if e.message != "" {
		text += ": " + e.message
	}
	return text
}

// aboutTexts reports whether the service may accept other texts.
func (e *refusal) aboutTexts() bool {
	return e.status == http.StatusBadRequest || e.status == http.StatusRequestEntityTooLarge || e.status == http.StatusUnprocessableEntity || e.status == http.StatusInternalServerError
}

// isInternal reports whether the service failed, rather than that it refuses a text for its length.
func (e *refusal) isInternal() bool {
	return e.status == http.StatusInternalServerError && !e.saysTooLong()
}

// ofBase64 reports whether the service refuses the base64 encoding of vectors.
func (e *refusal) ofBase64() bool {
	return e.aboutTexts() && (strings.Contains(e.message, "encoding_format") || strings.Contains(e.message, "base64"))
}

// tooLong reports whether the service may accept a shorter text.
func (e *refusal) tooLong() bool {
	return e.status == http.StatusRequestEntityTooLarge || e.saysTooLong()
}

// saysTooLong reports whether the message is about the length of a text. Services have no common status for this:
// versions of Ollama answer 400, 413 or 500.
func (e *refusal) saysTooLong() bool {
	if !e.aboutTexts() {
		return false
	}
	text := strings.ToLower(e.message)
	for _, words := range []string{"context length", "context_length", "too long", "too many tokens", "maximum context", "max_tokens", "input length", "tokens"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// advise adds a hint for the user to an error.
func (r *remote) advise(err error) error {
	var e *refusal
	if !errors.As(err, &e) {
		return err
	}
	switch e.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		where := KeyVariable
		if r.keyVariable != "" {
			where += " (or, for " + r.endpoint + ", into " + r.keyVariable + ")"
		}
		return hint.Wrap(err, "put the key for "+r.shown+" into the environment variable "+where)
	case http.StatusNotFound:
		return hint.Wrap(err, strings.ReplaceAll(r.pull, "MODEL", r.model))
	}
	return err
}

// once makes one attempt. Its errors are *transient, *refusal, or final.
func (r *remote) once(ctx context.Context, body []byte, count int) ([][]float32, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := r.quiet(ctx); err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(bounded, http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New(r.redact(err.Error()))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "cortex-embed")
	if r.key != "" {
		request.Header.Set("Authorization", "Bearer "+r.key)
	}
	r.usage.requests.Add(1)
	response, err := r.client.Do(request)
	if err != nil {
		return nil, r.broken(bounded, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, r.refused(response)
	}
	limit := int64(maxReplyBase + count*maxReplyPerText)
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, r.broken(bounded, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("read answer of the embedding provider %s at %s: longer than %d bytes for %d texts", r.name, r.shown, limit, count)
	}
	got, err := r.protocol.decode(data, count)
	if err != nil {
		if !json.Valid(data) {
			err = fmt.Errorf("it is not JSON, it begins with %.40q", data)
		}
		return nil, &transient{err: errors.New(r.redact(err.Error())), garbled: true}
	}
	got.tokens = min(got.tokens, len(body)) // no text has more tokens than bytes
	return r.check(got)
}

// broken converts an error of the connection. The result contains no address, since that of a proxy may contain a
// password.
func (r *remote) broken(bounded context.Context, err error) error {
	if errors.Is(bounded.Err(), context.DeadlineExceeded) {
		return &transient{err: fmt.Errorf("no answer within %v", r.timeout)}
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	var unknown *net.DNSError
	final := errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &unknown) && unknown.IsNotFound
	text := r.redact(err.Error())
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		text = "the connection was cut"
	}
	return &transient{err: errors.New(text), final: final}
}

// refused returns the error for an answer with a status other than 200.
func (r *remote) refused(response *http.Response) error {
	data, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorBody)) // as much of a message as can be read
	status := response.StatusCode
	message, code := errorMessage(data)
	e := &refusal{provider: r.name, shown: r.shown, status: status, message: r.redact(message)}
	switch {
	case status >= 300 && status < 400:
		target := "another address"
		if to, err := response.Location(); err == nil {
			to.User, to.RawQuery, to.Fragment, to.RawPath = nil, "", "", ""
			to.Path = r.redact(to.Path)
			target = to.String()
		}
		return hint.Wrap(fmt.Errorf("the embedding provider %s at %s redirects to %s, which is not followed", r.name, r.shown, shorten.Bytes(target, maxErrorShown)),
			"set embedding.endpoint to where the service is, if you trust it")
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.message = "" // some services quote the key
		return e
	case status == http.StatusTooManyRequests && (code == "insufficient_quota" || strings.Contains(message, "insufficient_quota")):
		return e
	case status == http.StatusInternalServerError && e.saysTooLong():
		return e
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		after := r.retryAfter(response.Header)
		r.hush(min(after, maxRetryAfter))
		return &transient{err: fmt.Errorf("%w%s", e.brief(), r.waitText(after)), after: after}
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status >= 500 && status != http.StatusNotImplemented:
		again := &transient{err: e.brief(), after: r.retryAfter(response.Header)}
		if status == http.StatusInternalServerError {
			again.internal = e
		}
		return again
	}
	return e
}

// brief returns the error without the address of the service.
func (e *refusal) brief() error {
	text := fmt.Sprintf("%d %s", e.status, http.StatusText(e.status))
	if e.message != "" {
		text += ": " + e.message
	}
	return errors.New(text)
}

// waitText says when to try again, if this process does not wait for that long.
func (r *remote) waitText(after time.Duration) string {
	if after <= maxRetryAfter && !r.isTooLong(after) {
		return ""
	}
	return fmt.Sprintf(", try again in %v", after.Round(time.Second))
}

// retryAfter returns the wait of the header Retry-After (RFC 9110, 10.2.3), which has seconds or a date; 0 if there is
// none.
func (r *remote) retryAfter(header http.Header) time.Duration {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(r.clock.now()))
	}
	return 0
}

// hush delays all requests by some time, since the service has said that there are too many.
func (r *remote) hush(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if until := r.clock.now().Add(d); d > 0 && until.After(r.notBefore) {
		r.notBefore = until
	}
}

// quiet waits until the service may be asked again. A question that would wait too long fails.
func (r *remote) quiet(ctx context.Context) error {
	r.mu.Lock()
	wait := r.notBefore.Sub(r.clock.now())
	r.mu.Unlock()
	if wait <= 0 {
		return ctx.Err()
	}
	if r.isTooLong(wait) {
		return &transient{err: fmt.Errorf("too many requests%s", r.waitText(wait)), after: wait}
	}
	return r.clock.sleep(ctx, wait)
}

// check checks that the store can hold the vectors, and scales them to length 1. A vector without direction becomes
// nil.
func (r *remote) check(got reply) ([][]float32, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.owns {
		if r.served == "" {
			r.served = got.model
		}
		if got.model != r.served {
			return nil, fmt.Errorf("the embedding provider %s at %s answers with the model %q, before it was %q", r.name, r.shown, shorten.Bytes(got.model, 100), r.served)
		}
	}
	vectors := make([][]float32, len(got.vectors))
	for i, v := range got.vectors {
		if r.dims == 0 {
			r.dims = len(v)
		}
		if len(v) != r.dims {
			err := fmt.Errorf("the embedding provider %s at %s returns %d dimensions, not %d", r.name, r.shown, len(v), r.dims)
			if r.asked > 0 {
				return nil, hint.Wrap(err, "this model may have one length only: leave embedding.dimensions at 0")
			}
			return nil, hint.Wrap(err, "another model answers under this name; "+provider.Remake)
		}
		vectors[i] = unit(v)
	}
	r.usage.tokens.Add(int64(max(0, got.tokens)))
	return vectors, nil
}

// unit scales v to length 1. It leaves a vector with a length within 0.5% of 1 as it is: such a vector was rounded to
// few bits a component, as by the built-in model, and stores can keep it in as few bits. It returns nil if v has no
// direction.
func unit(v record.Embedding) []float32 {
	length, ok := v.Length()
	if !ok {
		return nil
	}
	if math.Abs(length-1) >= 0.005 {
		for i, x := range v {
			v[i] = float32(float64(x) / length)
		}
	}
	return v
}

// redact removes the key and credentials in URLs from a text of a service or a library, and shortens it.
func (r *remote) redact(text string) string {
	if r.key != "" {
		text = strings.ReplaceAll(text, r.key, "[key]")
	}
	words := strings.Fields(text)
	for i, word := range words {
		if scheme, rest, ok := strings.Cut(word, "://"); ok {
			if at := strings.LastIndexByte(rest, '@'); at >= 0 {
				words[i] = scheme + "://[credentials]" + rest[at:]
			}
		}
	}
	text = strings.ToValidUTF8(strings.Join(words, " "), "\uFFFD")
	return shorten.End(text, maxErrorShown)
}

// asEmbedder returns r as an Embedder, which is nil if there is an error.
func asEmbedder(r *remote, err error) (provider.Embedder, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}
