// Package serve serves models over HTTP: nearest neighbours, vectors, analogies and similarities as
// JSON, embeddings in the form of OpenAI's API, and an explorer for the browser.
//
//	server, err := serve.New(serve.Config{Models: []serve.ModelSpec{{Name: "wiki", Path: "wiki.w2v"}}})
//	…
//	listener, err := net.Listen("tcp", "127.0.0.1:8080")
//	…
//	err = server.Serve(ctx, listener)
//
// Models are mapped from their files. Reload replaces them while requests go on. Limits bound the
// cost of every request. Requests can read no file except those that the Config names.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzhttp"
	"github.com/w2v-go/w2v/serve/internal/models"
)

// A Server serves models.
type Server struct {
	config  Config
	models  *models.Registry
	mux     *http.ServeMux
	handler http.Handler

	patterns []string // of the mux
	metrics  *instruments
	tokens   atomic.Pointer[tokens] // nil if none is needed
	pair     atomic.Pointer[tls.Certificate]

	computing, streams chan struct{} // a place for each request that is being computed, and for each stream
	bodies             atomic.Int64  // bytes that are being held
	numbers            atomic.Int64  // of vectors in responses that are being made
	buffers            sync.Pool     // of responses that were sent
	compress           func(http.Handler) http.HandlerFunc

	serving      atomic.Bool // Serve was called
	onlyLoopback atomic.Bool // the server listens on loopback
	stopping     context.Context
	stop         context.CancelFunc
	closers      []func() // of what endpoints started, called when no request is left
}

// New opens the models and all other files of a config. Call Serve or Close afterwards.
func New(c Config) (_ *Server, err error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	s := &Server{
		config:    c,
		mux:       http.NewServeMux(),
		computing: make(chan struct{}, c.Limits.Concurrent),
		streams:   make(chan struct{}, c.Limits.Streams),
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	if s.compress, err = gzhttp.NewWrapper(gzhttp.MinSize(smallestCompressed)); err != nil {
		return nil, err
	}
	if err := s.readSecrets(); err != nil {
		return nil, err
	}
	sources := make([]models.Source, len(c.Models))
	for i, m := range c.Models {
		sources[i] = models.Source{Name: m.Name, Path: m.Path}
	}
	check := func(m *models.Model) error {
		_, err := s.textsOf(m)
		if err != nil {
			err = fmt.Errorf("the model %q: %w", m.Name, err)
		}
		return err
	}
	if s.models, err = models.Open(sources, models.Options{Case: c.Case, Note: c.Note, Check: check}); err != nil {
		return nil, err
	}
	s.metrics = newInstruments(s)
	routes, err := s.routes()
	if err != nil {
		s.Close()
		return nil, err
	}
	for _, r := range routes {
		s.register(r)
	}
	s.handler = s.outermost(s.mux)
	return s, nil
}

// Handler returns the handler of all requests, for programs with their own http.Server. Such programs
// set timeouts and limit connections themselves.
func (s *Server) Handler() http.Handler { return s.handler }

// Close closes the models. Serve closes them when it ends. Send no requests afterwards.
func (s *Server) Close() {
	s.stop()
	for _, end := range s.closers {
		end()
	}
	s.models.Close()
}

// Serve answers the requests of a listener until the context ends. Then it accepts no more requests,
// ends streams, and waits up to Timeouts.Shutdown for the others. It returns nil if all of them were
// answered. Serve closes the listener and the server, so call it once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if s.serving.Swap(true) {
		return errors.New("the server serves already, or did")
	}
	defer s.Close()
	at, err := netip.ParseAddrPort(l.Addr().String())
	s.onlyLoopback.Store(err == nil && at.Addr().Unmap().IsLoopback())
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.config.Timeouts.ReadHeader,
		ReadTimeout:       s.config.Timeouts.Read,
		WriteTimeout:      s.config.Timeouts.Write,
		IdleTimeout:       s.config.Timeouts.Idle,
		MaxHeaderBytes:    s.config.Limits.Header,
		ErrorLog:          slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug), // of clients who do not speak HTTP or TLS
	}
	l = &limitedListener{Listener: l, places: make(chan struct{}, s.config.Limits.Connections), closed: make(chan struct{})}
	ended := make(chan error, 1)
	go func() {
		if s.config.TLSCert != "" {
			server.TLSConfig = &tls.Config{
				MinVersion:     tls.VersionTLS12,
				GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.pair.Load(), nil }, // the one read last
			}
			ended <- server.ServeTLS(l, "", "")
			return
		}
		ended <- server.Serve(l)
	}()
	select {
	case err := <-ended:
		_ = server.Close() // err is the reason
		return fmt.Errorf("listening at %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	s.stop()
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Timeouts.Shutdown)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		_ = server.Close()
		return fmt.Errorf("requests that had no answer %v after the end of the server were given up", s.config.Timeouts.Shutdown)
	}
	return nil
}

// Reload opens all models again, and reads the tokens and the certificate, while requests go on. What
// cannot be read stays as it was, and has a line in the error.
func (s *Server) Reload(ctx context.Context) error {
	errs := []error{s.readSecrets()}
	for _, r := range s.models.Reload(ctx) {
		s.metrics.reloaded(r.Err)
		if r.Err != nil {
			errs = append(errs, fmt.Errorf("the model %q stays as it was: %w", r.Name, r.Err))
		}
	}
	return errors.Join(errs...)
}

// A limitedListener accepts no more connections at a time than it has places. More of them wait in
// the queue of the system.
type limitedListener struct {
	net.Listener
	places chan struct{}
	close  sync.Once
	closed chan struct{}
}

func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &limitedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

// Close stops accepting.
func (l *limitedListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	leave func()
}

func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
