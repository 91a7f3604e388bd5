package interop

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/counting"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// fastText loads what comes of each variant as one of its own models, with n-grams where it
// has the same, and else with the words alone.
func TestFastTextReadsVariants(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	for name, flags := range map[string][]string{
		"cbow":       {"--arch", "cbow", "--subwords", "fasttext", "--buckets", "20000"},
		"tree":       {"--arch", "cbow", "--loss", "hs", "--subwords", "fasttext", "--buckets", "20000"},
		"rank":       {"--rank", "8", "--subwords", "fasttext", "--buckets", "20000"},
		"structured": {"--arch", "structured", "--window", "2", "--subwords", "fasttext", "--buckets", "20000"},
		"directions": {"--loss", "directional", "--subwords", "fasttext", "--buckets", "20000"},
	} {
		t.Run(name, func(t *testing.T) {
			model := filepath.Join(dir, name+".bin")
			output(t, "", w2v, append([]string{"train", text, "-o", model, "--dim", "20", "--epochs", "2"}, flags...)...)
			sameAsFastText(t, model)
		})
	}
	known := []string{"the", "dog", "日本語", "naïve"}
	asked := strings.Join(known, "\n") + "\n"
	for name, flags := range map[string][]string{
		"hash":   {"--subwords", "hash", "--buckets", "5000"},
		"floret": {"--subwords", "floret", "--buckets", "5000"},
		"tied":   {"--tied"},
		"runs":   {"--arch", "cbow", "--word-ngrams", "2", "--position-weights"},
	} {
		t.Run(name, func(t *testing.T) {
			native, model := filepath.Join(dir, name+".w2v"), filepath.Join(dir, name+".bin")
			output(t, "", w2v, append([]string{"train", text, "-o", native, "--dim", "20", "--epochs", "2"}, flags...)...)
			output(t, "", w2v, "convert", native, model, "--to", "fasttext")
			sameRows(t, known,
				rows(t, output(t, asked, w2v, "vector", native)),
				rows(t, output(t, asked, "fasttext", "print-word-vectors", model)))
		})
	}
}

// The nodes of a tree that fastText trained are those of our tree, sides and all: by them
// the words beside each other in the text are far more probable than by chance.
func TestFastTextsTreeIsOurs(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	text := corpus(t, dir)
	model := filepath.Join(dir, "tree")
	output(t, "", "fasttext", "skipgram", "-loss", "hs", "-input", text, "-output", model, "-dim", "20", "-ws", "1", "-minn", "0", "-maxn", "0", "-epoch", "5", "-thread", "12", "-t", "1")
	s, err := format.Open(model + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tree := counting.Huffman(s.Counts())
	var pairs, steps int
	var loss, other float64 // of our sides, and of those the other way round
	add := func(centre, context int) {
		pairs++
		yes, no := tree.Sides(uint32(context))
		steps += len(yes) + len(no)
		for _, side := range []struct {
			nodes []uint32
			sign  float64
		}{{yes, 1}, {no, -1}} {
			for _, node := range side.nodes {
				var score float64
				for k, x := range s.Matrix(vectors.MatrixNodes).Row(int(node)) {
					score += float64(x) * float64(s.Input().Row(centre)[k])
				}
				loss += math.Log1p(math.Exp(-side.sign * score))
				other += math.Log1p(math.Exp(side.sign * score))
			}
		}
	}
	file, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(file)); lines.Scan(); {
		tokens := strings.Fields(lines.Text())
		for i := 1; i < len(tokens); i++ {
			a, ok := s.ID(tokens[i-1])
			b, also := s.ID(tokens[i])
			if ok && also {
				add(a, b)
			}
		}
	}
	chance := float64(steps) * math.Ln2
	t.Logf("%d pairs: a loss of %.2f each, by chance %.2f, the other way round %.2f",
		pairs, loss/float64(pairs), chance/float64(pairs), other/float64(pairs))
	if !(loss < 0.8*chance && other > chance) {
		t.Errorf("a loss of %v, by chance %v, the other way round %v", loss, chance, other)
	}
}
