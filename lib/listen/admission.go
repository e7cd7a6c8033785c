package listen

import (
	"net/http"

	"golang.org/x/sync/semaphore"
)

// An Admission bounds the requests with a body that are kept at once, from before that is read.
type Admission struct {
	waiting   chan struct{}
	bodies    *semaphore.Weighted
	body      int64
	exemption int64
}

// NewAdmission admits so many requests with bodies of at most body bytes each and bodies all together. Those of at most exemption bytes do not count
// in that, so that they are not kept out by clients that announce much.
func NewAdmission(requests int, body, bodies, exemption int64) *Admission {
	return &Admission{waiting: make(chan struct{}, requests), bodies: semaphore.NewWeighted(bodies), body: body, exemption: exemption}
}

// Enter admits a request, whose body breaks off with an *http.MaxBytesError if it is too large. Leave is to be called when the request is done; it is
// nil if there are too many.
func (a *Admission) Enter(w http.ResponseWriter, r *http.Request) (leave func()) {
	r.Body = http.MaxBytesReader(w, r.Body, a.body)
	if r.Method != http.MethodPost {
		return func() {}
	}
	select {
	case a.waiting <- struct{}{}:
	default:
		return nil
	}
	size := r.ContentLength
	if size < 0 || size > a.body { // not told, or more than is read
		size = a.body
	}
	if size <= a.exemption {
		return func() { <-a.waiting }
	}
	if !a.bodies.TryAcquire(size) {
		<-a.waiting
		return nil
	}
	return func() {
		a.bodies.Release(size)
		<-a.waiting
	}
}
