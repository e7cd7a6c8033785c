package listen

import (
	"net/http"

	"golang.org/x/sync/semaphore"
)

// An Admission bounds the number and size of requests with a body that are held at the same time. A request counts
// before its body is read.
type Admission struct {
	waiting   chan struct{}
	bodies    *semaphore.Weighted
	body      int64
	exemption int64
}

// NewAdmission returns an Admission of at most requests requests. A body may have body bytes, and all bodies together
// bodies bytes. Bodies of at most exemption bytes do not count towards bodies, so that clients with large announced
// sizes cannot keep small requests out.
func NewAdmission(requests int, body, bodies, exemption int64) *Admission {
	return &Admission{waiting: make(chan struct{}, requests), bodies: semaphore.NewWeighted(bodies), body: body, exemption: exemption}
}

// Enter admits a request. If the body is too large, reading it fails with an *http.MaxBytesError. The caller must call
// leave when the request is done. leave is nil if there are too many requests.
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
	if size < 0 || size > a.body { // size unknown, or larger than what is read
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
