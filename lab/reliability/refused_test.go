package reliability

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/w2v-go/w2v/lab/process"
)

// tiny is a text whose runs take no time.
func tiny() []byte {
	var b bytes.Buffer
	for i := range 400 {
		fmt.Fprintf(&b, "the cat %d sat on the mat %d with a dog\n", i%17, i%13)
	}
	return b.Bytes()
}

// checkpoint makes run.ckpt of a run on the tiny text that has not ended.
func checkpoint(p place, flags string) []byte {
	p.t.Helper()
	p.write("corpus.txt", tiny())
	run := p.start("train corpus.txt -o never.w2v --min-count 2 --dim 8 --sample 0 --epochs 1000000 --checkpoint run.ckpt --checkpoint-every 20ms " + flags)
	run.Until(process.Appeared(p.path("run.ckpt")))
	run.Signal(os.Interrupt)
	if exit := run.Wait(); exit.Code != 130 {
		p.t.Fatalf("exit code %d, signal %v\n%s", exit.Code, exit.Signal, exit.Stderr)
	}
	p.only("run.ckpt")
	return p.read("run.ckpt")
}

func TestChangedCorpusIsRefused(t *testing.T) {
	needsSignals(t)
	p := newPlace(t)
	saved := checkpoint(p, "--threads 1")
	lines := bytes.SplitAfter(tiny(), []byte("\n"))
	swapped := bytes.Join(append([][]byte{lines[1], lines[0]}, lines[2:]...), nil)
	for name, changed := range map[string][]byte{
		"another word":              bytes.Replace(tiny(), []byte("cat"), []byte("dog"), 1),
		"another order, same words": swapped,
		"other sentences":           bytes.Replace(tiny(), []byte("sat on"), []byte("sat\non"), 1),
		"one more line":             append(tiny(), "the cat sat\n"...),
		"cut short":                 tiny()[:len(tiny())/2],
		"no word of it":             []byte("x y z x y z x y z\n"),
	} {
		p.write("corpus.txt", changed)
		t.Log(name)
		p.refused("corpus|vocabulary", resume)
		p.same("run.ckpt", saved)
		p.only("run.ckpt")
	}
}

func TestChangedSettingIsRefused(t *testing.T) {
	needsSignals(t)
	p := newPlace(t)
	saved := checkpoint(p, "--threads 1")
	for _, change := range []string{
		"--dim 9", "--window 3", "--epochs 7", "--negatives 6", "--ns-exponent 0.5", "--sample 0.01", "--lr 0.01", "--seed 2",
		"--subwords fasttext", "--min-count 3", "--max-vocab 5", "--lowercase", "--tokenizer unicode", "--deterministic",
	} {
		t.Log(change)
		p.refused("", resume+" "+change)
		p.same("run.ckpt", saved)
		p.only("run.ckpt")
	}
}

func TestChangedVocabularyIsRefused(t *testing.T) {
	needsSignals(t)
	p := newPlace(t)
	p.write("words.txt", []byte("the 800\ncat 400\nsat 400\nmat 400\n"))
	p.write("corpus.txt", tiny())
	run := p.start("train corpus.txt -o never.w2v --vocab words.txt --min-count 2 --dim 8 --sample 0 --epochs 1000000 --checkpoint run.ckpt --checkpoint-every 20ms")
	run.Until(process.Appeared(p.path("run.ckpt")))
	run.Signal(os.Interrupt)
	run.Wait()
	saved := p.read("run.ckpt")
	p.write("words.txt", []byte("the 800\ncat 400\nsat 400\ndog 400\n"))
	p.refused("vocab", resume+" --vocab words.txt")
	p.same("run.ckpt", saved)
	p.only("run.ckpt", "words.txt")
}

func TestDamagedCheckpointIsRefused(t *testing.T) {
	needsSignals(t)
	p, random := newPlace(t), dice(t)
	saved := checkpoint(p, "--threads 2")
	resumes := func(damaged []byte, what string) {
		t.Helper()
		p.write("run.ckpt", damaged)
		p.failed(p.run(resume), "run.ckpt", what)
		p.same("run.ckpt", damaged)
		p.only("run.ckpt")
	}
	n := thorough(10, 16, 400)
	for range n {
		at := random.IntN(len(saved))
		flipped := bytes.Clone(saved)
		flipped[at] ^= 1 << random.IntN(8)
		resumes(flipped, fmt.Sprintf("byte %d flipped", at))
	}
	for i := range n / 2 {
		size := random.IntN(len(saved))
		if i < 8 {
			size = len(saved) - 1 - i
		}
		resumes(saved[:size], fmt.Sprintf("cut to %d bytes", size))
	}
	zeroed := bytes.Clone(saved)
	clear(zeroed[len(zeroed)/2:])
	resumes(zeroed, "second half zeros")
	resumes(append(bytes.Clone(saved), 0), "one byte more")
	resumes(nil, "empty")

	// A model is not a checkpoint.
	p.must("train corpus.txt -o model.w2v --min-count 2 --dim 8 --epochs 1")
	p.refused("run.ckpt|model.w2v|state|checkpoint", "train corpus.txt --resume model.w2v -o other.w2v")
	p.refused("missing.ckpt", "train corpus.txt --resume missing.ckpt -o other.w2v")
	p.only("model.w2v", "run.ckpt")
}
