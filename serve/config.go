package serve

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/vectors"
)

// A ModelSpec is a model to serve.
type ModelSpec struct {
	Name string // by which requests call it: not empty, and no other model's
	Path string // of its file or folder, in any format

	// Pooling says how the vector of a text is made of those of its words: "mean", or "sif", which
	// weighs frequent words less. Empty for "sif" if the model knows how often words were seen,
	// and else "mean".
	Pooling string
	// Tokenizer names the tokenizer.json file that the model's text was cut by. Empty if words
	// were cut at white space and punctuation.
	Tokenizer string
}

// A Config says what a server serves, to whom, and how much of it. Only Models is needed.
type Config struct {
	Models []ModelSpec
	Case   vectors.Case // how words are looked up; by default as the model was trained

	Limits   Limits
	Timeouts Timeouts

	// TokenFile names a file with tokens, one a line. Requests to all but the pages of the
	// explorer, /healthz, /readyz and /v1/openapi.json must then have one of them, as in
	// "Authorization: Bearer TOKEN". Empty for no such need.
	TokenFile string
	// TLSCert and TLSKey name PEM files with a certificate (and its chain) and its key. Both or
	// none.
	TLSCert, TLSKey string
	// Origins are the origins whose pages may ask in a browser, as "https://example.org", or "*"
	// for all. None by default: only the server's own pages may.
	Origins []string
	// Hosts are names, without port, that requests may have in their header Host, besides
	// localhost and addresses of this machine's loopback, while the server listens on loopback.
	// Other names are refused, so that no page elsewhere can make a browser ask here by DNS
	// rebinding. A server that listens elsewhere takes every name, unless there are Hosts.
	Hosts []string

	// HostAdvice and OriginAdvice end what clients are told who are refused for their Host or their
	// origin: what a person can do about it.
	HostAdvice, OriginAdvice string

	MapWords int               // how many of the first words the explorer's map has; 0 means 200,000
	Metadata map[string]string // a TSV file with more about words, by name of a model
	Scores   []string          // files with results of evaluation, for the explorer
	Logs     []string          // files with the logs of trainings, for the explorer

	Log      *slog.Logger      // is told of panics and failed reloads; nil for nobody
	Requests *slog.Logger      // is told of every request; nil for nobody
	Note     func(text string) // is told what a person should know of a model; nil for nobody
}

// DefaultMapWords is how many words the explorer's map has unless a Config says otherwise.
const DefaultMapWords = explore.DefaultMapWords

// Limits bound what requests may cost. A field that is 0 has its default.
type Limits struct {
	Body        int64 // bytes of a request's body; default 4 MiB
	Bodies      int64 // bytes of all bodies that are being held; default 256 MiB
	Header      int   // bytes of a request's headers; default 16 KiB
	URL         int   // bytes of a request's path and query; default 8 KiB
	Inputs      int   // words, pairs or texts of one request; default 2,048
	Answers     int   // k: answers to one question; default 1,000
	Concurrent  int   // requests that are being computed; default 256. One more gets 503
	Streams     int   // streams of events that are open; default 64. One more gets 503
	Connections int   // open connections; default 4,096. One more waits
}

// Timeouts bound how long a client may take. A field that is 0 has its default.
type Timeouts struct {
	ReadHeader time.Duration // until all headers are read; default 10 s, or Read if that is less
	Read       time.Duration // until all of a request is read; default 30 s
	Write      time.Duration // from then until its response is written, except of streams; default 60 s
	Idle       time.Duration // between two requests of a connection; default 2 min
	Shutdown   time.Duration // for requests to end after Serve's context has; default 10 s
}

// Defaults returns the limits and timeouts that a server has where a Config says nothing.
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

// positive gives a field its default if it is 0.
func positive[N int | int64 | time.Duration](name string, field *N, otherwise N) error {
	switch {
	case *field < 0:
		return fmt.Errorf("%s must not be negative, is %v", name, *field)
	case *field == 0:
		*field = otherwise
	}
	return nil
}

// complete gives all fields that are not set their defaults, and looks for what makes no sense.
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
