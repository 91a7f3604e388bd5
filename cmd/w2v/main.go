// Command w2v trains word embeddings and works with their files.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/buildinfo"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/vocab"
)

func main() {
	// Writing to a closed pipe is a write error and does not end the program.
	signal.Ignore(syscall.SIGPIPE)
	// Windows shows this text to users who start the program by a double click.
	cobra.MousetrapHelpText = "w2v is a command: open a terminal and type w2v --help there.\n"
	ctx, end := underParent()
	code := run(ctx, os.Args[1:], terminalStreams())
	end()
	os.Exit(code)
}

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130 // after saving, unless a second signal stopped the saving
)

type streams struct {
	in          io.Reader
	out         io.Writer  // results
	err         io.Writer  // messages to people
	inTerminal  bool       // in is a terminal
	errTerminal bool       // err is a terminal
	errWidth    int        // its columns; 0 if that is not known
	outWidth    int        // those of out
	screen      *os.File   // the file behind out if that is a terminal, else nil
	outTerminal bool       // out is a terminal
	colours     bool       // and shows colours
	errColumns  func() int // the columns of err now; nil if that is not known

	ranks   *membership // in a run of several processes
	written *writtenFiles
}

// run executes the command line and returns the exit code. Commands end when ctx does.
func run(ctx context.Context, args []string, s streams) int {
	if err := simd.Err(); err != nil {
		fmt.Fprintf(s.err, "w2v: %v\n", err)
		return exitUsage
	}
	s.ranks, s.written = &membership{}, &writtenFiles{}
	defer s.written.release()
	out, said := &output{w: s.out, ranks: s.ranks}, &messages{w: s.err, ranks: s.ranks}
	if s.outTerminal {
		out.shown = terminal.NewWriter(s.out, s.colours)
	}
	if s.errTerminal {
		said.shown = terminal.NewWriter(s.err, false)
	}
	s.out, s.err, s.ranks.said = out, said, said
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	root := newRoot(s, first)
	root.SetArgs(args)
	said.json = logsToStderr(root, args)
	s.ranks.prepare(root, args)
	ctx = corpus.WithWaits(ctx, func(w corpus.Wait) {
		fmt.Fprintf(said.aloud(), "note: %s%v\n", when(s.ranks.rank > 0, "rank %d: ", s.ranks.rank), w)
	})
	command, err := root.ExecuteContextC(ctx)
	if out.shown != nil {
		err = errors.Join(err, out.shown.Flush())
	}
	if err == nil || errors.Is(err, context.Canceled) && !errors.Is(err, out.err) {
		err = errors.Join(err, out.err)
	}
	if err = unlessClosed(err); err == nil {
		return s.ranks.leave(exitDone)
	}
	folder := either(errors.Is(err, fs.ErrNotExist), "make the folder first, or ", "")
	err = advised[*vocab.CacheError](err, folder+"name another one with --cache of w2v train, or TMPDIR")
	switch e, ok := errors.AsType[*corpus.ForeignError](err); { // what to do is at the end of the error
	case ok && e.Command != "":
		err = fmt.Errorf("%w | %s -", err, readerOfText(command))
	case ok && e.Table && command.Flag("text-column") != nil:
		err = fmt.Errorf("%w with --text-column", err)
	}
	line, interrupted := ending(err)
	code := exitFailed
	var usage *usageError
	switch {
	case interrupted:
		if !s.ranks.ended.Load() {
			fmt.Fprintf(s.err, "w2v: %s\n", line)
		}
		return s.ranks.leave(exitInterrupted)
	case errors.As(err, &usage):
		line, code = fmt.Sprintf("%s (see %s --help)", line, cmp.Or(usage.command, command.CommandPath())), exitUsage
	}
	s.ranks.waitToTell(err)
	said.failed(line)
	return s.ranks.leave(code)
}

func readerOfText(command *cobra.Command) string {
	if name := pathBelow(command); slices.Contains([]string{"classify predict", "classify test", "classify calibrate", "dedup", "embed", "index"}, name) {
		return command.CommandPath() + " MODEL"
	}
	return either(slices.Contains([]string{"classify train", "classify tune", "kmers", "pairs", "phrases", "tokenizer train", "vocab", "walk"}, pathBelow(command)), command.CommandPath(), "w2v train")
}

type usageError struct {
	command string // path of the command whose help explains the error; empty for the running command
	err     error
}

func misuse(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err: err}
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// A versionReport is what w2v version prints. Its JSON is read by scripts.
type versionReport struct {
	buildinfo.Facts
	OS        string   `json:"os"`
	Arch      string   `json:"arch"`
	Kernels   string   `json:"kernels"`
	Available []string `json:"available_kernels"`
	Processor string   `json:"processor,omitempty"`
	Threads   int      `json:"threads"`
}

func newVersion(s streams) *cobra.Command {
	var asJSON bool
	c := command("version", cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		report := versionReport{
			Facts: buildinfo.Read(), OS: runtime.GOOS, Arch: runtime.GOARCH, Kernels: simd.Kind(), Available: simd.Kinds(),
			Processor: sysinfo.Processor(), Threads: runtime.GOMAXPROCS(0),
		}
		return s.print(asJSON, report, report.print)
	})
	addJSON(c, &asJSON)
	return c
}

func version() string { return buildinfo.Read().Version }

func (r versionReport) print(out io.Writer) {
	commit := cmp.Or(r.Commit, "unknown")
	commit += when(r.Modified != nil && *r.Modified, ", modified")
	date, kernels := "", r.Kernels
	if r.Date != nil {
		date = r.Date.UTC().Format(time.RFC3339)
	}
	kernels += when(len(r.Available) > 1, " (of %s)", strings.Join(r.Available, ", "))
	t := newTable(out)
	for _, row := range [][2]string{
		{"version", r.Version}, {"commit", commit}, {"date", date}, {"go", r.Go}, {"tags", r.Tags},
		{"system", r.OS + "/" + r.Arch}, {"kernels", kernels}, {"processor", r.Processor}, {"threads", fmt.Sprint(r.Threads)},
	} {
		if row[1] != "" {
			fmt.Fprintf(t, "%s\t%s\n", row[0], row[1])
		}
	}
	t.Flush()
}

func terminalStreams() streams {
	width := func(f *os.File) int {
		width, _, _ := term.GetSize(int(f.Fd())) // 0 if it is not a terminal
		return width
	}
	s := streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, errWidth: width(os.Stderr), outWidth: width(os.Stdout),
		inTerminal: term.IsTerminal(int(os.Stdin.Fd())), errTerminal: term.IsTerminal(int(os.Stderr.Fd())), outTerminal: term.IsTerminal(int(os.Stdout.Fd())),
	}
	if s.errTerminal {
		s.errColumns = func() int { return width(os.Stderr) }
	}
	if s.outTerminal {
		s.screen, s.colours = os.Stdout, terminal.Colours(os.Environ())
	}
	return s
}

// newRoot returns the program with all its commands; or with only the command of that name, if there is one, because making
// all takes longer than many runs.
func newRoot(s streams, only string) *cobra.Command {
	root := command("w2v", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return c.Help() })
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		if err := errors.Join(checkLimits(c.Flags()), checkSwitches(c.Flags(), args)); err != nil {
			return misuse(err)
		}
		return checkFiles(c, s, args)
	}
	root.Version, root.SilenceErrors, root.SilenceUsage = version(), true, true
	root.Flags().BoolP("version", "v", false, "print the version")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if args := c.Flags().Args(); c.HasSubCommands() && arguments(c) == "" && len(args) > 0 {
			err = unknownCommand(c, args[0]) // whose flags these may be
		} else {
			err = explainFlag(c.Flags(), err)
		}
		return misuse(err)
	})
	type maker struct {
		name string
		make func(streams) *cobra.Command
	}
	all := []struct {
		group    string
		commands []maker
	}{
		{"Train", []maker{
			{"train", newTrain}, {"pairs", newPairs}, {"distill", newDistill}, {"sweep", newSweep}, {"tune", newTune}, {"vocab", newVocab},
			{"phrases", newPhrases}, {"walk", newWalk}, {"kmers", newKmers}, {"tokenizer", newTokenizer}, {"demo", newDemo},
			{"fasttext", newFastText},
		}},
		{"Ask a model", []maker{
			{"nn", newNN}, {"query", newQuery}, {"analogy", newAnalogy}, {"vector", newVector}, {"similarity", newSimilarity},
			{"doesnt-match", newDoesntMatch}, {"sentence", newSentence}, {"embed", newEmbed}, {"ngrams", newNgrams}, {"index", newIndex},
			{"search", newSearch}, {"dedup", newDedup}, {"classify", newClassify}, {"info", newInfo},
		}},
		{"Show a model", []maker{
			{"serve", newServe}, {"lessons", newLessons}, {"export-explorer", newExportExplorer}, {"plot", newPlot},
		}},
		{"Score a model", []maker{
			{"eval", newEval}, {"compare", newCompare}, {"diff", newDiff},
		}},
		{"Make another model of it", []maker{
			{"convert", newConvert}, {"quantize", newQuantize}, {"factorize", newFactorize}, {"align", newAlign}, {"merge", newMerge},
		}},
		{"", []maker{
			{"completion", newCompletion}, {"version", newVersion},
		}},
	}
	known := false
	for _, of := range all {
		known = known || slices.ContainsFunc(of.commands, func(m maker) bool { return m.name == only })
	}
	for _, of := range all {
		if of.group != "" {
			root.AddGroup(&cobra.Group{ID: of.group, Title: of.group})
		}
		for _, m := range of.commands {
			if !known || m.name == only {
				c := m.make(s)
				c.GroupID = of.group
				root.AddCommand(c)
			}
		}
	}
	setHelp(root, columns(s.outWidth))
	setCompletion(root)
	return root
}

func addJSON(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "print results as JSON, one object a line")
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	return nil
}

func (s streams) print(asJSON bool, result any, table func(io.Writer)) error {
	if asJSON {
		return printJSON(s.out, result)
	}
	table(s.out) // standard output remembers write errors
	return nil
}

const (
	// sameWish is the time after the first signal in which further signals count as the
	// same one. timeout(1) signals the program and then its process group, and a shell or a
	// batch system may do so, too: one wish arrives as several signals.
	sameWish = time.Second
	// tidyTime is how long a program may remove unfinished files after the second signal.
	tidyTime = 250 * time.Millisecond
)

// givenUp is printed when a second signal has stopped the saving.
const givenUp = "interrupted again: what was not saved yet is given up"

// untilSignal returns a context that ends with the first signal that asks the program to end. A second one, a second
// or more later, ends the program at once. Commands with nothing to clean up let the first signal end them.
func untilSignal(ctx context.Context, stderr io.Writer) (context.Context, context.CancelFunc) {
	i := listenForSignals(ctx, stderr, stderr, endingSignals(), nil)
	return i.stopping, sync.OnceFunc(i.restore)
}

// untilSignals is untilSignal for commands that save something. The first context ends with the first signal: the
// command saves. The second one ends with the second signal: the command gives up saving. After stop no signal
// changes the exit code. SIGQUIT prints the stacks of all goroutines first, as the Go runtime does.
func untilSignals(ctx context.Context, stderr io.Writer) (stopping, givingUp context.Context, stop context.CancelFunc) {
	i := listenForSignals(ctx, stderr, stderr, endingSignals(), nil)
	return i.stopping, i.givingUp, sync.OnceFunc(i.end)
}

func endingSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// sendAgain lets a signal that was caught end the program as if it had not been caught.
func sendAgain(s os.Signal) {
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(s) != nil { // Windows has no such signals
		os.Exit(exitInterrupted)
	}
}

func listenForSignals(ctx context.Context, stderr, stacks io.Writer, signals []os.Signal, first func(os.Signal)) *interruption {
	i := &interruption{stderr: stderr, stacks: stacks, asked: first, heard: make(chan os.Signal, 8), over: make(chan struct{})}
	i.stopping, i.stop = context.WithCancel(ctx)
	i.givingUp, i.giveUp = context.WithCancel(context.WithoutCancel(ctx))
	listening.Add(1)
	signal.Notify(i.heard, signals...)
	go i.listen()
	return i
}

// listening is how many listen for signals. Where nobody does, a signal ends the program at once.
var listening atomic.Int32

type interruption struct {
	stderr io.Writer
	stacks io.Writer // for what SIGQUIT prints
	heard  chan os.Signal
	asked  func(os.Signal) // is called with the first signal, if it is not nil
	over   chan struct{}   // closed when the command has nothing more to save

	stopping, givingUp context.Context
	stop, giveUp       context.CancelFunc

	first atomic.Pointer[time.Time] // when the first signal came; nil if none did
}

// listen handles signals until the command has nothing more to save, or ends the program.
func (i *interruption) listen() {
	for {
		var s os.Signal
		select {
		case <-i.over: // the program is about to say how it ended
			return
		case s = <-i.heard:
			if s == syscall.SIGQUIT {
				_ = pprof.Lookup("goroutine").WriteTo(i.stacks, 2) // perhaps nobody reads it
			}
		}
		switch first := i.first.Load(); {
		case first == nil:
			if i.asked != nil {
				i.asked(s)
			}
			now := time.Now()
			i.first.Store(&now)
			i.stop()
		case time.Since(*first) < sameWish:
		default:
			i.giveUp()
			select {
			case <-i.over:
				return
			case <-i.heard:
			case <-time.After(tidyTime):
			}
			fmt.Fprintf(i.stderr, "w2v: %s\n", givenUp)
			atomicfile.ReleaseAll()
			os.Exit(exitInterrupted)
		}
	}
}

// end ends both contexts. Signals still do not end the program before it says how it ended.
func (i *interruption) end() {
	i.stop()
	i.giveUp()
	close(i.over)
}

// restore gives signals their usual effect again. If a signal has come, the program is about
// to end: a second signal still ends a program that goes on.
func (i *interruption) restore() {
	i.stop()
	i.giveUp()
	if i.first.Load() == nil {
		signal.Stop(i.heard)
		listening.Add(-1)
		close(i.over)
	}
}

// Environment variables by which a parent, such as the Python package, asks this program not to outlive it.
const (
	// parentPipe is the number of a descriptor, on Windows of a handle: the reading end of a pipe that
	// the parent alone can write to, so the system closes it however the parent ends. A byte says that
	// the parent has written all files that the program is to read, another one that it has taken the result.
	parentPipe = "W2V_PARENT"
	// parentFolder is a folder of the parent, which is removed if the parent cannot do it any more.
	parentFolder = "W2V_PARENT_FOLDER"
)

// soon is the time in which all descriptors of a process are closed that has ended.
const soon = 100 * time.Millisecond

// underParent waits until the parent lets the program begin. It returns a context that ends when the
// parent does, and what is to be called at the end of the program. Without such a parent nothing ends it.
func underParent() (ctx context.Context, end func()) {
	handle, err := strconv.ParseUint(os.Getenv(parentPipe), 10, 64)
	folder := os.Getenv(parentFolder)
	_, _ = os.Unsetenv(parentPipe), os.Unsetenv(parentFolder) // they are not for programs that this one starts
	if err != nil {
		return context.Background(), func() {}
	}
	ctx, orphaned := context.WithCancel(context.Background())
	taken, parent := make(chan struct{}), os.Getppid()
	end = func() {
		if folder == "" {
			return
		}
		// Perhaps the parent has ended, which is about to be known. On a busy machine, one long wait may pass
		// before the goroutine that reads the pipe has its turn; it has a turn in one of many short waits.
		const waits = 20
		for range waits {
			select {
			case <-taken:
				return
			case <-ctx.Done():
			case <-time.After(soon / waits):
			}
			if ctx.Err() != nil || os.Getppid() != parent {
				_ = os.RemoveAll(folder) // there is nobody to tell
				return
			}
		}
	}
	pipe, word := os.NewFile(uintptr(handle), "the pipe of the parent"), make([]byte, 1)
	if _, err := pipe.Read(word); err == io.EOF {
		orphaned()
		end()
		os.Exit(exitInterrupted)
	}
	go func() {
		n, err := pipe.Read(word)
		if n > 0 {
			close(taken)
			_, err = pipe.Read(word)
		}
		if err == io.EOF {
			orphaned()
		}
	}()
	return ctx, end
}

// Counting makes tables larger again and again, and the heap of training is nearly all
// matrices, in which Go finds no pointers: to look for garbage often costs nothing, and
// waiting would cost as much memory as there is garbage.

// Garbage may be so much of what is in use, or so many bytes if that is more: a small run would look for it all the time.
const (
	garbagePercent = 25
	garbageBytes   = 16 << 20
)

// collectEarly makes Go look for garbage early enough, unless GOGC says when.
func collectEarly() {
	if os.Getenv("GOGC") == "" {
		collectAfter()
	}
	if have, _ := sysinfo.MemoryLimit(); have > 0 {
		sysinfo.KeepMemoryBelow(have)
	}
}

// collectAfter sets how much garbage there may be after each collection, of what is in use then.
func collectAfter() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	const least = 4 << 20 // what Go takes for the heap if less is in use
	debug.SetGCPercent(int(max(garbagePercent, 100*garbageBytes/max(live[0].Value.Uint64(), least))))
	runtime.AddCleanup(new([16]byte), func(int) { collectAfter() }, 0)
}

// withRoom adds to what a run takes of memory what garbage may take beside it. Without room Go
// would look for garbage all the time: at 300 dimensions that took a sixth of the time.
func withRoom(bytes uint64) uint64 { return bytes + max(bytes/32, 16<<20) }
