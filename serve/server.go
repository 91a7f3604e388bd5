// Package serve serves models over HTTP: nearest neighbours, vectors, analogies and similarities as
// JSON, labels of texts, embeddings in the form of OpenAI's API, searches of indexes, and an explorer for the browser.
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
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
)

// A Server serves models.
type Server struct {
	config  Config
	models  *models.Registry
	mux     *http.ServeMux
	handler http.Handler

	patterns  []string // of the mux
	metrics   *instruments
	classroom *classroom
	tokens    atomic.Pointer[tokens] // nil if none is needed
	pair      atomic.Pointer[tls.Certificate]

	computing, streams chan struct{} // a place for each request that is being computed, and for each stream
	predicting         chan struct{} // a place for each text whose labels are being predicted
	bodies             atomic.Int64  // bytes that are being held
	numbers            atomic.Int64  // of vectors in responses that are being made
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
		config: c, mux: http.NewServeMux(),
		computing: make(chan struct{}, c.Limits.Concurrent), streams: make(chan struct{}, c.Limits.Streams),
		predicting: make(chan struct{}, runtime.GOMAXPROCS(0)),
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
	starting := true // the error of a reload names the model itself
	check := func(m *models.Model) error {
		_, err := s.textsOf(m)
		if err == nil {
			err = s.checkLabels(m)
		}
		if err == nil {
			err = s.checkFacts(m)
		}
		if err == nil {
			err = s.checkIndex(m)
		}
		if err != nil && starting {
			err = fmt.Errorf("the model %q: %w", m.Name, err)
		}
		return err
	}
	if s.models, err = models.Open(sources, models.Options{Case: c.Case, Note: c.Note, Check: check}); err != nil {
		return nil, err
	}
	starting = false
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
	limits := s.config.Timeouts
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: limits.ReadHeader, ReadTimeout: limits.Read, WriteTimeout: limits.Write, IdleTimeout: limits.Idle,
		MaxHeaderBytes: s.config.Limits.Header,
		ErrorLog:       slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug), // of clients who do not speak HTTP or TLS
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
		result := "done"
		if r.Err != nil {
			result = "failed"
			errs = append(errs, fmt.Errorf("the model %q stays as it was: %w", r.Name, r.Err))
		}
		s.metrics.count(s.metrics.reloads, result)
	}
	return errors.Join(errs...)
}

// More connections than there are places wait in the queue of the system.
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

// A ModelSpec is a model to serve.
type ModelSpec struct {
	Name string // the name that requests use; must be unique
	Path string // of the file or folder, in any format

	// Pooling says how the vector of a text is made of the vectors of its words: one of
	// pooling.Methods, or empty for the model's own way: see pooling.Options.
	Pooling string
	// Tokenizer names the tokenizer.json that cut the model's training text. It is for models whose file does not
	// hold it.
	Tokenizer string
	// Index names an index of vectors that the model made, which POST /v1/search asks. It is opened, compared with its
	// checksum, and loaded again with the model.
	Index string
}

// A Config says what a server serves, and to whom. A server without models has the lessons alone.
type Config struct {
	Models []ModelSpec
	Case   vectors.Case // how words are looked up; by default as the model was trained

	Limits   Limits
	Timeouts Timeouts

	// TokenFile names a file of tokens, one per line. Clients must then send a token, as in
	// "Authorization: Bearer TOKEN". The explorer's page, /healthz, /readyz and /v1/openapi.json need no token.
	TokenFile string
	// TLSCert and TLSKey name PEM files: a certificate with its chain, and its key. Set both or neither.
	TLSCert, TLSKey string
	// Origins lists the origins, such as "https://example.org", whose pages may send requests from a browser.
	// "*" allows all. By default only the server's own pages may.
	Origins []string
	// Hosts lists further host names, without port, that requests may use. A server on loopback accepts
	// localhost and loopback addresses, and refuses other names: this stops DNS rebinding. A server at another
	// address accepts every name unless Hosts is set.
	Hosts []string

	// HostAdvice and OriginAdvice are appended to the messages that refuse a host or an origin. They tell
	// a person what to do.
	HostAdvice, OriginAdvice string

	MapWords int               // words on the explorer's map, the first ones of a model; 0 means DefaultMapWords
	Metadata map[string]string // a TSV file with facts about words, and about entries of an index, by model name; read with the model
	Scores   []string          // files with evaluation results, for the explorer
	Logs     []string          // files or folders with training logs, for the explorer

	Log      *slog.Logger      // receives panics and failed reloads; may be nil
	Requests *slog.Logger      // receives every request; may be nil
	Note     func(text string) // receives what a person should know of a model; may be nil
}

// DefaultMapWords is the default of Config.MapWords.
const DefaultMapWords = explore.DefaultMapWords

// Limits bound the cost of requests. A field that is 0 has its default.
type Limits struct {
	Body        int64 // bytes of a request's body; default 4 MiB
	Bodies      int64 // bytes of all bodies in memory; default 256 MiB
	Header      int   // bytes of a request's headers; default 16 KiB
	URL         int   // bytes of a request's path and query; default 8 KiB
	Inputs      int   // words, pairs or texts of a request; default 2,048
	Answers     int   // answers to a question, k; default 1,000
	Concurrent  int   // requests computed at a time; default 256. Others get status 503
	Streams     int   // open streams of events; default 64. Others get status 503
	Connections int   // open connections; default 4,096. Others wait
}

// Timeouts bound the time of a client. A field that is 0 has its default.
type Timeouts struct {
	ReadHeader time.Duration // to send the headers; default 10 s, or Read if that is less
	Read       time.Duration // to send the request; default 30 s
	Write      time.Duration // from then until the response is written; default 60 s. Streams have no limit
	Idle       time.Duration // between two requests on a connection; default 2 min
	Shutdown   time.Duration // for running requests when the server ends; default 10 s
}

// Defaults returns the default limits and timeouts.
func Defaults() (l Limits, t Timeouts) {
	_, _ = l.complete(), t.complete() // there is nothing wrong with zeros
	return l, t
}

func (l *Limits) complete() error {
	return errors.Join(
		positive("Limits.Body", &l.Body, 4<<20),
		positive("Limits.Bodies", &l.Bodies, 256<<20),
		positive("Limits.Header", &l.Header, 16<<10),
		positive("Limits.URL", &l.URL, 8<<10),
		positive("Limits.Inputs", &l.Inputs, 2048),
		positive("Limits.Answers", &l.Answers, 1000),
		positive("Limits.Concurrent", &l.Concurrent, 256),
		positive("Limits.Streams", &l.Streams, 64),
		positive("Limits.Connections", &l.Connections, 4096),
	)
}

func (t *Timeouts) complete() error {
	return errors.Join(
		positive("Timeouts.Read", &t.Read, 30*time.Second),
		positive("Timeouts.ReadHeader", &t.ReadHeader, min(t.Read, 10*time.Second)),
		positive("Timeouts.Write", &t.Write, time.Minute),
		positive("Timeouts.Idle", &t.Idle, 2*time.Minute),
		positive("Timeouts.Shutdown", &t.Shutdown, 10*time.Second),
	)
}

func positive[N int | int64 | time.Duration](name string, field *N, otherwise N) error {
	switch {
	case *field < 0:
		return fmt.Errorf("%s must not be negative, is %v", name, *field)
	case *field == 0:
		*field = otherwise
	}
	return nil
}

func (c *Config) complete() error {
	err := errors.Join(c.Limits.complete(), c.Timeouts.complete(), positive("MapWords", &c.MapWords, DefaultMapWords))
	if (c.TLSCert == "") != (c.TLSKey == "") {
		err = errors.Join(err, errors.New("a certificate needs its key, and a key its certificate"))
	}
	names := make(map[string]bool, len(c.Models))
	for _, m := range c.Models {
		names[m.Name] = true
	}
	for name := range c.Metadata {
		if !names[name] {
			err = errors.Join(err, fmt.Errorf("there is metadata for %q, and no such model", name))
		}
	}
	for _, origin := range c.Origins {
		err = errors.Join(err, checkOrigin(origin))
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return err
}
