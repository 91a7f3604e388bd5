package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A question makes request number i.
type question func(i int) (*http.Request, error)

// neighbors asks for the neighbours of one word a request.
func neighbors(base string, words []string) question {
	return func(i int) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, base+"?k=10&word="+url.QueryEscape(words[i%len(words)]), nil)
	}
}

// textWords is how many words a text has.
const textWords = 20

// embeddings asks for the embeddings of so many texts a request.
func embeddings(base string, words []string, texts int) (question, error) {
	random := rand.New(rand.NewPCG(1, 2))
	bodies := make([][]byte, 500) // made before, so that the clients take little time
	for i := range bodies {
		input := make([]string, texts)
		for t := range input {
			text := make([]string, textWords)
			for w := range text {
				text[w] = words[random.IntN(len(words))]
			}
			input[t] = strings.Join(text, " ")
		}
		var err error
		if bodies[i], err = json.Marshal(map[string]any{"input": input}); err != nil {
			return nil, err
		}
	}
	return func(i int) (*http.Request, error) {
		r, err := http.NewRequest(http.MethodPost, base, bytes.NewReader(bodies[i%len(bodies)]))
		if err == nil {
			r.Header.Set("Content-Type", "application/json")
		}
		return r, err
	}, nil
}

// A result is what a server did under load.
type result struct {
	Requests int           `json:"requests"`
	Second   float64       `json:"requests_per_second"`
	P50      time.Duration `json:"p50"`
	P99      time.Duration `json:"p99"`
	Failed   int           `json:"failed"` // those with another status than 200
	Busy     time.Duration `json:"busy"`   // processor time of the server for each; 0 if it was not measured
}

func (r result) String() string {
	text := fmt.Sprintf("%8.1f requests/s, p50 %7.1f ms, p99 %7.1f ms, %d requests, %d failed", r.Second, ms(r.P50), ms(r.P99), r.Requests, r.Failed)
	if r.Busy > 0 {
		text += fmt.Sprintf(", %.2f ms of processor time each", ms(r.Busy))
	}
	return text
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// load asks a question again and again, by so many clients that each wait for their answer, for
// some time or until there were so many requests, whichever comes first.
func load(ctx context.Context, ask question, clients, requests int, d time.Duration) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	client := newClient(clients)
	defer client.CloseIdleConnections()
	var next, failed atomic.Int64
	took := make([][]time.Duration, clients)
	errs := make([]error, clients)
	var all sync.WaitGroup
	start := time.Now()
	for c := range clients {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= requests {
					return
				}
				r, err := ask(i)
				if err != nil {
					errs[c] = err
					return
				}
				begun := time.Now()
				res, err := client.Do(r.WithContext(context.WithoutCancel(ctx)))
				if err == nil {
					_, err = io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				if err != nil {
					errs[c] = err
					return
				}
				if res.StatusCode != http.StatusOK {
					failed.Add(1)
				}
				took[c] = append(took[c], time.Since(begun))
			}
		})
	}
	all.Wait()
	elapsed := time.Since(start)
	each := slices.Concat(took...)
	for _, err := range errs {
		if err != nil {
			return result{}, err
		}
	}
	if len(each) == 0 {
		return result{}, fmt.Errorf("no request has its answer after %v", d)
	}
	slices.Sort(each)
	return result{
		Requests: len(each), Failed: int(failed.Load()), Second: float64(len(each)) / elapsed.Seconds(),
		P50: each[len(each)/2], P99: each[len(each)*99/100],
	}, nil
}

func newClient(connections int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections, DisableCompression: true}, Timeout: time.Minute}
}
