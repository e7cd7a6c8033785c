// Package listen serves HTTP within bounds: how much is read and kept, how long a client may take, how many clients there are, and who may ask.
//
// A web page can send requests to loopback and, by giving it a host name of its own, read the answers. So the server refuses requests with an Origin, requests that a browser
// marks as another site's (Sec-Fetch-Site) and, on loopback, requests with the name of another host.
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

// Bounds on a client. That on the time of a whole request is an option.
const (
	headerTime  = 10 * time.Second
	idleTime    = 2 * time.Minute
	headerBytes = 64 << 10
	// unread is how long a client may leave a part of an answer unread.
	unread = 30 * time.Second
	// connections are those that are open at once.
	connections = 1024
	// grace is how long requests may go on when the server stops; a command has two seconds after an interrupt.
	grace = 1500 * time.Millisecond
	// maxPEM is the size of a file with certificates or a key.
	maxPEM = 1 << 20
)

// Options says where to listen.
type Options struct {
	// Address is HOST:PORT; port 0 takes any.
	Address string
	// Certificate and Key are files in PEM; both or none.
	Certificate, Key string
	// Request is how long a client may take to send a request.
	Request time.Duration
	// Advice says how another address is chosen.
	Advice string
	// Ready is told the URL once requests are taken; nil tells nobody.
	Ready func(url string)
}

// Run serves until ctx ends. Requests that have begun are answered, for a short while.
func Run(ctx context.Context, h http.Handler, opts Options) error {
	config, err := certificates(opts)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", opts.Address)
	if err != nil {
		return hint.Wrap(fmt.Errorf("listen on %s: %w", opts.Address, cause(err)), opts.Advice)
	}
	// Requests outlive ctx by the grace.
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
		ErrorLog:          log.New(io.Discard, "", 0), // of connections that clients break
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

// certificates are what the files say; nil without any.
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

// cause is a network error without the address that the caller names.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// IsLocal reports whether an address, HOST:PORT or a host alone, is one that other machines can't reach.
func IsLocal(address string) bool {
	host := address
	if h, _, err := net.SplitHostPort(address); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// CheckAddress refuses what is not HOST:PORT.
func CheckAddress(address string) error {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fmt.Errorf("listen on %q: expected HOST:PORT", address)
	}
	return nil
}

// Guard keeps web pages away, and where other machines can't reach the server all that do not call it by a name of this one. It tells the
// client through refuse.
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

// isOfPage reports whether a browser sends the request for a page of another site (W3C Fetch Metadata); "" comes from no
// browser, "none" from its address bar, "same-origin" from a page of this server.
func isOfPage(site string) bool {
	return site != "" && !strings.EqualFold(site, "none") && !strings.EqualFold(site, "same-origin")
}

// limited accepts no more connections than may be open at once; others wait in the system.
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

// Close ends an Accept that waits, too.
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

// wait lets the client read until some time from now. Where that can't be told there is no bound.
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
	_ = p.control.Flush() // whoever writes next sees it
}

func (p *patientWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
