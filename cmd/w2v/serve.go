package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/serve"
)

func newServe(s streams) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve [flags] MODEL...",
		Short: "Serve models over HTTP, with an explorer for the browser",
		Long: `Answer questions about models over HTTP: neighbours, vectors, analogies and
similarities as JSON, and embeddings as clients of OpenAI ask for them. A browser shows
an explorer: a map of the words, their neighbours, analogies, and more. GET
/v1/openapi.json describes the requests.

Each MODEL is a file in any format, or NAME=FILE. Requests call it by its name: that of
its file without extension, if none is given. Files that can be mapped are mapped and
not read, so a large model is there at once. Others are read into memory.

The server listens at 127.0.0.1, where programs of this machine alone reach it. Where
others do, give it --token-file, and --tls-cert with --tls-key. Clients then send
"Authorization: Bearer TOKEN". In a token file each line is a token.

SIGHUP opens all models anew and reads tokens and certificate again, while requests go
on. What cannot be read stays as it was. SIGINT and SIGTERM end the server when all
requests have their answers.

Standard output has the URL once the server answers. /healthz, /readyz and /metrics
are for those who watch it.`,
		Example: `  w2v serve wiki.w2v
  curl '127.0.0.1:8080/v1/neighbors?word=king&k=5'
  w2v serve en=english.bin de=german.bin --listen 127.0.0.1:9000
  w2v serve wiki.w2v --listen 0.0.0.0:8443 --token-file tokens --tls-cert cert.pem --tls-key key.pem`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := f.config(c, args)
			if err != nil {
				return &usageError{c.CommandPath(), err}
			}
			return f.run(c.Context(), s, config)
		},
	}
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
	config.Note = s.note
	config.Log = slog.New(slog.NewJSONHandler(s.err, nil))
	if f.logRequests {
		config.Requests = config.Log
	}
	server, err := serve.New(config)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	if f.tokenFile == "" && !loopback(l.Addr()) {
		s.note(fmt.Sprintf("everybody who reaches %s can ask this server: --token-file gives it a token", l.Addr()))
	}
	if err := f.printReady(s, l.Addr(), config); unlessClosed(err) != nil {
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
			err := server.Reload(ctx)
			if err := f.printReload(s, err); unlessClosed(err) != nil {
				return err
			}
		}
	}
}

// loopback reports whether an address is one of this machine's loopback.
func loopback(a net.Addr) bool {
	at, ok := a.(*net.TCPAddr)
	return ok && at.IP.IsLoopback()
}

// printReady says where the server is.
func (f *serveFlags) printReady(s streams, at net.Addr, c serve.Config) error {
	scheme := "http"
	if c.TLSCert != "" {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost" // among others
	}
	url := scheme + "://" + net.JoinHostPort(host, port) + "/"
	if f.asJSON {
		ready := readyEvent{Event: "ready", URL: url}
		for _, m := range c.Models {
			ready.Models = append(ready.Models, m.Name)
		}
		return printJSON(s.out, ready)
	}
	_, err = fmt.Fprintln(s.out, url)
	return err
}

// printReload says what a reload did.
func (f *serveFlags) printReload(s streams, err error) error {
	var failed []string
	if err != nil {
		failed = strings.Split(err.Error(), "\n")
	}
	for _, line := range failed {
		s.note(line)
	}
	if len(failed) == 0 {
		s.note("loaded again")
	}
	if f.asJSON {
		return printJSON(s.out, reloadEvent{"reload", strings.Join(failed, "; ")})
	}
	return nil
}
