//go:build unix

package reliability

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/lab/process"
)

// endless never ends by itself.
const endless = "train corpus.txt -o model.w2v --threads 1 --dim 20 --epochs 1000000"

// begun waits until a run trains.
func begun(p place, run *process.Process) {
	p.t.Helper()
	if !run.Until(run.Said("training takes ")) {
		p.t.Fatalf("ended before it trained:\n%s", run.Wait().Stderr)
	}
	run.Until(run.Used(200 * time.Millisecond)) // something is trained, on a busy machine too
}

// interrupted waits for a run that a signal has ended as it should.
func interrupted(t testing.TB, run *process.Process) string {
	t.Helper()
	exit := run.Wait()
	if said := lines(exit.Stderr); exit.Code != 130 || said[len(said)-1] != "w2v: interrupted" {
		t.Errorf("exit code %d, signal %v\n%s", exit.Code, exit.Signal, exit.Stderr)
	}
	return exit.Stderr
}

func TestInterruptSavesTheCheckpoint(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		p := newPlace(t)
		p.write("model.w2v", []byte("an earlier model"))
		run := p.start(endless + " --checkpoint run.ckpt --checkpoint-every 50ms")
		run.Until(process.Appeared(p.path("run.ckpt")))
		before := p.open("run.ckpt").Training().Uint("trained")
		run.Until(process.After(200 * time.Millisecond))
		run.Signal(s)
		said := interrupted(t, run)
		if !strings.Contains(said, "run.ckpt") {
			t.Errorf("%v: does not say where it is saved:\n%s", s, said)
		}
		if after := p.open("run.ckpt").Training().Uint("trained"); after < before {
			t.Errorf("%v: checkpoint of %d tokens, one before had %d", s, after, before)
		}
		p.same("model.w2v", []byte("an earlier model"))
		p.only("model.w2v", "run.ckpt")
	}
}

func TestInterruptWithoutCheckpointSavesTheModel(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		p := newPlace(t)
		run := p.start(endless)
		begun(p, run)
		run.Signal(s)
		interrupted(t, run)
		if p.open("model.w2v").Training().Uint("trained") == 0 {
			t.Errorf("%v: nothing trained", s)
		}
		// One that is there already stays, for it may be whole.
		model := p.read("model.w2v")
		run = p.start(endless)
		begun(p, run)
		run.Signal(s)
		interrupted(t, run)
		p.same("model.w2v", model)
		p.open("partial-model.w2v")
		p.only("model.w2v", "partial-model.w2v")
	}
}

func TestCtrlCBeforeTheFirstCheckpoint(t *testing.T) {
	p := newPlace(t)
	run := p.start("train corpus.txt -o model.w2v " + oneWorker + " --epochs 200 --checkpoint run.ckpt --checkpoint-every 1h")
	begun(p, run)
	run.Signal(os.Interrupt)
	interrupted(t, run)
	if p.open("run.ckpt").Training().Uint("trained") == 0 {
		t.Error("nothing trained")
	}
	p.only("run.ckpt")

	// While the corpus is read there is nothing to save yet, and what an earlier run
	// has saved stays.
	saved := p.read("run.ckpt")
	for _, line := range []string{
		"train - -o model.w2v --checkpoint run.ckpt --progress always",
		"train - --resume run.ckpt -o model.w2v --progress always",
	} {
		c := p.command(strings.Fields(line)...)
		in, err := c.StdinPipe() // never ends
		if err != nil {
			t.Fatal(err)
		}
		run = process.Start(t, c)
		if _, err := in.Write(text(t)); err != nil {
			t.Fatal(err)
		}
		run.Until(run.Said("reading"))
		run.Signal(os.Interrupt)
		interrupted(t, run)
		p.same("run.ckpt", saved)
		p.only("run.ckpt")
	}
}

func TestTermDuringACheckpoint(t *testing.T) {
	random := dice(t)
	whole := uninterrupted(t, oneWorker)
	for signals := thorough(1, 2, 20); signals > 0; {
		p := newPlace(t)
		run := p.start("train corpus.txt -o model.w2v " + oneWorker + " --checkpoint run.ckpt --checkpoint-every 1us")
		run.Until(process.Appeared(p.path("run.ckpt"))) // and the next one is being made
		run.Until(process.After(moment(random, whole.took/4)))
		run.Signal(syscall.SIGTERM)
		if run.Wait(); p.has("model.w2v") {
			continue // was done before
		}
		interrupted(t, run)
		p.open("run.ckpt")
		p.only("run.ckpt")
		p.must(resume)
		p.same("model.w2v", whole.model)
		signals--
	}
}

// A second signal does not wait, not even for a disk that does not answer, if it comes a
// second after the first one or later. Before, it says what the first one has said.
func TestSecondInterruptExitsAtOnce(t *testing.T) {
	for name, tt := range map[string]struct{ line, until string }{
		"checkpoint": {endless + " --checkpoint stuck --checkpoint-every 1h", `"start"`},
		"model":      {"train corpus.txt -o stuck --format w2v --threads 1 --dim 20 --epochs 1", `"final":true`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			if err := syscall.Mkfifo(p.path("stuck"), 0o600); err != nil {
				t.Fatal(err)
			}
			reader, err := os.OpenFile(p.path("stuck"), os.O_RDWR, 0) // who never reads
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			run := p.start(tt.line + " --log-json log.json")
			run.Until(func() bool { return p.has("log.json") && strings.Contains(string(p.read("log.json")), tt.until) })
			run.Until(process.After(200 * time.Millisecond)) // then the second run has nothing to do but to write
			run.Signal(os.Interrupt)
			run.Signal(syscall.SIGTERM)
			run.Until(process.After(200 * time.Millisecond))
			run.Signal(os.Interrupt)
			run.Until(process.After(1500 * time.Millisecond))
			if !run.Running() {
				t.Fatalf("has ended by the signals that come with the first:\n%s", run.Wait().Stderr)
			}
			run.Signal(os.Interrupt)
			exit := run.Wait()
			if said := lines(exit.Stderr); exit.Code != 130 || !strings.Contains(said[len(said)-1], "interrupted") || !strings.Contains(exit.Stderr, "interrupted again") {
				t.Errorf("exit code %d, signal %v\n%s", exit.Code, exit.Signal, exit.Stderr)
			}
			p.only("stuck", "log.json")
		})
	}
}

// Somebody who reads what a run says and goes away does not end it.
func TestClosedPipe(t *testing.T) {
	const short = "--threads 1 --dim 20 --epochs 2"
	whole := uninterrupted(t, short)
	for _, flags := range []string{"", " --progress always", " --log-json -"} {
		p := newPlace(t)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := p.command(strings.Fields("train corpus.txt -o model.w2v " + short + flags)...)
		c.Stderr = w
		run := process.Start(t, c)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var first [1]byte
		if _, err := r.Read(first[:]); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if exit := run.Wait(); exit.Signal != 0 {
			t.Errorf("%q: ended by %v", flags, exit.Signal)
		}
		p.same("model.w2v", whole.model)
		p.only("model.w2v")
	}

	// Where the output is all there is to a command, it ends as soon as nobody reads it, and
	// that is not an error.
	p := newPlace(t)
	p.write("model.w2v", whole.model)
	for _, line := range []string{"vocab corpus.txt", "vector model.w2v the", "convert model.w2v -", "demo --print-corpus"} {
		if line == "convert model.w2v -" {
			line += " --to text"
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		c := p.command(strings.Fields(line)...)
		c.Stdout = w
		run := process.Start(t, c)
		exit := run.Wait()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if exit.Signal != 0 || exit.Code != 0 || strings.Contains(exit.Stderr, "w2v:") {
			t.Errorf("w2v %s: %+v", line, exit)
		}
	}
}

// Until a file is complete it has no name, or nobody else can read it and nobody can
// guess its name.
func TestTemporaryFilesArePrivate(t *testing.T) {
	p := newPlace(t)
	p.write("corpus.txt", text(t)[:200_000])
	run := p.start("train corpus.txt -o model.w2v --threads 1 --dim 300 --epochs 30 --checkpoint run.ckpt --checkpoint-every 1us")
	open := map[string]int64{} // the least size at which others may read a temporary file
	for run.Running() {
		for _, name := range names(t, p.dir) {
			info, err := os.Lstat(p.path(name))
			switch {
			case err != nil: // is gone
			case temporary.MatchString(name):
				if _, seen := open[name]; !seen {
					open[name] = 1 << 62
				}
				if info.Mode().Perm() != 0o600 && info.Size() > 0 { // an empty one only asks what the mode of files is
					open[name] = min(open[name], info.Size())
				}
			case !slices.Contains([]string{"corpus.txt", "tmp", "model.w2v", "run.ckpt", ".w2v-model.w2v.lock", ".w2v-run.ckpt.lock"}, name):
				t.Errorf("there is a file %s", name)
			}
		}
	}
	if exit := run.Wait(); exit.Code != 0 {
		t.Fatal(exit.Stderr)
	}
	model, err := os.Stat(p.path("model.w2v"))
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range open {
		if size < model.Size() { // which is smaller than a checkpoint
			t.Errorf("%s could be read by others when it had %d bytes", name, size)
		}
	}
	p.only("model.w2v", "run.ckpt")

	// The tokenised corpus has no name while it is used.
	run = p.start(endless)
	begun(p, run)
	if left := names(t, p.path("tmp")); len(left) > 0 {
		t.Errorf("the tokenised corpus is %q", left)
	}
}
