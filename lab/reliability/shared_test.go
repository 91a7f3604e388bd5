//go:build unix

package reliability

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/lab/process"
)

// A run on the tiny text that does not end by itself, and how often it makes checkpoints.
const (
	training = "train corpus.txt --threads 1 --min-count 2 --dim 8 --sample 0 --epochs 1000000 "
	often    = " --checkpoint-every 20ms"
)

// A content is what is in a file.
type content [sha256.Size]byte

// contents are what the files of a folder have in them, and what their names are. Those in
// skip do not count.
func (p place) contents(skip ...string) map[content]string {
	p.t.Helper()
	all := map[content]string{}
	err := filepath.WalkDir(p.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(p.dir, path)
		if err != nil || slices.Contains(skip, name) {
			return err
		}
		b, err := os.ReadFile(path)
		all[sha256.Sum256(b)] = name
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

// losesNone does something after which all that was in files before must be in files still.
func (p place) losesNone(do func(), skip ...string) {
	p.t.Helper()
	before := p.contents(skip...)
	do()
	after := p.contents()
	for c, name := range before {
		if _, ok := after[c]; !ok {
			p.t.Errorf("what was in %s is lost; files are %q", name, names(p.t, p.dir))
		}
	}
}

// interrupt trains until a checkpoint at that path is its own, and interrupts it.
func (p place) interrupt(line, checkpoint string) string {
	p.t.Helper()
	replaced := process.Replaced(p.path(checkpoint))
	run := p.start(training + line + often)
	run.Until(replaced)
	run.Signal(os.Interrupt)
	exit := run.Wait()
	if exit.Code != 130 {
		p.t.Fatalf("exit code %d, signal %v\n%s", exit.Code, exit.Signal, exit.Stderr)
	}
	p.open(checkpoint)
	return exit.Stderr
}

// says fails the test unless a program has said that.
func (p place) says(said, want string) {
	p.t.Helper()
	if !strings.Contains(said, want) {
		p.t.Errorf("does not say %q:\n%s", want, said)
	}
}

// Runs that have one checkpoint file lose nothing that another one has made: it is kept
// under another name, or the run is refused.
func TestSharedCheckpoints(t *testing.T) {
	for _, scenario := range []struct {
		name string
		run  func(p place)
	}{
		{"three runs in turn", func(p place) {
			for _, seed := range []string{"1", "2", "3", "4"} {
				p.losesNone(func() {
					said := p.interrupt("-o never.w2v --checkpoint run.ckpt --seed "+seed, "run.ckpt")
					if seed != "1" {
						p.says(said, "note: run.ckpt was of a run at ")
					}
				})
			}
			for _, name := range []string{"run.ckpt.before", "run.ckpt.before-2", "run.ckpt.before-3"} {
				p.open(name)
			}
			p.only("run.ckpt", "run.ckpt.before", "run.ckpt.before-2", "run.ckpt.before-3")
		}},
		{"a run that has ended", func(p place) {
			p.must("train corpus.txt -o model.w2v --min-count 2 --dim 8 --epochs 1 --checkpoint run.ckpt")
			p.losesNone(func() {
				p.says(p.interrupt("-o never.w2v --checkpoint run.ckpt", "run.ckpt"), "note: run.ckpt was of another run, which is at its end: it is kept as run.ckpt.before\n")
			})
			p.only("model.w2v", "run.ckpt", "run.ckpt.before")
		}},
		{"one resumed into the checkpoint of another", func(p place) {
			p.interrupt("-o never.w2v --checkpoint a.ckpt --seed 1", "a.ckpt")
			p.interrupt("-o never.w2v --checkpoint b.ckpt --seed 2", "b.ckpt")
			p.losesNone(func() {
				replaced := process.Replaced(p.path("b.ckpt"))
				run := p.start("train corpus.txt --resume a.ckpt --checkpoint b.ckpt -o never.w2v")
				run.Until(replaced)
				run.Signal(os.Interrupt)
				p.says(run.Wait().Stderr, "it is kept as b.ckpt.before\n")
			})
			p.only("a.ckpt", "b.ckpt", "b.ckpt.before")
			// Its own it replaces, by whichever name.
			for _, flags := range []string{"--resume b.ckpt", "--resume b.ckpt --checkpoint ./b.ckpt", "--resume " + p.path("b.ckpt") + " --checkpoint b.ckpt"} {
				replaced := process.Replaced(p.path("b.ckpt"))
				run := p.start("train corpus.txt -o never.w2v " + flags)
				run.Until(replaced)
				run.Signal(os.Interrupt)
				run.Wait()
				p.only("a.ckpt", "b.ckpt", "b.ckpt.before")
			}
		}},
		{"a first checkpoint that fails", func(p place) {
			disk := faults.Tmpfs(p.t, 2*megabyte)
			small := place{p.t, disk}
			for _, seed := range []string{"1", "2"} {
				p.run(training + "-o model.w2v --epochs 1 --checkpoint " + disk + "/run.ckpt --seed " + seed)
			}
			if got := names(p.t, disk); !slices.Equal(got, []string{"run.ckpt", "run.ckpt.before"}) {
				p.t.Fatalf("files are %q", got)
			}
			fill(p.t, filepath.Join(disk, "filler"))
			small.losesNone(func() {
				exit := p.run(training + "-o model.w2v --epochs 1 --force --seed 3 --checkpoint " + disk + "/run.ckpt")
				p.failed(exit, "run.ckpt: no space left", "a run without room for checkpoints")
			})
			if got := names(p.t, disk); !slices.Equal(got, []string{"filler", "run.ckpt", "run.ckpt.before"}) {
				p.t.Errorf("files are %q", got)
			}
			small.remove("filler")
			small.losesNone(func() {
				p.must(training + "-o model.w2v --epochs 1 --checkpoint " + disk + "/run.ckpt --seed 4")
			})
			small.open("run.ckpt.before-2")
		}},
		{"names that are taken", func(p place) {
			p.interrupt("-o never.w2v --checkpoint run.ckpt", "run.ckpt")
			p.must("train corpus.txt -o run.ckpt.before --format w2v --min-count 2 --dim 8 --epochs 1") // a finished model
			p.mkdir("run.ckpt.before-2")
			p.losesNone(func() {
				p.says(p.interrupt("-o never.w2v --checkpoint run.ckpt", "run.ckpt"), "it is kept as run.ckpt.before-3\n")
			})
			p.only("run.ckpt", "run.ckpt.before", "run.ckpt.before-2", "run.ckpt.before-3")
		}},
		{"a name that the output is to have", func(p place) {
			p.interrupt("-o never.w2v --checkpoint run.ckpt", "run.ckpt")
			p.losesNone(func() {
				exit := p.must("train corpus.txt -o run.ckpt.before --format w2v --min-count 2 --dim 8 --epochs 1 --checkpoint run.ckpt")
				p.says(exit.Stderr, "it is kept as run.ckpt.before-2\n")
			})
			p.open("run.ckpt.before")
			p.only("run.ckpt", "run.ckpt.before", "run.ckpt.before-2")
		}},
		{"three runs at once", func(p place) {
			var runs []*process.Process
			for _, flags := range []string{"-o a.w2v --checkpoint run.ckpt", "-o b.w2v --checkpoint ./run.ckpt", "-o c.w2v --checkpoint " + p.path("run.ckpt")} {
				runs = append(runs, p.start(training+flags+often))
			}
			running := func() (n int) {
				for _, run := range runs {
					if run.Running() {
						n++
					}
				}
				return n
			}
			refused := func() bool { return running() == 1 }
			for _, run := range runs {
				run.Until(refused)
			}
			const inUse = `run\.ckpt: is being written by another run \(process \d+ on .*, since .*\): wait until it ends, or name another file$`
			for _, run := range runs {
				if !run.Running() {
					p.failed(run.Wait(), inUse, "one of three")
					continue
				}
				run.Until(process.Appeared(p.path("run.ckpt")))
				// Nor does one write it that would go on from it, or make it the model.
				p.refused(inUse, "train corpus.txt -o d.w2v --resume run.ckpt")
				p.refused(inUse, training+"-o run.ckpt --format w2v")
				run.Signal(os.Interrupt)
				if exit := run.Wait(); exit.Code != 130 {
					p.t.Errorf("exit code %d\n%s", exit.Code, exit.Stderr)
				}
			}
			p.open("run.ckpt")
			p.only("run.ckpt")
		}},
		{"a run that was killed", func(p place) {
			run := p.start(training + "-o never.w2v --checkpoint run.ckpt" + often)
			run.Until(process.Appeared(p.path("run.ckpt")))
			run.Kill()
			run.Wait()
			if name := ".w2v-run.ckpt.lock"; !strings.Contains(string(p.read(name)), "If no such process runs, this file means nothing and can be deleted.") {
				p.t.Errorf("%s does not explain itself: %q", name, p.read(name))
			}
			replaced := process.Replaced(p.path("run.ckpt"))
			run = p.start("train corpus.txt -o never.w2v --resume run.ckpt") // which nobody locks any more
			run.Until(replaced)
			run.Signal(os.Interrupt)
			run.Wait()
			p.only("run.ckpt")
		}},
		{"one that goes on from what another run writes", func(p place) {
			first := p.start(training + "-o a.w2v --checkpoint run.ckpt" + often)
			first.Until(process.Appeared(p.path("run.ckpt")))
			second := p.start("train corpus.txt -o b.w2v --resume run.ckpt --checkpoint branch.ckpt")
			second.Until(process.Appeared(p.path("branch.ckpt")))
			second.Signal(os.Interrupt)
			p.says(second.Wait().Stderr, "note: another run still writes run.ckpt (process ")
			first.Signal(os.Interrupt)
			first.Wait()
			p.open("run.ckpt")
			p.open("branch.ckpt")
			p.only("run.ckpt", "branch.ckpt")
		}},
		{"no locks", func(p place) {
			name := strings.Repeat("n", 248) // the name of a lock would be too long
			p.says(p.interrupt("-o never.w2v --checkpoint "+name, name), name+": cannot be locked, so it is not known whether another run writes it: ")
			first := p.start("train corpus.txt -o a.w2v --checkpoint-every 1h --resume " + name)
			begun(p, first)
			p.losesNone(func() {
				p.says(p.interrupt("-o b.w2v --seed 2 --checkpoint "+name, name), "it is kept as "+name+".before\n")
			})
			first.Signal(os.Interrupt)
			p.failed(first.Wait(), "^w2v: interrupted; and the checkpoint could not be written: .*another run writes it too", "one whose file another has taken")
			p.open(name)
			p.open(name + ".before")
			p.open("a.w2v")
			p.only("a.w2v", name, name+".before")
		}},
		{"links", func(p place) {
			for link, to := range map[string]string{"a.link": "later.w2v", "b.link": "run.ckpt", "c.link": "a.link"} {
				if err := os.Symlink(to, p.path(link)); err != nil {
					p.t.Skip(err)
				}
			}
			same := "are the same file"
			p.refused(same, training+"-o later.w2v --checkpoint a.link")
			p.refused(same, training+"-o later.w2v --checkpoint c.link")
			p.refused(same, training+"-o a.link --format w2v --checkpoint later.w2v")
			p.refused(same, training+"-o never.w2v --checkpoint later.w2v --log-json tmp/../c.link")
			p.refused(same, training+"-o never.w2v --save-vocab a.link --checkpoint "+p.path("later.w2v"))
			p.refused(same, training+"-o words.npy --checkpoint words.npy.vocab.txt")
			// What a link leads to is kept.
			p.interrupt("-o never.w2v --checkpoint run.ckpt --seed 1", "run.ckpt")
			p.losesNone(func() {
				p.says(p.interrupt("-o never.w2v --checkpoint b.link --seed 2", "b.link"), "it is kept as ")
			})
			p.open("run.ckpt.before")
			if target, err := os.Readlink(p.path("b.link")); err != nil || target != "run.ckpt" {
				p.t.Errorf("the link is %q, %v", target, err)
			}
			p.remove("a.link", "b.link", "c.link")
			p.only("run.ckpt", "run.ckpt.before")
		}},
		{"hard links", func(p place) {
			p.interrupt("-o never.w2v --checkpoint run.ckpt --seed 1", "run.ckpt")
			p.must("train corpus.txt -o model.w2v --min-count 2 --dim 8 --epochs 1")
			for link, to := range map[string]string{"text": "corpus.txt", "second.ckpt": "run.ckpt", "second.w2v": "model.w2v"} {
				if err := os.Link(p.path(to), p.path(link)); err != nil {
					p.t.Skip(err)
				}
			}
			p.losesNone(func() {
				p.refused("are the same file", training+"-o never.w2v --checkpoint text")
				p.refused("are the same file", training+"-o model.w2v --checkpoint second.w2v")
				in, err := os.Open(p.path("corpus.txt"))
				if err != nil {
					p.t.Fatal(err)
				}
				defer in.Close()
				c := p.command("train", "-", "-o", "text", "--format", "w2v")
				c.Stdin = in
				p.failed(process.Start(p.t, c).Wait(), "--output and the corpus are the same file, text", "standard input")
				p.refused("is not a checkpoint", training+"-o never.w2v --checkpoint second.w2v")
				p.interrupt("-o never.w2v --checkpoint second.ckpt --seed 2", "second.ckpt")
			})
			p.only("run.ckpt", "second.ckpt", "second.ckpt.before", "model.w2v", "second.w2v", "text")
		}},
		{"files that are not checkpoints", func(p place) {
			p.must("train corpus.txt -o model.w2v --min-count 2 --dim 8 --epochs 1 --save-vocab words.txt --log-json log.json")
			p.must("convert model.w2v model.vec")
			p.write("notes.txt", []byte("Do not lose me.\n"))
			p.write("empty", nil) // as mktemp makes them
			p.interrupt("-o never.w2v --checkpoint run.ckpt", "run.ckpt")
			p.losesNone(func() {
				p.refused("^w2v: model.w2v: is not a checkpoint, and would be replaced by one: name another file", training+"-o never.w2v --checkpoint model.w2v")
				p.refused("^w2v: model.vec: is not a checkpoint", training+"-o never.w2v --checkpoint model.vec")
				p.refused("^w2v: words.txt: is not a checkpoint, and would be replaced by one", training+"-o never.w2v --checkpoint words.txt")
				p.refused("^w2v: log.json: is not a checkpoint", training+"-o never.w2v --checkpoint log.json")
				p.refused("^w2v: notes.txt: is not a checkpoint", training+"-o never.w2v --checkpoint notes.txt")
				p.refused("same file", training+"-o never.w2v --vocab words.txt --checkpoint words.txt")
				p.refused("same file", training+"-o never.w2v --log-json log.json --checkpoint log.json")
				p.refused("^w2v: notes.txt: is not a log of w2v train", training+"-o never.w2v --log-json notes.txt")
				p.refused("^w2v: run.ckpt: is a checkpoint, which the model would replace", training+"-o run.ckpt --format w2v")
			})
			p.interrupt("-o never.w2v --checkpoint empty", "empty")
			p.only("model.w2v", "model.vec", "words.txt", "log.json", "notes.txt", "run.ckpt", "empty")
		}},
		{"files in a folder that is replaced", func(p place) {
			p.mkdir("out")
			p.losesNone(func() {
				p.refused("is in the folder of --output", training+"-o out/ --checkpoint out/run.ckpt")
				p.refused("is in the folder of --output", training+"-o out/ --save-vocab out/words.txt")
				p.refused("is in the folder of --output", training+"-o out/ --log-json ./tmp/../out/log.json")
				p.refused("is in the folder of --output", training+"-o out/ --cache out")
				p.refused("same file", training+"-o out/ --save-vocab out/metadata.tsv")
			})
			p.remove("out")
			p.only()
		}},
		{"what is not trained to its end", func(p place) {
			for _, name := range []string{"model.npy", "partial-model.npy", "partial-2-model.npy"} {
				p.losesNone(func() {
					run := p.start(training + "-o model.npy")
					begun(p, run)
					run.Signal(os.Interrupt)
					p.says(run.Wait().Stderr, "interrupted: saving what is trained to "+name+";")
				})
				p.open(name)
			}
		}},
	} {
		t.Run(scenario.name, func(t *testing.T) {
			p := newPlace(t)
			p.write("corpus.txt", tiny())
			scenario.run(p)
		})
	}
}
