package reliability

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/lab/process"
)

// TestSoak trains with settings that are drawn, kills and interrupts the run at random
// moments, resumes it until it is done, and compares with a run to which nothing
// happened, until the time is up.
func TestSoak(t *testing.T) {
	needsSignals(t)
	if *soak == 0 {
		t.Skip("only with -soak: make soak")
	}
	random := dice(t)
	var sum struct {
		rounds, kills, interrupts int
		worst                     float64 // difference of qualities
	}
	for end := time.Now().Add(*soak); time.Now().Before(end) && !t.Failed(); sum.rounds++ {
		s := draw(random)
		t.Run(fmt.Sprint(sum.rounds), func(t *testing.T) {
			r := round(t, random, s)
			sum.kills += r.kills
			sum.interrupts += r.interrupts
			sum.worst = max(sum.worst, r.differs)
			fmt.Printf("round %d: %d kills, %d interrupts, checkpoints at most %v old, %s: %s\n",
				sum.rounds+1, r.kills, r.interrupts, r.lost.Round(time.Millisecond), r.outcome, s.flags)
		})
	}
	fmt.Printf("soaked for %v: %d rounds, %d kills, %d interrupts; qualities of Hogwild runs differ by at most %.3f\n",
		*soak, sum.rounds, sum.kills, sum.interrupts, sum.worst)
}

// A setting is what a round trains with.
type setting struct {
	flags string
	exact bool // the result is to be the same to the bit
}

func draw(r *rand.Rand) setting {
	pick := func(choices ...string) string { return " " + choices[r.IntN(len(choices))] }
	flags := fmt.Sprintf("--dim %d --seed %d", 10+r.IntN(90), r.IntN(1000)) +
		pick("--window 5", "--window 2", "--window 9") + pick("", "", "--sample 0") + pick("--negatives 5", "--negatives 9") +
		pick("", "", "--validate 0.05", "--validate 0.2")
	if r.IntN(3) == 0 {
		flags += pick("--subwords fasttext --buckets 3000", "--subwords fasttext --buckets 50000 --minn 4 --maxn 5") + " --epochs 3"
	} else {
		flags += pick("--epochs 8", "--epochs 15")
	}
	if r.IntN(4) == 0 {
		return setting{flags + " --threads 2", false}
	}
	flags += pick("", "", "--lr 0.3") // which diverges here and there
	switch r.IntN(3) {
	case 0:
		return setting{flags + " --deterministic" + pick("--threads 2", "--threads 4"), true}
	case 1:
		return setting{flags + " --threads 1 --validate 0.1 --early-stop 2 --eval-every 300k", true}
	}
	return setting{flags + " --threads 1", true}
}

// An outcome is what happened in a round.
type outcome struct {
	kills, interrupts int
	lost              time.Duration // the greatest age of a checkpoint at a kill
	differs           float64
	outcome           string
}

func round(t *testing.T, random *rand.Rand, s setting) (o outcome) {
	p := newPlace(t)
	whole := p.must("train corpus.txt -o whole.w2v " + s.flags)
	every := []string{"1ms", "30ms", "100ms"}[random.IntN(3)]
	first := "train corpus.txt -o model.w2v --checkpoint run.ckpt --checkpoint-every " + every + " " + s.flags
	for line := first; ; {
		began := time.Now()
		run := p.start(line)
		run.Until(process.After(moment(random, whole.Took*2/3)))
		kill := random.IntN(3) > 0
		if kill {
			run.Kill()
		} else {
			run.Signal([]os.Signal{syscall.SIGINT, syscall.SIGTERM}[random.IntN(2)])
		}
		at := time.Now()
		exit := run.Wait()
		if exit.Code == 0 {
			break
		}
		switch {
		case exit.Code == 130:
			o.interrupts++
		case exit.Signal != 0: // the other signals before it listened to them, too
			o.kills++
		default:
			t.Fatalf("%s: exit code %d\n%s", line, exit.Code, exit.Stderr)
		}
		if p.has("model.w2v") {
			p.open("model.w2v")
		}
		line = first
		if info, err := os.Stat(p.path("run.ckpt")); err == nil {
			p.open("run.ckpt")
			line = resume
			if kill && info.ModTime().After(began) { // it had got as far as a checkpoint
				o.lost = max(o.lost, at.Sub(info.ModTime()))
			}
		}
		p.sweep()
	}
	want, got := p.open("whole.w2v"), p.open("model.w2v")
	if want.Training().Uint("trained") != got.Training().Uint("trained") && s.exact {
		t.Errorf("trained %d tokens, want %d", got.Training().Uint("trained"), want.Training().Uint("trained"))
	}
	p.only("model.w2v", "run.ckpt", "whole.w2v")
	if s.exact {
		p.same("model.w2v", p.read("whole.w2v"))
		o.outcome = "the same bits"
		return o
	}
	a, b := qualityOf(t, want), qualityOf(t, got)
	o.differs = max(math.Abs(a.similarity-b.similarity), math.Abs(a.analogy-b.analogy))
	o.outcome = fmt.Sprintf("qualities differ by %.3f", o.differs)
	if o.differs > 2*noise { // of single runs, some on few dimensions
		t.Errorf("uninterrupted %.4f, resumed %.4f", a, b)
	}
	return o
}
