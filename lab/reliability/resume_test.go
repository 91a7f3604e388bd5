package reliability

import (
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/lab/process"
)

// Flags of runs that take about half a second.
const (
	oneWorker  = "--threads 1 --dim 50 --epochs 8"
	twoWorkers = "--threads 2 --dim 50 --epochs 12"
	saving     = " --checkpoint run.ckpt --checkpoint-every 50ms"
	resume     = "train corpus.txt --resume run.ckpt -o model.w2v"
)

// dice are random numbers that a failure can be repeated with.
func dice(t testing.TB) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// moment is some time before d has passed.
func moment(r *rand.Rand, d time.Duration) time.Duration {
	return time.Duration(r.Float64() * float64(d))
}

func TestKilledAtAnyMomentResumes(t *testing.T) {
	needsSignals(t)
	p, random := newPlace(t), dice(t)
	kills, lost := 0, time.Duration(0)
	for want, tries := thorough(2, 3, 50), 0; kills < want && tries < 4*want; tries++ {
		flags := oneWorker
		if tries%2 == 1 {
			flags = twoWorkers
		}
		whole := uninterrupted(t, flags)
		run := p.start("train corpus.txt -o model.w2v --log-json log.json " + flags + saving)
		run.Until(process.After(moment(random, whole.took*9/10)))
		run.Kill()
		killed := time.Now()
		exit := run.Wait()
		if exit.Code == 0 {
			t.Logf("had ended after %v", exit.Took)
		} else {
			kills++
		}
		check := func() {
			if got := p.open("model.w2v").Training().Uint("trained"); got != whole.tokens {
				t.Errorf("trained %d tokens, want %d", got, whole.tokens)
			}
			if flags == oneWorker {
				p.same("model.w2v", whole.model)
			}
		}
		if p.has("model.w2v") { // then it is the whole one
			check()
			p.remove("model.w2v")
		}
		var saved float64
		if p.has("log.json") {
			if line := last(p.log("log.json"), "checkpoint"); line != nil {
				saved = line.number(t, "tokens")
			}
		}
		if !p.has("run.ckpt") {
			if saved > 0 {
				t.Errorf("the log tells of a checkpoint of %v tokens, and there is none", saved)
			}
			p.must("train corpus.txt -o model.w2v " + flags + saving)
		} else {
			if kept := p.open("run.ckpt").Training().Uint("trained"); float64(kept) < saved {
				t.Errorf("a checkpoint of %d tokens, but the log tells of one of %v", kept, saved)
			}
			info, err := os.Stat(p.path("run.ckpt"))
			if err != nil {
				t.Fatal(err)
			}
			if exit.Code != 0 {
				lost = max(lost, killed.Sub(info.ModTime()))
			}
			p.must(resume)
		}
		check()
		p.sweep()
		p.remove("model.w2v", "run.ckpt", "log.json")
		p.only()
	}
	t.Logf("%d kills survived; checkpoints were at most %v old", kills, lost)
}

// cut trains with flags, interrupts the run at random moments and resumes it, again and
// again, until that has happened so many times, and then lets it end. Each part of the run
// trains for at most leg, and for less after a run that has ended before it was interrupted.
// Of the flags only those of again are given again.
func cut(p place, random *rand.Rand, flags, again string, cuts int, leg time.Duration) {
	p.t.Helper()
	first := "train corpus.txt -o model.w2v " + flags + saving
	line, before, ended := first, uint64(0), 0
	for cuts > 0 {
		if ended == 30 {
			p.t.Fatalf("%d runs have ended before they could be interrupted", ended)
		}
		run := p.start(line + " --log-json log.json")
		run.Until(run.Said("training takes "))
		run.Until(process.After(moment(random, leg)))
		run.Signal(os.Interrupt)
		exit := run.Wait()
		done := exit.Code == 0
		if exit.Signal == syscall.SIGINT { // before it listened to signals, or when it was done
			if done = p.has("model.w2v"); !done {
				ended++
				continue
			}
		}
		switch {
		case exit.Code == 130:
			if p.has("model.w2v") {
				p.t.Fatal("an interrupted run has left a model")
			}
			trained := p.open("run.ckpt").Training().Uint("trained")
			if trained < before && !strings.Contains(exit.Stderr, "training diverged") {
				p.t.Fatalf("checkpoint of %d tokens after one of %d", trained, before)
			}
			line, before = resume+" "+again, trained
			cuts--
		case done: // once more
			p.remove("model.w2v", "run.ckpt")
			line, before, leg = first, 0, leg/2
			ended++
		default:
			p.t.Fatalf("exit code %d, signal %v\n%s", exit.Code, exit.Signal, exit.Stderr)
		}
	}
	if line == first {
		p.t.Fatal("never cut")
	}
	p.must(line + " --log-json log.json")
}

func TestResumeIsByteIdenticalWithOneWorker(t *testing.T) {
	needsSignals(t)
	random := dice(t)
	for _, tt := range []struct {
		flags string
		cuts  int
	}{
		{oneWorker, thorough(2, 3, 10)},
		{oneWorker + " --subwords fasttext --buckets 5000 --epochs 2", thorough(0, 1, 10)},
		{oneWorker + " --validate 0.1", thorough(0, 1, 10)},
		{oneWorker + " --lr 0.3", thorough(0, 1, 10)}, // diverges
		{oneWorker + " --lr 0.2 --sample 0 --window 9 --negatives 10 --epochs 3", thorough(0, 1, 10)},
	} {
		if tt.cuts == 0 {
			continue
		}
		t.Run(tt.flags, func(t *testing.T) {
			whole := uninterrupted(t, tt.flags)
			p := newPlace(t)
			cut(p, random, tt.flags, "", tt.cuts, whole.took/8)
			p.same("model.w2v", whole.model)
		})
	}
}

func TestSeveralWorkersTrainExactTokens(t *testing.T) {
	needsSignals(t)
	random := dice(t)
	for _, flags := range []string{twoWorkers, "--threads 5 --dim 50 --epochs 8 --sample 0"}[:thorough(1, 2, 2)] {
		whole := uninterrupted(t, flags)
		p := newPlace(t)
		cut(p, random, flags, "", thorough(1, 2, 10), whole.took/6)
		done := last(p.log("log.json"), "progress")
		for name, got := range map[string]float64{
			"tokens of the log": done.number(t, "tokens"),
			"total of the log":  done.number(t, "total"),
			"of the model":      float64(p.open("model.w2v").Training().Uint("trained")),
		} {
			if got != float64(whole.tokens) {
				t.Errorf("%s: %v, want %d", name, got, whole.tokens)
			}
		}
	}
}

// What a run was evaluated on and started from are files, and checkpoints name none.
func TestEvaluatedRunsAreResumed(t *testing.T) {
	needsSignals(t)
	p, random := newPlace(t), dice(t)
	p.write("pairs.tsv", []byte(demo.Similarities()))
	p.write("held.txt", text(t)[:50_000])
	for _, tt := range []struct{ flags, again string }{
		{"--validate held.txt --eval-every 200k", "--validate held.txt"},
		{"--eval pairs.tsv --eval-every 200k", "--eval pairs.tsv"},
		{"--validate held.txt --eval pairs.tsv --early-stop 2 --eval-every 100k --epochs 100 --lr 0.3", "--eval pairs.tsv --validate held.txt"},
		{"--validate 0.1 --early-stop 3 --eval-every 150k --epochs 100 --deterministic --threads 3", ""},
	}[thorough(3, 0, 0):] {
		flags := oneWorker + " " + tt.flags
		t.Log(flags)
		whole := p.must("train corpus.txt -o whole.w2v " + flags)
		cut(p, random, flags, tt.again, thorough(1, 1, 10), whole.Took/5)
		p.same("model.w2v", p.read("whole.w2v"))
		p.remove("model.w2v", "run.ckpt")
	}
}

func TestWarmStartsAreResumed(t *testing.T) {
	needsSignals(t)
	p, random := newPlace(t), dice(t)
	p.write("old.txt", text(t)[len(text(t))/2:])
	p.must("train old.txt -o words.w2v --dim 50 --epochs 2")
	p.must("train old.txt -o ngrams.w2v --dim 50 --epochs 1 --subwords fasttext --buckets 5000")
	for _, flags := range []string{
		oneWorker + " --init words.w2v --freeze known",
		oneWorker + " --init words.w2v --update-vocab",
		oneWorker + " --epochs 2 --init ngrams.w2v",
		oneWorker + " --epochs 2 --init ngrams.w2v --update-vocab --freeze known",
		oneWorker + " --epochs 2 --init ngrams.w2v --update-vocab --deterministic --threads 2",
	}[thorough(3, 0, 0):] {
		whole := p.must("train corpus.txt -o whole.w2v " + flags)
		cut(p, random, flags, "", thorough(1, 1, 10), whole.Took/5)
		p.same("model.w2v", p.read("whole.w2v"))
		p.remove("model.w2v", "run.ckpt")
	}
}

func TestResumeOfAFinishedRun(t *testing.T) {
	p := newPlace(t)
	whole := uninterrupted(t, oneWorker)
	p.must("train corpus.txt -o model.w2v " + oneWorker + saving)
	p.same("model.w2v", whole.model)
	p.remove("model.w2v")
	p.must(resume) // has nothing to train, and writes the model
	p.same("model.w2v", whole.model)
	p.only("model.w2v", "run.ckpt")
}

func TestExtendEpochsTrainsOn(t *testing.T) {
	p := newPlace(t)
	p.must("train corpus.txt -o model.w2v " + oneWorker + saving)
	short := p.open("model.w2v")
	p.must("train corpus.txt --resume run.ckpt --extend-epochs 4 -o longer.w2v --log-json log.json")
	long := p.open("longer.w2v")
	if want := short.Training().Uint("trained") / 8 * 12; long.Training().Uint("trained") != want || long.Training().Int("epochs") != 12 {
		t.Errorf("trained %d tokens of %d epochs, want %d of 12", long.Training().Uint("trained"), long.Training().Int("epochs"), want)
	}
	if start := p.log("log.json")[0].number(t, "tokens"); start < float64(short.Training().Uint("trained")) {
		t.Errorf("began at token %v, want %d", start, short.Training().Uint("trained"))
	}
	// What is extended and what is not are refused to be confused.
	p.refused("extend-epochs", "train corpus.txt --extend-epochs 10 -o other.w2v")
	p.only("model.w2v", "longer.w2v", "run.ckpt", "log.json")
}
