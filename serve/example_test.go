package serve_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/w2v-go/w2v/serve"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A server of one model, asked for the neighbours of a word.
func Example() {
	folder, err := os.MkdirTemp("", "serve")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	set, err := vectors.New(vectors.Parts{
		Words: vectors.NewWords("sun", "moon", "stone"),
		Input: vectors.Matrix{Data: []float32{1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1}, Rows: 3, Cols: 4, Stride: 4},
	})
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(folder, "sky.w2v")
	if err := format.Write(context.Background(), path, set, format.W2V); err != nil {
		log.Fatal(err)
	}

	server, err := serve.New(serve.Config{Models: []serve.ModelSpec{{Name: "sky", Path: path}}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	response := httptest.NewRecorder() // in place of a network
	server.Handler().ServeHTTP(response, httptest.NewRequest("GET", "/v1/similarity?a=sun&b=moon", nil))
	text, err := io.ReadAll(response.Result().Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d %s", response.Code, text)
	// Output: 200 {"model":"sky","a":"sun","b":"moon","found_as":["sun","moon"],"similarity":0.5}
}
