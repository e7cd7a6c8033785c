// Package listen serves HTTP within bounds: on the data read and held, on the time of a client, on the number of
// clients, and on who may send requests. Begin with listen.go; admission.go bounds concurrent requests, metrics.go
// counts requests.
//
// A web page can send requests to loopback addresses and, by DNS rebinding, read the answers. So the server refuses
// requests with an Origin, requests that a browser marks as coming from another site (Sec-Fetch-Site), and on loopback,
// requests with a foreign Host header.
package listen

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"cortex/lib/hint"
	"cortex/lib/safeopen"
)

// Bounds on a client. The time for a whole request is an option.
const (
	headerTime  = 10 * time.Second
	idleTime    = 2 * time.Minute
	headerBytes = 64 << 10
	// unread is how long a client may leave part of an answer unread.
	unread = 30 * time.Second
	// connections bounds the open connections.
	connections = 1024
	// grace is how long requests may go on when the server stops. A command has two seconds after an interrupt.
	grace = 1500 * time.Millisecond
	// maxPEM bounds a file with certificates or a key, in bytes.
	maxPEM = 1 << 20
)

// Options says where to listen.
type Options struct {
	// Address is HOST:PORT. Port 0 means any free port.
	Address string
	// Certificate and Key are PEM files. Both or neither must be set.
	Certificate, Key string
	// Request is how long a client may take to send a request.
	Request time.Duration
	// Advice is the hint on how to choose another address.
	Advice string
	// Ready, if not nil, is called with the URL once the server accepts requests.
	Ready func(url string)
}

// Run serves until ctx ends. Requests in progress then have a short time to finish.
func Run(ctx context.Context, h http.Handler, opts Options) error {
	config, err := certificates(opts)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", opts.Address)
	if err != nil {
		return hint.Wrap(fmt.Errorf("listen on %s: %w", opts.Address, cause(err)), opts.Advice)
	}
	// Requests outlive ctx by grace.
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler:           patient(h),
		BaseContext:       func(net.Listener) context.Context { return working },
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       opts.Request,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		TLSConfig:         config,
		ErrorLog:          log.New(io.Discard, "", 0), // errors of connections that clients break
	}
	limited := &limited{Listener: listener, open: make(chan struct{}, connections), closed: make(chan struct{})}
	served := make(chan error, 1)
	scheme := "http"
	if config != nil {
		scheme = "https"
		go func() { served <- server.ServeTLS(limited, "", "") }()
	} else {
		go func() { served <- server.Serve(limited) }()
	}
	if opts.Ready != nil {
		opts.Ready(scheme + "://" + listener.Addr().String())
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(working, grace)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		stop()
		return server.Close()
	}
	return nil
}

// certificates returns the TLS configuration; nil without certificates.
func certificates(opts Options) (*tls.Config, error) {
	if opts.Certificate == "" && opts.Key == "" {
		return nil, nil
	}
	if opts.Certificate == "" || opts.Key == "" {
		return nil, errors.New("a certificate and its key are needed both")
	}
	certificate, err := safeopen.ReadFile(opts.Certificate, maxPEM)
	if err != nil {
		return nil, err
	}
	key, err := safeopen.ReadFile(opts.Key, maxPEM)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("read the certificate %s and its key %s: %s", opts.Certificate, opts.Key, strings.TrimPrefix(err.Error(), "tls: "))
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// cause returns a network error without its address, which the caller adds.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// IsLocal reports whether an address, HOST:PORT or a host alone, is a loopback address.
func IsLocal(address string) bool {
	host := address
	if h, _, err := net.SplitHostPort(address); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// CheckAddress returns an error unless address is HOST:PORT.
func CheckAddress(address string) error {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fmt.Errorf("listen on %q: expected HOST:PORT", address)
	}
	return nil
}

// Guard refuses requests of web pages. Unless remote is set, it also refuses requests with a Host other than this
// machine. It responds by calling refuse.
func Guard(remote bool, refuse func(w http.ResponseWriter, status int, message string), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case len(r.Header.Values("Origin")) > 0 || isOfPage(r.Header.Get("Sec-Fetch-Site")):
			refuse(w, http.StatusForbidden, "requests of web pages are not answered")
		case !remote && !IsLocal(r.Host):
			refuse(w, http.StatusForbidden, "expected the name of this machine in the header Host")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isOfPage reports whether a browser sends the request for a page of another site (W3C Fetch Metadata). Without a
// browser the header is "", for its address bar "none", and for a page of this server "same-origin".
func isOfPage(site string) bool {
	return site != "" && !strings.EqualFold(site, "none") && !strings.EqualFold(site, "same-origin")
}

// limited bounds the open connections. Further connections wait in the system's queue.
type limited struct {
	net.Listener
	open   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.open <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.open
		return nil, err
	}
	return &counted{Conn: c, open: l.open}, nil
}

// Close also ends a waiting Accept.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type counted struct {
	net.Conn
	open chan struct{}
	once sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { <-c.open })
	return c.Conn.Close()
}

// patient ends connections whose clients do not read.
func patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &patientWriter{ResponseWriter: w, control: http.NewResponseController(w)}
		p.wait()
		next.ServeHTTP(p, r)
	})
}

type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// wait extends the write deadline. Without support for deadlines there is no bound.
func (p *patientWriter) wait() { _ = p.control.SetWriteDeadline(time.Now().Add(unread)) }

func (p *patientWriter) WriteHeader(status int) {
	p.wait()
	p.ResponseWriter.WriteHeader(status)
}

func (p *patientWriter) Write(data []byte) (int, error) {
	p.wait()
	return p.ResponseWriter.Write(data)
}

// Flush implements http.Flusher.
func (p *patientWriter) Flush() {
	p.wait()
	_ = p.control.Flush() // the next write reports the error
}

func (p *patientWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
