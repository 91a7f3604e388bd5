//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/lab/product"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

var underTest string // the program under test

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "w2v-serve")
	if err == nil {
		underTest = filepath.Join(folder, product.FileName())
		err = product.Build(context.Background(), underTest)
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	os.RemoveAll(folder)
	os.Exit(code)
}

// started is a server of a small model, and the model's words.
func started(t *testing.T) (*program, []string) {
	t.Helper()
	const words, dim = 2000, 32
	rows := vectors.NewMatrix(words, dim)
	names := make([]string, words)
	for i := range words {
		names[i] = fmt.Sprint("word", i)
		for j := range dim {
			rows.Row(i)[j] = float32((i*31+j*17)%101) - 50
		}
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.w2v")
	if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	p, err := serve(context.Background(), underTest, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.stop(); err != nil {
			t.Errorf("the end of the server: %v", err)
		}
	})
	return p, names
}

// Memory does not grow with the number of requests.
func TestMemoryIsFlat(t *testing.T) {
	p, words := started(t)
	memory, err := flat(t.Context(), p, words, 5000, 8)
	if err != nil {
		t.Errorf("%v: %d", err, memory)
	}
}

// Malformed requests get status 4xx, and leave nothing behind.
func TestMalformedRequests(t *testing.T) {
	p, words := started(t)
	var memory []uint64
	for range 10 {
		if statuses, err := malformed(p, 150); err != nil {
			t.Fatalf("%v: %v", err, statuses)
		}
		now, err := p.memory()
		if err != nil {
			t.Fatal(err)
		}
		memory = append(memory, now)
	}
	if err := growth(memory); err != nil {
		t.Error(err)
	}
	if _, _, err := first(p, "/v1/neighbors?word="+words[0]); err != nil {
		t.Errorf("a request that makes sense: %v", err)
	}
}

// Clients who send and read nothing stop nobody.
func TestSlowClients(t *testing.T) {
	p, words := started(t)
	if _, err := slow(t.Context(), p, words, 300, 50); err != nil {
		t.Error(err)
	}
}

func TestGrowth(t *testing.T) {
	const mb = 1 << 20
	if err := growth([]uint64{10 * mb, 40 * mb, 50 * mb, 45 * mb, 60 * mb, 40 * mb, 50 * mb, 52 * mb, 60 * mb, 51 * mb}); err != nil {
		t.Error(err)
	}
	if err := growth([]uint64{10 * mb, 40 * mb, 50 * mb, 60 * mb, 70 * mb, 80 * mb, 90 * mb, 100 * mb, 110 * mb, 120 * mb}); err == nil {
		t.Error("memory that grows is none")
	}
}
