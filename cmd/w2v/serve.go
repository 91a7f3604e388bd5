package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/serve"
	"github.com/w2v-go/w2v/serve/explorer"
	"github.com/w2v-go/w2v/vectors/metadata"
	"github.com/w2v-go/w2v/vectors/projection"
)

func newServe(s streams) *cobra.Command {
	var f serveFlags
	c := command("serve", cobra.ArbitraryArgs, func(c *cobra.Command, args []string) error {
		config, err := f.config(args)
		if err != nil {
			return misuse(err)
		}
		return f.run(c.Context(), s, config)
	})
	f.add(c)
	return c
}

// The events are what w2v serve --json prints. Their fields are read by scripts.
type (
	readyEvent struct {
		Event  string   `json:"event"` // "ready"
		URL    string   `json:"url"`
		Models []string `json:"models"`
	}
	reloadEvent struct {
		Event string `json:"event"` // "reload"
		Error string `json:"error"` // what stays as it was, and why; empty for nothing
	}
)

func (f *serveFlags) run(ctx context.Context, s streams, config serve.Config) (err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if os.Getenv("GOGC") == "" {
		// Models are mapped, so the heap is small, and would be collected hundreds of times a second.
		defer debug.SetGCPercent(debug.SetGCPercent(400))
	}
	reloads := make(chan os.Signal, 1)
	signal.Notify(reloads, syscall.SIGHUP)
	defer signal.Stop(reloads)

	l, err := net.Listen("tcp", f.listen) // first, so that a port in use is known at once
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	config.HostAdvice = ": start it with --allow-host and that name"
	config.OriginAdvice = ": start it with --cors-origin and that of the page, as https://example.org"
	config.Note = func(text string) { s.notes(text) }
	config.Log = slog.New(slog.NewJSONHandler(s.err, nil))
	if f.logRequests {
		config.Requests = config.Log
	}
	server, err := serve.New(config)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	if at, ok := l.Addr().(*net.TCPAddr); f.options.TokenFile == "" && !(ok && at.IP.IsLoopback()) {
		s.note("everybody who reaches %s can query this server: require a token with --token-file", l.Addr())
	}
	ready := readyEvent{Event: "ready", URL: urlOf(l.Addr(), config.TLSCert != "")}
	ready.Models = append([]string{}, wording.Map(config.Models, func(m serve.ModelSpec) string { return m.Name })...)
	what := either(len(ready.Models) > 0, "Explorer:", "Lessons:")
	if err := s.print(f.asJSON, ready, func(w io.Writer) { fmt.Fprintln(w, what, ready.URL) }); unlessClosed(err) != nil {
		server.Close()
		return errors.Join(err, l.Close())
	}
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	for {
		select {
		case err := <-ended:
			return err
		case <-reloads:
			reloaded, said := reloadEvent{Event: "reload"}, []string{"loaded again"}
			if err := server.Reload(ctx); err != nil {
				said = strings.Split(err.Error(), "\n")
				reloaded.Error = strings.Join(said, "; ")
			}
			s.notes(said...)
			if err := s.print(f.asJSON, reloaded, func(io.Writer) {}); unlessClosed(err) != nil {
				return err
			}
		}
	}
}

func urlOf(at net.Addr, secure bool) string {
	scheme := either(secure, "https", "http")
	host, port, _ := net.SplitHostPort(at.String()) // a listener has both
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost" // among others
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/"
}

type serveFlags struct {
	listen      string
	letters     caseFlag
	body        int
	metadata    []string
	pooling     []string
	tokenizers  []string
	indexes     []string
	logRequests bool
	asJSON      bool
	options     serve.Config // of which most flags set a field
}

func addListen(flags *pflag.FlagSet, to *string) {
	flags.StringVar(to, "listen", "127.0.0.1:8080", "`ADDRESS` to listen at, as HOST:PORT; port 0 is any free one")
}

func (f *serveFlags) add(c *cobra.Command) {
	flags := c.Flags()
	limits, times := serve.Defaults()
	o := &f.options
	addListen(flags, &f.listen)
	grouped(flags, "Access", func() {
		flags.StringVar(&o.TokenFile, "token-file", "", "require a bearer token from `FILE` (one per line), except for the explorer's page, /healthz, /readyz and /v1/openapi.json")
		flags.StringVar(&o.TLSCert, "tls-cert", "", "speak TLS (HTTPS) with the certificate, and its chain, in the PEM `FILE`")
		flags.StringVar(&o.TLSKey, "tls-key", "", "key of the certificate, in the PEM `FILE`")
		flags.StringArrayVar(&o.Origins, "cors-origin", nil, "let pages of an `ORIGIN` ask, as https://example.org, or * for all; may be given several times")
		flags.StringArrayVar(&o.Hosts, "allow-host", nil, "let requests call the server by this `NAME`, besides localhost and 127.0.0.1; may be given several times")
	})
	flags.StringArrayVar(&f.pooling, "pooling", nil, "`RULE` that makes vectors of texts of those of words, instead of the model's: mean; weighted, where frequent words count less; sif, which removes the common component too; or dbow, the paragraph vector; NAME=sif for that model of several (default as w2v sentence)")
	flags.StringArrayVar(&f.tokenizers, "tokenizer", nil, "cut texts by this tokenizer.json `FILE`, as the model's text was; NAME=FILE for that model of several")
	flags.StringArrayVar(&f.indexes, "index", nil, "search this index `FILE` of w2v index, whose vectors the model made; NAME=FILE for that model of several")
	flags.BoolVar(&f.logRequests, "log-requests", false, "log each request on standard error, as a line of JSON")
	grouped(flags, "Explorer", func() {
		flags.IntVar(&o.MapWords, "map-words", serve.DefaultMapWords, "how many of the first words are on the explorer's map")
		flags.StringArrayVar(&f.metadata, "metadata", nil, "TSV `FILE` with facts about words, and about entries of --index, for the explorer and for conditions on neighbours and answers of a search, NAME=FILE for that model of several; may be given several times")
		flags.StringArrayVar(&o.Scores, "scores", nil, "`FILE` with output of w2v eval --json for the explorer; may be given several times")
		flags.StringArrayVar(&o.Logs, "log", nil, "`FILE` that w2v train --log-json writes, or a folder of such files, for the explorer; may be given several times")
	})
	grouped(flags, "Limit", func() {
		flags.IntVar(&f.body, "max-body", int(limits.Body), "largest body of a request, in bytes")
		flags.IntVar(&o.Limits.Inputs, "max-inputs", limits.Inputs, "most words, pairs or texts of a request")
		flags.IntVar(&o.Limits.Answers, "max-k", limits.Answers, "most answers to a question")
		flags.IntVar(&o.Limits.Concurrent, "max-concurrent", limits.Concurrent, "most requests that are computed at a time; one more gets status 503")
		flags.IntVar(&o.Limits.Streams, "max-streams", limits.Streams, "most streams of events, which the explorer follows runs by")
		flags.IntVar(&o.Limits.Connections, "max-connections", limits.Connections, "most open connections; one more waits")
		flags.DurationVar(&o.Timeouts.Read, "read-timeout", times.Read, "time for a client to send a request")
		flags.DurationVar(&o.Timeouts.Write, "write-timeout", times.Write, "time for a client to take a response, and for the server to make it")
		flags.DurationVar(&o.Timeouts.Shutdown, "shutdown-timeout", times.Shutdown, "time for requests to end when the server ends")
	})
	limit(flags, 1, math.Inf(1), "map-words", "max-body", "max-inputs", "max-k", "max-concurrent", "max-streams", "max-connections",
		"read-timeout", "write-timeout", "shutdown-timeout")
	f.letters.add(c)
	addJSON(c, &f.asJSON)
}

func (f *serveFlags) config(args []string) (serve.Config, error) {
	o := f.options
	o.Case, o.Limits.Body = f.letters.rule(), int64(f.body)
	var errs []error
	if (o.TLSCert == "") != (o.TLSKey == "") {
		errs = append(errs, errors.New("--tls-cert and --tls-key need each other"))
	}
	if len(args) == 0 && len(o.Scores)+len(o.Logs) > 0 {
		errs = append(errs, errors.New("--scores and --log are for the explorer, which needs a MODEL"))
	}
	byName := make(map[string]string)
	for _, arg := range args {
		name, path := nameAndPath(arg)
		other, twice := byName[name]
		switch {
		case path == "" || name == "":
			errs = append(errs, fmt.Errorf("%q is not MODEL or NAME=MODEL", arg))
		case twice:
			errs = append(errs, fmt.Errorf("%s and %s would both have the name %q: write NAME=%s", other, path, name, path))
		}
		byName[name] = path
		o.Models = append(o.Models, serve.ModelSpec{Name: name, Path: path})
	}
	if err := errors.Join(errs...); err != nil {
		return o, err
	}
	values := func(flag string, given []string) map[string]string {
		byName, err := byModel(flag, given, o.Models)
		errs = append(errs, err)
		return byName
	}
	pooling, tokenizers, indexes := values("pooling", f.pooling), values("tokenizer", f.tokenizers), values("index", f.indexes)
	for i, m := range o.Models {
		o.Models[i].Pooling, o.Models[i].Tokenizer, o.Models[i].Index = pooling[m.Name], tokenizers[m.Name], indexes[m.Name]
	}
	o.Metadata = values("metadata", f.metadata)
	return o, errors.Join(errs...)
}

// nameAndPath takes NAME=PATH apart. A path alone has the name of its file without extensions.
func nameAndPath(arg string) (name, path string) {
	if _, err := os.Stat(arg); err != nil {
		if name, path, ok := strings.Cut(arg, "="); ok {
			return name, path
		}
	}
	base, _ := compression.SplitExt(filepath.Base(arg))
	return cmp.Or(strings.TrimSuffix(base, filepath.Ext(base)), base), arg
}

// byModel are the values of a flag by the names of the models that they are for.
func byModel(flag string, given []string, models []serve.ModelSpec) (map[string]string, error) {
	byName := make(map[string]string)
	for _, arg := range given {
		name, value, ok := strings.Cut(arg, "=")
		switch known := slices.ContainsFunc(models, func(m serve.ModelSpec) bool { return m.Name == name }); {
		case ok && known:
		case len(models) == 1:
			name, value = models[0].Name, arg
		default:
			return nil, fmt.Errorf("--%s: %q is for which model? Write NAME=%s, with the name of one", flag, arg, arg)
		}
		if byName[name] != "" {
			return nil, fmt.Errorf("--%s is given twice for the model %q", flag, name)
		}
		byName[name] = value
	}
	return byName, nil
}

func newExportExplorer(s streams) *cobra.Command {
	f := exportRun{s: s, size: explorer.DefaultExportSize}
	f.options.Projection = projection.MethodUMAP
	c := command("export-explorer", cobra.ExactArgs(2), func(c *cobra.Command, args []string) error {
		f.options.Name, f.options.Path = nameAndPath(args[0])
		f.out = args[1]
		if err := f.check(); err != nil {
			return misuse(err)
		}
		return f.run(c.Context())
	})
	flags := c.Flags()
	whole(flags, 1, &f.options.Words, "words", "", explorer.DefaultExportWords, "have at most the first `N` words on the page")
	flags.Var(&sizeFlag{to: &f.size}, "max-size", "largest size of the page, such as 5MB")
	addEnum(flags, &f.options.Projection, "projection", "map that the page opens with; with umap it has both", choicesOf(projection.Methods(), nil))
	whole(flags, 1, &f.options.Dim, "dim", "", explorer.DefaultExportDim, "have at most `N` dimensions of the vectors on the page")
	flags.StringVar(&f.metadata, "metadata", "", "TSV `FILE` with more about the words: a header, and the word in the first column")
	addJSON(c, &f.asJSON)
	return c
}

type exportRun struct {
	s             streams
	out, metadata string
	size          uint64
	options       explorer.ExportOptions
	asJSON        bool
}

func (f *exportRun) check() error {
	return broken(
		rule{f.options.Path == "" || f.options.Name == "", "MODEL is empty"},
		rule{f.size < 1, "--max-size must be at least 1"},
		rule{f.out == "-" && f.asJSON, "--json and the page cannot both go to standard output"},
		rule{f.out == "", "OUT.html is empty"},
	)
}

// An exportReport is what w2v export-explorer prints. Its JSON is read by scripts.
type exportReport struct {
	Output string `json:"output"`
	*explorer.Exported
}

func (f *exportRun) run(ctx context.Context) (err error) {
	o := f.options
	if f.metadata != "" {
		if o.Metadata, err = metadata.ReadFile(f.metadata); err != nil {
			return err
		}
	}
	if f.out != "-" {
		if err := atomicfile.Check(f.out); err != nil {
			return err
		}
	}
	return f.s.open(ctx, o.Path, opening{whole: true, empty: errNoAnswers}, func(words *finder) error {
		if o.Metadata != nil {
			f.s.notes(o.Metadata.For(words.Spelling).Notes(o.Path)...)
		}
		ctx, stop := untilSignal(ctx, f.s.err)
		defer stop()
		how, end := computation(f.s, false)
		defer end()
		o.MaxSize, o.Progress, o.Generator, o.Created = int64(f.size), how.Progress, "w2v "+version(), time.Now()
		report := exportReport{Output: f.out}
		err = writeFile(f.s, f.out, func(w io.Writer) (err error) {
			report.Exported, err = explorer.Export(ctx, w, words.set, o)
			return err
		})
		if e, ok := errors.AsType[*explorer.SizeError](err); ok {
			return fmt.Errorf("--max-size: %w: give it more than that", e)
		}
		if err != nil {
			return ofModel(o.Path, err)
		}
		end()
		if f.out == "-" {
			return nil
		}
		if report.Words < report.Asked {
			f.s.note("%s of %s fit into %s: --max-size has room for more, and so has a smaller --dim",
				wording.Thousands(report.Words), wording.Count(report.Asked, "word", "words"), megabytes(o.MaxSize))
		}
		return f.s.print(f.asJSON, report, report.print)
	})
}
