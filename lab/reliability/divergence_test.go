package reliability

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// corpora are texts that are hard to train on.
func corpora(t testing.TB) map[string][]byte {
	word := regexp.MustCompile(`\S+`)
	some := text(t)[:300_000]
	return map[string][]byte{
		"usual":           some,
		"a letter a word": []byte(strings.Join(strings.Split(strings.ReplaceAll(string(some[:100_000]), " ", ""), ""), " ")),
		"one word":        []byte(strings.Repeat("word ", 20_000)),
		"two words":       []byte(strings.Repeat("a b ", 30_000)),
		"addresses":       word.ReplaceAll(some[:200_000], []byte("https://example.com/item/$0")),
	}
}

func TestDivergenceRecoversOrFailsCleanly(t *testing.T) {
	recovered, failed := 0, 0
	for name, corpus := range corpora(t) {
		for _, lr := range []string{"100", "5", "0.5"} {
			for _, flags := range []string{"--threads 1 -o model.w2v", "--threads 2 -o model.bin", "--threads 2 --subwords fasttext --buckets 1000 -o model.w2v"} {
				if testing.Short() && (lr != "100" || strings.Contains(flags, "bin")) || lr != "100" && name != "usual" {
					continue
				}
				t.Run(fmt.Sprintf("%s, --lr %s %s", name, lr, flags), func(t *testing.T) {
					p := newPlace(t)
					p.write("corpus.txt", corpus)
					exit := p.run("train corpus.txt --dim 20 --epochs 3 --min-count 1 --sample 0 --log-json log.json --checkpoint run.ckpt --checkpoint-every 20ms --lr " + lr + " " + flags)
					output := flags[strings.LastIndex(flags, " ")+1:]
					switch {
					case exit.Code == 0:
						p.open(output)
						if last(p.log("log.json"), "divergence") != nil {
							recovered++
						}
					case p.has(output):
						t.Errorf("exit code %d, and there is %s", exit.Code, output)
						fallthrough
					default:
						failed++
						p.failed(exit, "diverge|--lr", "w2v train")
					}
					if p.has("run.ckpt") {
						p.open("run.ckpt")
					}
				})
			}
		}
	}
	t.Logf("%d runs recovered, %d gave up", recovered, failed)
}
