//go:build unix

package reliability

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/lab/process"
	"github.com/w2v-go/w2v/sgns"
)

// Signals that come within milliseconds are one wish.
func TestTwoSignalsAtOnceAreOne(t *testing.T) {
	const checkpoints = " --checkpoint run.ckpt --checkpoint-every 1h"
	for _, tt := range []struct {
		first, second syscall.Signal
		flags, saved  string
	}{
		{syscall.SIGTERM, syscall.SIGTERM, "", "model.w2v"},
		{syscall.SIGINT, syscall.SIGTERM, "", "model.w2v"},
		{syscall.SIGTERM, syscall.SIGTERM, checkpoints, "run.ckpt"},
		{syscall.SIGTERM, syscall.SIGHUP, checkpoints, "run.ckpt"},
	} {
		p := newPlace(t)
		run := p.start(endless + " --dim 300" + tt.flags) // which takes some time to save
		begun(p, run)
		run.Signal(tt.first)
		for _, pause := range []time.Duration{0, 1, 2, 5} {
			run.Until(process.After(pause * time.Millisecond))
			run.Signal(tt.second)
		}
		said := interrupted(t, run)
		if p.open(tt.saved).Training().Uint("trained") == 0 || strings.Contains(said, "interrupted again") {
			t.Errorf("%v, %v%s: nothing is saved:\n%s", tt.first, tt.second, tt.flags, said)
		}
		p.only(tt.saved)
	}
}

// timeout(1) of GNU signals a program, and then its group with the program in it, at once.
// A run that it ends at any moment has saved what it has trained, and left nothing else.
func TestTimeoutLosesNothing(t *testing.T) {
	random := dice(t)
	took := uninterrupted(t, oneWorker).took
	timeout, err := exec.LookPath("timeout")
	if err != nil || exec.Command(timeout, "--preserve-status", "1", "true").Run() != nil {
		t.Log("there is no timeout(1) of GNU: its signals are sent by the test alone")
		timeout = ""
	}
	var ended struct{ before, saved, done int }
	runs := thorough(3, 4, 200)
	for i := 0; i < runs || ended.saved == 0 && i < 10*runs; i++ {
		p := newPlace(t)
		args := strings.Fields("train corpus.txt -o model.w2v --log-json log.json " + oneWorker)
		checkpoint := random.IntN(2) == 0
		if checkpoint {
			args = append(args, "--checkpoint", "run.ckpt", "--checkpoint-every", []string{"1us", "50ms", "1h"}[random.IntN(3)])
		}
		earlier := random.IntN(3) == 0
		if earlier {
			p.write("model.w2v", []byte("an earlier model"))
		}
		after := moment(random, took*6/5)
		var run *process.Process
		if timeout != "" && i%2 == 0 {
			c := p.command(append([]string{"--preserve-status", "-s", "TERM", fmt.Sprintf("%.4f", after.Seconds()), program}, args...)...)
			c.Path, c.Args[0] = timeout, "timeout"
			run = process.Start(t, c)
		} else {
			run = process.Start(t, process.Grouped(p.command(args...)))
			run.Until(process.After(after))
			run.Signal(syscall.SIGTERM)
			run.Until(process.After(time.Duration(random.IntN(3)) * time.Millisecond))
			run.SignalGroup(syscall.SIGTERM)
		}
		exit := run.Wait()
		what := fmt.Sprintf("run %d, %v after its start, %q", i, after, args)
		model := "model.w2v"
		if earlier && exit.Code != 0 {
			p.same("model.w2v", []byte("an earlier model"))
			model = "partial-model.w2v"
		}
		left := []string{}
		if earlier {
			left = append(left, "model.w2v")
		}
		if p.has("log.json") {
			left = append(left, "log.json")
		}
		switch said := lines(exit.Stderr); {
		case exit.Code == 0:
			ended.done++
			took = took * 2 / 3 // the machine was busy when that was measured
			p.same("model.w2v", uninterrupted(t, oneWorker).model)
			left = append(left, "model.w2v")
			if checkpoint {
				left = append(left, "run.ckpt")
				p.open("run.ckpt")
			}
		case !strings.Contains(exit.Stderr, "training takes "):
			ended.before++
			took = took * 3 / 2
			if exit.Code != 130 && exit.Code != 128+15 && exit.Signal != syscall.SIGTERM {
				t.Errorf("%s: exit code %d, signal %v\n%s", what, exit.Code, exit.Signal, exit.Stderr)
			}
			p.sweep() // the lock, if it was ended before it listened to signals
		case exit.Code != 130 || said[len(said)-1] != "w2v: interrupted":
			t.Errorf("%s: exit code %d, signal %v\n%s", what, exit.Code, exit.Signal, exit.Stderr)
		case checkpoint:
			ended.saved++
			left = append(left, "run.ckpt")
			if _, err := sgns.NewCheckpoint(p.open("run.ckpt")); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		default:
			final := last(p.log("log.json"), "progress")
			if final == nil || final["final"] != true {
				t.Errorf("%s: the log does not say how much was trained", what)
			} else if final.number(t, "tokens") > 0 {
				ended.saved++
				left = append(left, model)
				if got := p.open(model).Training().Uint("trained"); float64(got) != final.number(t, "tokens") {
					t.Errorf("%s: a model of %d tokens, trained were %v", what, got, final["tokens"])
				}
			} else {
				ended.before++
			}
		}
		p.only(unique(left)...)
	}
	t.Logf("%d runs ended before they had trained, %d have saved what they had trained, %d were done", ended.before, ended.saved, ended.done)
	if ended.saved == 0 {
		t.Error("no run was interrupted while it trained")
	}
}

// Ctrl-C in a terminal signals all programs of a pipeline. That who reads is gone, too, is
// no failure.
func TestCtrlCInAPipeline(t *testing.T) {
	p := newPlace(t)
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	c := p.command()
	c.Path = sh
	c.Args = append([]string{"sh", "-c", `(trap : INT; "$@"; echo $? >code.txt) | cat >/dev/null`, "sh", program},
		strings.Fields(endless+" --json --checkpoint run.ckpt --checkpoint-every 1h")...)
	run := process.Start(t, process.Grouped(c))
	begun(p, run)
	run.SignalGroup(syscall.SIGINT)
	run.Until(process.Appeared(p.path("code.txt")))
	exit := run.Wait()
	if code := string(p.read("code.txt")); code != "130\n" || !strings.HasSuffix(exit.Stderr, "w2v: interrupted\n") {
		t.Errorf("exit code %s:\n%s", code, exit.Stderr)
	}
	if p.open("run.ckpt").Training().Uint("trained") == 0 {
		t.Error("nothing is saved")
	}
	p.only("run.ckpt", "code.txt")
}

// SIGQUIT says what the program is at, and loses nothing.
func TestQuitSavesAndShowsTheStacks(t *testing.T) {
	p := newPlace(t)
	run := p.start(endless + " --checkpoint run.ckpt --checkpoint-every 1h")
	begun(p, run)
	run.Signal(syscall.SIGQUIT)
	said := interrupted(t, run)
	if !strings.Contains(said, "goroutine ") || !strings.Contains(said, "sgns.") {
		t.Errorf("no stacks:\n%s", said)
	}
	if p.open("run.ckpt").Training().Uint("trained") == 0 {
		t.Error("nothing is saved")
	}
	p.only("run.ckpt")
}

// An interruption and what could not be saved are both said, wherever a run tells how it
// ended, and the exit code is that of a failure.
func TestInterruptWithoutRoom(t *testing.T) {
	disk := faults.Tmpfs(t, 4*megabyte)
	fill(t, disk+"/filler")
	for _, tt := range []struct{ name, flags, want string }{
		{"checkpoint", "-o model.w2v --force --checkpoint " + disk + "/run.ckpt --checkpoint-every 1h", "the checkpoint could not be written: .*run.ckpt: no space left on device"},
		{"model", "--force -o " + disk + "/model.w2v", "the model could not be written: .*model.w2v: no space left on device; the model is saved as .*w2v-rescued-.*"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			run := p.start("train corpus.txt --threads 1 --dim 50 --epochs 1000000 --json --log-json log.json " + tt.flags)
			begun(p, run)
			run.Signal(os.Interrupt)
			exit := run.Wait()
			p.failed(exit, "^w2v: interrupted; and "+tt.want, tt.name)
			if exit.Code != 1 {
				t.Errorf("exit code %d", exit.Code)
			}
			failed := last(p.log("log.json"), "failed")
			done := last(p.log("log.json"), "done")
			matches(t, "failed of the log", failed["error"], "^interrupted; and "+tt.want)
			matches(t, "done of the log", done["error"], "^"+tt.want)
			for _, rescued := range names(t, p.path("tmp")) {
				p.open("tmp/" + rescued)
				p.remove("tmp/" + rescued)
			}
			p.write("summary.json", []byte(exit.Stdout))
			matches(t, "--json", p.log("summary.json")[0]["error"], "^"+tt.want)
		})
	}

	// A log that cannot be written is no less a failure.
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk that is always full")
	}
	p := newPlace(t)
	run := p.start(endless + " --log-json /dev/full")
	begun(p, run)
	run.Signal(os.Interrupt)
	p.failed(run.Wait(), "^w2v: interrupted; and progress log: .*no space left", "log")
	p.open("model.w2v")
}
