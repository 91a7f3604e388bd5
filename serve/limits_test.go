package serve

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// echo registers a handler that answers with the length of a request's body.
func (s *Server) echo() {
	s.handle("POST /echo", func(w http.ResponseWriter, r *http.Request) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, len(body))
	})
}

func TestBodies(t *testing.T) {
	c := oneModel(t)
	c.Limits.Body = 1000
	s := made(t, c)
	s.echo()
	for _, test := range []struct {
		bytes  int
		header []string
		want   string // the answer, or a code
	}{
		{0, nil, "0"},
		{1000, nil, "1000"},
		{1001, nil, "body_too_large"},
		{1 << 20, nil, "body_too_large"},
		{10, []string{"Content-Encoding", "gzip"}, "encoded_body"},
		{10, []string{"Content-Encoding", "identity"}, "10"},
	} {
		res := s.ask(t, asked{method: "POST", path: "/echo", body: strings.Repeat("x", test.bytes), header: test.header})
		if got := bodyOf(t, res); !strings.Contains(got, test.want) {
			t.Errorf("%d bytes, %q: %s, want %s", test.bytes, test.header, got, test.want)
		}
		if held := s.bodies.Load(); held != 0 {
			t.Errorf("%d bytes are still held", held)
		}
	}
}

// All bodies together take no more than their limit, so that many clients who send slowly do not fill the
// memory.
func TestAllBodies(t *testing.T) {
	c := oneModel(t)
	c.Limits.Bodies = 1000
	s := made(t, c)
	s.echo()
	s.bodies.Add(500) // of others
	for bytes, want := range map[int]string{500: "500", 501: "overloaded"} {
		res := s.ask(t, asked{method: "POST", path: "/echo", body: strings.Repeat("x", bytes)})
		if got := bodyOf(t, res); !strings.Contains(got, want) {
			t.Errorf("%d bytes: %s, want %s", bytes, got, want)
		}
	}
	if held := s.bodies.Load(); held != 500 {
		t.Errorf("%d bytes are held", held)
	}
}

func TestURLs(t *testing.T) {
	c := oneModel(t)
	c.Limits.URL = 100
	s := made(t, c)
	for length, want := range map[int]int{100: 200, 101: 414, 100_000: 414} {
		path := "/healthz?" + strings.Repeat("x", length-len("/healthz?"))
		if res := s.ask(t, asked{path: path}); res.StatusCode != want {
			t.Errorf("%d bytes: %s, want %d", length, res.Status, want)
		}
	}
}

// One request more than are computed at a time is refused with a hint when to come again. The place
// is free as soon as a response begins, however slowly the client takes it.
func TestConcurrent(t *testing.T) {
	c := oneModel(t)
	c.Limits.Concurrent = 2
	s := made(t, c)
	begun, write, end := make(chan bool), make(chan bool), make(chan bool)
	s.handle("GET /wait", func(w http.ResponseWriter, _ *http.Request) error {
		begun <- true
		<-write
		w.Header().Set("Content-Type", "application/octet-stream")
		if _, err := w.Write(make([]byte, 10_000)); err != nil {
			return err
		}
		begun <- true
		<-end
		return nil
	})
	var waiting sync.WaitGroup
	for range 2 {
		waiting.Go(func() { s.ask(t, asked{path: "/wait"}) })
		<-begun
	}
	res := s.ask(t, asked{path: "/v1/models"})
	if codeOf(t, res) != "overloaded" || res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("%s %v", res.Status, res.Header)
	}
	write <- true
	<-begun
	if res := s.ask(t, asked{path: "/v1/models"}); res.StatusCode != http.StatusOK {
		t.Errorf("while a response is written: %s", res.Status)
	}
	write <- true
	<-begun
	close(end)
	waiting.Wait()
	if len(s.computing) != 0 {
		t.Errorf("%d places are still taken", len(s.computing))
	}
}

// Streams have places of their own, send at once what they write, and end with the server.
func TestStreams(t *testing.T) {
	c := oneModel(t)
	c.Limits.Streams, c.Timeouts.Write = 1, 50*time.Millisecond
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s.stream("GET /events", func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 0; ; i++ {
			fmt.Fprintf(w, "data: %d\n\n", i)
			if err := http.NewResponseController(w).Flush(); err != nil {
				return nil
			}
			select {
			case <-r.Context().Done():
				return nil
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	st := listen(t, s, "http://")
	req, err := http.NewRequest(http.MethodGet, st.url+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "gzip, zstd")
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for i := range 10 { // longer than a response may take
		if !lines.Scan() || lines.Text() != fmt.Sprintf("data: %d", i) || !lines.Scan() {
			t.Fatalf("event %d: %q, %v", i, lines.Text(), lines.Err())
		}
	}
	if encoding := res.Header.Get("Content-Encoding"); encoding != "" {
		t.Errorf("the stream is encoded by %s", encoding)
	}
	other, err := http.Get(st.url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	if code := codeOf(t, other); code != "overloaded" {
		t.Errorf("a second stream: %s", other.Status)
	}
	st.stop()
	for lines.Scan() { // until the server ends it
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
	if err := <-st.end; err != nil {
		t.Error(err)
	}
}

// What is worth it is compressed as the client likes it.
func TestCompression(t *testing.T) {
	s := made(t, oneModel(t))
	large := strings.Repeat("words ", 1000)
	s.handle("GET /large", func(w http.ResponseWriter, _ *http.Request) error { return writeJSON(w, 200, large) })
	for _, test := range []struct{ path, accept, want string }{
		{"/large", "", ""},
		{"/large", "gzip", "gzip"},
		{"/large", "gzip, deflate, br, zstd", "zstd"},
		{"/large", "br", ""},
		{"/large", "gzip;q=0", ""},
		{"/healthz", "gzip, zstd", ""}, // it is tiny
	} {
		res := s.ask(t, asked{path: test.path, header: []string{"Accept-Encoding", test.accept}})
		if got := res.Header.Get("Content-Encoding"); got != test.want {
			t.Errorf("%s as %q: %q, want %q", test.path, test.accept, got, test.want)
		}
		var in io.Reader = res.Body
		var err error
		switch test.want {
		case "gzip":
			in, err = gzip.NewReader(in)
		case "zstd":
			in, err = zstd.NewReader(in)
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(in); test.path == "/large" && (err != nil || string(text) != `"`+large+"\"\n") {
			t.Errorf("%s as %q: %d bytes, %v", test.path, test.accept, len(text), err)
		}
		if !strings.Contains(res.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s as %q: Vary is %q", test.path, test.accept, res.Header.Get("Vary"))
		}
	}
}

// Pages are not sent again to those who have them. Files whose name tells their content are never
// asked for again.
func TestCaching(t *testing.T) {
	s := made(t, oneModel(t))
	res := s.ask(t, asked{path: "/"})
	tag := res.Header.Get("ETag")
	if tag == "" || res.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("the page: %v", res.Header)
	}
	for _, encoding := range []string{"", "gzip", "zstd"} {
		res := s.ask(t, asked{path: "/", header: []string{"If-None-Match", tag, "Accept-Encoding", encoding}})
		if text := bodyOf(t, res); res.StatusCode != http.StatusNotModified || text != "" {
			t.Errorf("the page again: %s, %d bytes", res.Status, len(text))
		}
	}
	if res := s.ask(t, asked{path: "/", header: []string{"If-None-Match", `W/"other"`}}); res.StatusCode != http.StatusOK {
		t.Errorf("another page: %s", res.Status)
	}
	_, after, found := strings.Cut(bodyOf(t, s.ask(t, asked{path: "/"})), "assets/")
	name, _, _ := strings.Cut(after, `"`)
	if !found {
		t.Fatal("the page has no assets")
	}
	if res := s.ask(t, asked{path: "/assets/" + name}); res.StatusCode != http.StatusOK || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%s: %s, %v", name, res.Status, res.Header)
	}
	if res := s.ask(t, asked{path: "/v1/models"}); res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("an answer: %v", res.Header)
	}
}

// A panic is an answer with status 500 and a line in the log.
func TestPanics(t *testing.T) {
	var log bytes.Buffer
	c := oneModel(t)
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	s := made(t, c)
	s.handle("GET /panic", func(http.ResponseWriter, *http.Request) error { panic("a secret reason") })
	s.handle("GET /error", func(http.ResponseWriter, *http.Request) error { return errors.New("a secret reason") })
	s.handle("GET /late", func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = w.Write(make([]byte, 1<<20))
		panic("a secret reason")
	})
	for _, path := range []string{"/panic", "/error"} {
		log.Reset()
		res := s.ask(t, asked{path: path})
		if text := bodyOf(t, res); res.StatusCode != http.StatusInternalServerError || !strings.Contains(text, "internal_error") || strings.Contains(text, "secret") {
			t.Errorf("%s: %s %s", path, res.Status, text)
		}
		if !strings.Contains(log.String(), "a secret reason") || !strings.Contains(log.String(), path) {
			t.Errorf("%s: the log has %q", path, log.String())
		}
	}
	st := listen(t, s, "http://")
	res, err := http.Get(st.url + "/late")
	if err == nil {
		_, err = io.ReadAll(res.Body)
	}
	if err == nil {
		t.Error("half of a response looks like a whole one")
	}
	if res, err := http.Get(st.url + "/healthz"); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("after a panic: %v", err)
	} else {
		bodyOf(t, res)
	}
}

// Clients who send or read slowly take no one else's time, and lose their connection.
func TestSlowClients(t *testing.T) {
	c := oneModel(t)
	c.Limits.Concurrent = 2
	c.Timeouts = Timeouts{ReadHeader: 2 * time.Second, Read: 2 * time.Second, Write: 2 * time.Second, Idle: 2 * time.Second}
	s := made(t, c)
	s.echo()
	large := make([]byte, 64<<20) // more than the system takes for a client
	s.handle("GET /large", func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = w.Write(large) // the client may be gone
		return nil
	})
	st := listen(t, s, "http://")
	const each = 40
	var slow []net.Conn
	for _, begin := range []string{"", "GET /healthz HT", "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc", "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"} {
		for range each {
			conn, err := net.Dial("tcp", strings.TrimPrefix(st.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if err := conn.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, begin); err != nil {
				t.Fatal(err)
			}
			slow = append(slow, conn)
		}
	}
	for range 20 {
		res, err := http.Get(st.url + "/v1/models")
		if err != nil {
			t.Fatal(err)
		}
		// Those who only begin to read are few at a time, and quick.
		if bodyOf(t, res); res.StatusCode != http.StatusOK && res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("beside slow clients: %s", res.Status)
		}
	}
	for i, conn := range slow[:3*each] {
		_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		if _, err := io.Copy(io.Discard, conn); err != nil && !errors.Is(err, net.ErrClosed) && !isReset(err) {
			t.Fatalf("slow client %d: %v", i, err)
		}
	}
	for range 1000 { // those who do not read
		if s.metrics.inFlight.Load() == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%v requests are still being answered", s.metrics.inFlight.Load())
}

func isReset(err error) bool { return strings.Contains(err.Error(), "reset") }

// There are no more connections than the limit says; others wait until one ends.
func TestConnections(t *testing.T) {
	c := oneModel(t)
	c.Limits.Connections = 2
	s := start(t, c)
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	ask := func(conn net.Conn, patience time.Duration) error {
		_ = conn.SetDeadline(time.Now().Add(patience))
		if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			return err
		}
		_, err := bufio.NewReader(conn).ReadString('\n')
		return err
	}
	first, second := dial(), dial()
	if err := errors.Join(ask(first, time.Minute), ask(second, time.Minute)); err != nil {
		t.Fatal(err)
	}
	third := dial()
	if err := ask(third, 100*time.Millisecond); err == nil {
		t.Error("a third connection has its answer")
	}
	first.Close()
	_ = third.SetDeadline(time.Now().Add(time.Minute))
	if _, err := bufio.NewReader(third).ReadString('\n'); err != nil {
		t.Errorf("the third connection, after the first has ended: %v", err)
	}
}

// A failedListener has a connection for every second call.
type failedListener struct {
	net.Listener
	calls int
}

func (l *failedListener) Accept() (net.Conn, error) {
	if l.calls++; l.calls%2 == 1 {
		return nil, errors.New("too many open files")
	}
	conn, _ := net.Pipe()
	return conn, nil
}

func (l *failedListener) Close() error { return nil }

// Each connection has one place until it is closed, and one that could not be accepted has none.
func TestPlacesOfConnections(t *testing.T) {
	l := &limitedListener{Listener: &failedListener{}, places: make(chan struct{}, 1), closed: make(chan struct{})}
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			conn, err := l.Accept()
			switch {
			case errors.Is(err, net.ErrClosed):
				return
			case err == nil:
				accepted <- conn
			}
		}
	}()
	for range 3 {
		select {
		case conn := <-accepted:
			if places := l.places; len(places) != 1 {
				t.Errorf("%d places are taken by a connection", len(places))
			}
			_, _ = conn.Close(), conn.Close()
		case <-time.After(10 * time.Second):
			t.Fatal("no place is left")
		}
	}
	conn := <-accepted
	l.Close()
	l.Close()
	if _, more := <-accepted; more {
		t.Error("a connection is accepted without a place")
	}
	conn.Close()
}

// No goroutine is left when the server has ended.
func TestNothingIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		s := start(t, oneModel(t))
		res, err := http.Get(s.url + "/v1/models")
		if err != nil {
			t.Fatal(err)
		}
		bodyOf(t, res)
		s.stop()
		<-s.end
	}
	http.DefaultClient.CloseIdleConnections()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines, before there were %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}
