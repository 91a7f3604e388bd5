package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/w2v-go/w2v/lab/product"
)

// patience is how long a test waits for something to happen in the page. A browser without a graphics card takes
// long beside other tests.
const patience = 4 * time.Minute

// browser is the path of chromium; empty if there is none.
var browser = func() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}()

// work is a folder for what all tests use, and program the path of w2v in it.
var work, program string

// build builds w2v.
var build = sync.OnceValue(func() error { return product.Build(context.Background(), program) })

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if work, err = os.MkdirTemp("", "w2v-browser-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(work)
	program = filepath.Join(work, product.FileName())
	return m.Run()
}

// need skips a test without a browser.
func need(t *testing.T) {
	t.Helper()
	switch {
	case testing.Short():
		t.Skip("a browser takes a while")
	case browser != "":
	case os.Getenv("W2V_BROWSER") == "require":
		t.Fatal("there is no chromium: apt-get install chromium")
	default:
		t.Skip("there is no chromium: apt-get install chromium")
	}
	if err := build(); err != nil {
		t.Fatal(err)
	}
}

// w2v runs the program to its end and returns what it printed.
func w2v(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Stdin = strings.NewReader(stdin)
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("w2v %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// demo are models of the built-in corpus: one with n-grams, and two of other settings.
var demo = sync.OnceValues(func() (folder string, err error) {
	folder = work
	text, err := exec.Command(program, "demo", "--print-corpus").Output()
	if err != nil {
		return "", err
	}
	corpus := filepath.Join(folder, "corpus.txt")
	if err := os.WriteFile(corpus, text, 0o600); err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"-o", "demo.w2v", "--subwords", "fasttext", "--buckets", "20000", "--log-json", "first.jsonl"},
		{"-o", "other.w2v", "--seed", "2", "--log-json", "second.jsonl"},
	} {
		c := exec.Command(program, append([]string{"train", corpus, "--dim", "50", "--epochs", "5", "--progress", "never"}, args...)...)
		c.Dir = folder
		if out, err := c.CombinedOutput(); err != nil {
			return "", fmt.Errorf("training: %w\n%s", err, out)
		}
	}
	pairs := "king\tqueen\t9\ndog\tcat\t8\nking\tbread\t1\nparis\tlondon\t8\nriver\tdog\t1\nman\twoman\t9\n"
	if err := os.WriteFile(filepath.Join(folder, "similarity.tsv"), []byte(pairs), 0o600); err != nil {
		return "", err
	}
	return folder, nil
})

// demoFolder returns the folder with the demo's models and logs.
func demoFolder(t *testing.T) string {
	t.Helper()
	folder, err := demo()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// serve starts w2v serve and returns its address. The server ends with the test.
func serve(t *testing.T, args ...string) (url string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, program, append([]string{"serve", "--listen", "127.0.0.1:0", "--json"}, args...)...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := c.Wait(); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("w2v serve: %v\n%s", err, stderr.String())
		}
	})
	var ready struct{ URL string }
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || json.Unmarshal([]byte(line), &ready) != nil || ready.URL == "" {
		t.Fatalf("w2v serve said %q\n%s", line, stderr.String())
	}
	return ready.URL
}

// A screen is one that the page is looked at on.
type screen struct {
	name          string
	width, height int64
	touch         bool
}

var (
	desktop = screen{"desktop", 1280, 800, false}
	phone   = screen{"phone", 390, 844, true}
)

// A tab is a page in the browser.
type tab struct {
	*testing.T
	ctx    context.Context
	screen screen
	leaves bool // the page at the test's end

	mu               sync.Mutex
	errors, forgiven []string // that the page logged, and parts of those that it may log
}

// newTab starts a browser with one tab. What the page logs as an error fails the test.
func newTab(t *testing.T, s screen) *tab {
	t.Helper()
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(browser), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(int(s.width), int(s.height))}
	for _, flag := range []string{
		"headless", "no-sandbox", "no-first-run", "no-default-browser-check", "hide-scrollbars", "mute-audio",
		"disable-background-networking", "disable-component-update", "disable-sync", "disable-quic", "disable-extensions", "disable-dev-shm-usage",
		"disable-background-timer-throttling", "disable-backgrounding-occluded-windows", "disable-renderer-backgrounding",
		"enable-unsafe-swiftshader", "ignore-gpu-blocklist",
	} {
		options = append(options, chromedp.Flag(flag, true))
	}
	options = append(options, chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("use-gl", "angle"))
	all, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(all)
	b := &tab{T: t, ctx: ctx, screen: s}
	messages := chromedp.Console(ctx)
	var listening sync.WaitGroup
	listening.Go(func() {
		for m, err := range messages {
			if err != nil {
				return // the browser has ended
			}
			b.listen(m)
		}
	})
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // the browser may have ended
		end()
		stop()
		listening.Wait()
		for _, text := range b.errors {
			if !slices.ContainsFunc(b.forgiven, func(part string) bool { return strings.Contains(text, part) }) {
				t.Errorf("the page logged: %s", text)
			}
		}
	})
	viewport := []chromedp.EmulateViewportOption{chromedp.EmulateScale(1)}
	if s.touch {
		viewport = []chromedp.EmulateViewportOption{chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch}
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(s.width, s.height, viewport...)); err != nil { // starts the browser
		t.Fatal(err)
	}
	return b
}

// listen keeps what the page logs as an error.
func (b *tab) listen(m chromedp.ConsoleMessage) {
	switch {
	case m.Type == "error", m.Type == "assert", m.Type == chromedp.ConsoleException, strings.Contains(m.Text, "Content Security Policy"):
		b.mu.Lock()
		defer b.mu.Unlock()
		b.errors = append(b.errors, fmt.Sprintf("%s: %s (%s:%d)", m.Type, m.Text, m.URL, m.Line+1))
	}
}

// forgive lets the page log errors that have a part, from now on.
func (b *tab) forgive(part string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forgiven = append(b.forgiven, part)
}

// do runs actions.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// call calls a command of the browser's protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	r, err := chromedp.Call(ctx, command, params)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// eval evaluates an expression in the page, and decodes its value.
func eval[V any](b *tab, expression string) V {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[V](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%v\n%s", err, expression)
	}
	return value
}

// until waits until an expression is true in the page.
func (b *tab) until(what, expression string) {
	b.Helper()
	for deadline := time.Now().Add(patience); !eval[bool](b, "!!("+expression+")"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.screenshot("failed")
			b.Fatalf("%s: this has not happened in %v: %s\n%s", what, patience, expression, eval[string](b, "document.body.innerText.slice(0, 2000)"))
		}
	}
}

// theme sets the colours that the system prefers.
func (b *tab) theme(name string) {
	b.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// screenshot writes a picture of the page into the folder W2V_SCREENSHOTS, if there is one.
func (b *tab) screenshot(name string) {
	b.Helper()
	folder := os.Getenv("W2V_SCREENSHOTS")
	if folder == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Fatal(err)
	}
	name = strings.ReplaceAll(b.Name(), "/", "-") + "-" + name + ".png"
	if err := os.WriteFile(filepath.Join(folder, name), picture, 0o600); err != nil {
		b.Fatal(err)
	}
}
