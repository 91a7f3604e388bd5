package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// flat sends so many requests of all kinds, and looks at the memory of the program after each
// tenth. It is an error if memory grows after the first tenths, when all that is kept is there.
func flat(ctx context.Context, p *program, words []string, requests, clients int) ([]uint64, error) {
	embed, err := embeddings(p.url+"/v1/embeddings", words, 4)
	if err != nil {
		return nil, err
	}
	vectors := func(i int) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, p.url+"/v1/vectors?word="+url.QueryEscape(words[i%len(words)]), nil)
	}
	similar := func(i int) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, p.url+"/v1/similarity?a="+url.QueryEscape(words[i%len(words)])+"&b="+url.QueryEscape(words[(i+1)%len(words)]), nil)
	}
	kinds := []question{neighbors(p.url+"/v1/neighbors", words), embed, vectors, similar}
	var memory []uint64
	for range 10 {
		r, err := load(ctx, func(i int) (*http.Request, error) { return kinds[i%len(kinds)](i) }, clients, requests/10, time.Hour)
		if err != nil {
			return memory, err
		}
		if r.Failed > 0 {
			return memory, fmt.Errorf("%d of %d requests failed", r.Failed, r.Requests)
		}
		now, err := p.memory()
		if err != nil {
			return memory, err
		}
		memory = append(memory, now)
	}
	return memory, growth(memory)
}

// growth is an error if the last numbers are larger than the first ones by more than what garbage
// makes of a difference.
func growth(memory []uint64) error {
	first, last := max(memory[1], memory[2], memory[3]), min(memory[len(memory)-1], memory[len(memory)-2], memory[len(memory)-3])
	if last > first+first/5+(8<<20) {
		return fmt.Errorf("memory grows: %d MB, %d MB at the end", first>>20, last>>20)
	}
	return nil
}

// malformed sends requests that make no sense, and wants status 4xx for each. It returns how many
// there were of each status.
func malformed(p *program, requests int) (map[int]int, error) {
	client := newClient(8)
	defer client.CloseIdleConnections()
	random := rand.New(rand.NewPCG(17, 4))
	statuses := make(map[int]int)
	for i := range requests {
		status, err := 0, error(nil)
		if i%4 == 0 {
			status, err = garbage(p, random)
		} else {
			status, err = nonsense(client, p, random)
		}
		if err != nil {
			return statuses, fmt.Errorf("request %d: %w", i, err)
		}
		if statuses[status]++; status < 400 || status > 499 {
			return statuses, fmt.Errorf("request %d has status %d", i, status)
		}
	}
	return statuses, nil
}

// garbage sends bytes that are no request of HTTP.
func garbage(p *program, random *rand.Rand) (status int, err error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	lines := []string{
		"GET", "GET /", "\x16\x03\x01\x02\x00\x01", "GET /\x00 HTTP/1.1", "G\xffT / HTTP/1.1",
		"GET / HTTP/1.1\r\nHost: a\r\nHost: b", "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1", "GET / HTTP/1.1\r\nBad Header",
		"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz", "GET /v1/neighbors?word=%zz HTTP/1.1\r\nHost: localhost",
		"GET / HTTP/1.1", "GET http:// HTTP/1.1\r\nHost: evil.example", "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 40_000),
	}
	if _, err := io.WriteString(conn, lines[random.IntN(len(lines))]+"\r\n\r\n"); err != nil {
		return 0, err
	}
	_ = conn.(*net.TCPConn).CloseWrite() // a server that waits for more sees the end
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	head := make([]byte, 12)
	if _, err := io.ReadFull(conn, head); err != nil {
		return 0, err
	}
	_, err = fmt.Sscanf(string(head), "HTTP/1.1 %d", &status)
	return status, err
}

// nonsense sends a request of HTTP that the server has no answer to.
func nonsense(client *http.Client, p *program, random *rand.Rand) (status int, err error) {
	junk := func() string {
		b := make([]byte, random.IntN(60))
		for i := range b {
			b[i] = byte(random.IntN(256))
		}
		return string(b)
	}
	paths := []string{
		"/v1/neighbors?k=10", "/v1/neighbors?word=the&k=" + url.QueryEscape("x"+junk()), "/v1/neighbors?word=" + url.QueryEscape("\x01"+junk()), "/v1/vectors?word=" + url.QueryEscape("\x02"+junk()),
		"/v1/analogy?a=" + url.QueryEscape(junk()), "/v1/similarity?a=the&b=" + url.QueryEscape("\x03"+junk()), "/" + url.PathEscape("x"+junk()), "/v1/models/" + url.PathEscape("x"+junk()),
		"/explorer/" + url.PathEscape("x"+junk()) + "/words", "/v1/neighbors?model=" + url.QueryEscape("x"+junk()) + "&word=the", "/v1/neighbors?word=the&restrict=-" + "1", "/..%2f..%2f" + url.PathEscape("x"+junk()),
	}
	method, path, body := http.MethodGet, paths[random.IntN(len(paths))], ""
	if random.IntN(2) == 0 {
		bodies := []string{"{", "[]", "null", "{" + junk(), junk() + "}", `{"input":{}}`, `{"input":[[]]}`, `{"input":[-1]}`, `{"input":"a","dimensions":-1}`, `{"model":"none","input":"a"}`, strings.Repeat("[", 1+random.IntN(10_000)), `{"input":` + strings.Repeat("1", 400) + "}"}
		method, path, body = http.MethodPost, "/v1/embeddings", bodies[random.IntN(len(bodies))]
	}
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	res, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	if res.StatusCode < 400 || res.StatusCode > 499 {
		err = errors.Join(err, fmt.Errorf("%s %q %.100q: %s", method, path, body, res.Status))
	}
	return res.StatusCode, err
}

// slow opens so many connections that send or read nothing more, and returns how long others wait
// for neighbours meanwhile.
func slow(ctx context.Context, p *program, words []string, connections, requests int) (result, error) {
	begin := []string{
		"", "GET /v1/models HT", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
		"POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
		strings.Repeat("GET /assets/none HTTP/1.1\r\nHost: localhost\r\n\r\n", 20),
	}
	for i := range connections {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			return result{}, fmt.Errorf("slow client %d: %w", i, err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, begin[i%len(begin)]); err != nil {
			return result{}, fmt.Errorf("slow client %d: %w", i, err)
		}
	}
	r, err := load(ctx, neighbors(p.url+"/v1/neighbors", words), 2, requests, time.Minute)
	if err == nil && r.Failed > 0 {
		err = fmt.Errorf("%d of %d requests failed beside slow clients", r.Failed, r.Requests)
	}
	return r, err
}

// first returns how long after its start a program answers a path, and how long after that it
// answers again.
func first(p *program, path string) (start, again time.Duration, err error) {
	get := func() error {
		res, err := http.Get(p.url + path)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return err
		}
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", path, res.Status)
		}
		return nil
	}
	if err := get(); err != nil {
		return 0, 0, err
	}
	start = time.Since(p.started)
	begun := time.Now()
	err = get()
	return start, time.Since(begun), err
}
