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
	Name string // the name that requests use; must be unique
	Path string // of the file or folder, in any format

	// Pooling says how the vector of a text is made of the vectors of its words: "mean", or "sif", which
	// gives frequent words less weight. The default is "sif" for models with word counts and "mean" for others.
	Pooling string
	// Tokenizer names the tokenizer.json file that cut the model's training text. Leave it empty if the text was
	// cut at white space and punctuation.
	Tokenizer string
}

// A Config says what a server serves, and to whom. Only Models is required.
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
	Metadata map[string]string // a TSV file with facts about words, by model name
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

// positive sets a field that is 0 to its default.
func positive[N int | int64 | time.Duration](name string, field *N, otherwise N) error {
	switch {
	case *field < 0:
		return fmt.Errorf("%s must not be negative, is %v", name, *field)
	case *field == 0:
		*field = otherwise
	}
	return nil
}

// complete sets the defaults of fields that are 0, and checks the others.
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
