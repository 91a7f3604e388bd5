package gensim

import (
	"strings"
	"testing"
)

// A number that is 0 is not said, so that gensim takes its own default.
func TestArgument(t *testing.T) {
	own := Training{Corpus: "c", Output: "o", Dim: 100, Threads: 1, Seed: 2}.Argument()
	if want := `{"corpus":"c","output":"o","cbow":false,"dim":100,"threads":1,"seed":2,"corpus_file":false,"subwords":false}`; own != want {
		t.Errorf("%s, want %s", own, want)
	}
	all := Training{Window: 5, Negatives: 6, Epochs: 7, MinCount: 8, Sample: 0.1, Rate: 0.2, MinN: 3, MaxN: 4, Buckets: 9}.Argument()
	for _, want := range []string{`"window":5`, `"negatives":6`, `"epochs":7`, `"min_count":8`, `"sample":0.1`, `"rate":0.2`, `"min_n":3`, `"max_n":4`, `"buckets":9`} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not in %s", want, all)
		}
	}
}

func TestVersion(t *testing.T) {
	for answer, want := range map[string]string{
		`{"gensim":"4.2.0","numpy":"1.24","fast":1,"blas":["libblas.so.3","libopenblas.so"]}`: "gensim 4.2.0 with numpy 1.24 and libblas.so.3, libopenblas.so",
		`{"gensim":"4.2.0","numpy":"1.24","fast":0,"blas":[]}`:                                "gensim 4.2.0 with numpy 1.24",
		`{"gensim":"4.2.0","numpy":"1.24","fast":-1,"blas":[]}`:                               "",
		`Traceback`: "",
	} {
		if got, err := Version([]byte(answer)); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", answer, got, err)
		}
	}
}
