//go:build unix

package reliability

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/lab/process"
)

const megabyte = 1 << 20

func TestFullDiskLeavesTheOldModel(t *testing.T) {
	p := newPlace(t)
	disk := faults.Tmpfs(t, 20*megabyte)
	model := filepath.Join(disk, "model.w2v")
	if err := os.WriteFile(model, []byte("an earlier model"), 0o666); err != nil {
		t.Fatal(err)
	}
	intact := func() {
		t.Helper()
		if b, err := os.ReadFile(model); err != nil || string(b) != "an earlier model" {
			t.Errorf("the earlier model is %.20q, %v", b, err)
		}
		if files := names(t, disk); len(files) != 1 {
			t.Errorf("files are %q", files)
		}
	}
	// 12,000 words of 500 dimensions are 24 MB, and twice that with context vectors.
	var words strings.Builder
	for i := range 24_000 {
		separator := " "
		if i%20 == 19 {
			separator = "\n"
		}
		fmt.Fprintf(&words, "word%d%s", i/2, separator)
	}
	p.write("corpus.txt", []byte(words.String()))
	large := "train corpus.txt --threads 2 --dim 500 --min-count 1 --sample 0 --epochs 1 -o " + disk + "/"
	p.refused("model.w2v.*MB.*--force|--force.*MB", large+"model.w2v")
	intact()
	// What was trained is not thrown away.
	for _, name := range []string{"model.w2v", "other.bin", "other.vec", "other.npy", "folder/"} {
		p.refused("(model|other|folder).*no space left.*; the model is saved as .*w2v-rescued-", large+name+" --force")
		intact()
		for _, rescued := range names(t, p.path("tmp")) {
			p.open("tmp/" + rescued)
			p.remove("tmp/" + rescued)
		}
	}
}

func TestFullDiskOfTheCache(t *testing.T) {
	p := newPlace(t)
	disk := faults.Tmpfs(t, megabyte/8) // the corpus has more than 70,000 tokens of 4 bytes
	exit := p.run("train corpus.txt -o model.w2v --dim 10 --epochs 1 --cache", disk)
	if exit.Code != 0 || !strings.Contains(exit.Stderr, "does not fit into this folder") {
		t.Errorf("a corpus whose cache does not fit is not read again: %s", exit.Stderr)
	}
	p.remove("model.w2v")
	p.refused("no space left", "train corpus.txt -o model.w2v --dim 10 --epochs 1 --force --cache", disk)
	if files := names(t, disk); len(files) != 0 {
		t.Errorf("files are %q", files)
	}
	p.only()
}

// A checkpoint that cannot be written is no reason to stop: training goes on, says so,
// and keeps the one before.
func TestFullDiskOfTheCheckpoint(t *testing.T) {
	p := newPlace(t)
	disk := faults.Tmpfs(t, 4*megabyte)
	saved, filler := filepath.Join(disk, "run.ckpt"), filepath.Join(disk, "filler")
	onDisk := place{t, disk}

	// The disk is full for some time.
	run := p.start(endless+" --checkpoint-every 20ms --checkpoint", saved)
	run.Until(process.Appeared(saved))
	fill(t, filler)
	run.Until(run.Said("run.ckpt: no space left"))
	onDisk.open("run.ckpt")
	onDisk.remove("filler")
	run.Until(process.Replaced(saved))
	run.Signal(os.Interrupt)
	interrupted(t, run)
	onDisk.open("run.ckpt")
	if files := names(t, disk); len(files) != 1 {
		t.Errorf("files are %q", files)
	}

	// It is full all the time: the model is made, but not all that was asked for.
	earlier := onDisk.read("run.ckpt")
	fill(t, filler)
	exit := p.run("train corpus.txt -o model.w2v --force --checkpoint-every 20ms "+oneWorker+" --checkpoint", saved)
	p.failed(exit, "run.ckpt: no space left", "a run without room for checkpoints")
	p.same("model.w2v", uninterrupted(t, oneWorker).model)
	onDisk.same("run.ckpt", earlier)
	p.remove("model.w2v")

	// It is full when the run is interrupted.
	run = p.start(endless+" --force --checkpoint-every 1h --checkpoint", saved)
	begun(p, run)
	run.Signal(os.Interrupt)
	p.failed(run.Wait(), "run.ckpt: no space left", "an interrupted run without room for checkpoints")
	onDisk.same("run.ckpt", earlier)
	if files := names(t, disk); len(files) != 2 {
		t.Errorf("files are %q", files)
	}
}

// fill makes a disk full.
func fill(t testing.TB, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
}

func TestFullDiskOfTheLog(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk that is always full")
	}
	p := newPlace(t)
	exit := p.run("train corpus.txt -o model.w2v --log-json /dev/full " + oneWorker)
	if !strings.Contains(exit.Stderr, "/dev/full") || !strings.Contains(exit.Stderr, "no space left") {
		t.Errorf("exit code %d:\n%s", exit.Code, exit.Stderr)
	}
	p.same("model.w2v", uninterrupted(t, oneWorker).model) // which is what matters
}

func TestReadOnlyFolder(t *testing.T) {
	p := newPlace(t)
	folder := p.path("locked")
	if os.Geteuid() == 0 { // whom permissions do not stop
		folder = faults.Tmpfs(t, megabyte)
		faults.ReadOnly(t, folder)
	} else {
		p.mkdir("locked")
		if err := os.Chmod(folder, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	// All are refused before anything is read or trained: there is no corpus.
	why := "read-only|permission denied"
	p.refused(why, "train - -o", filepath.Join(folder, "model.w2v"))
	p.refused(why, "train - -o model.w2v --checkpoint", filepath.Join(folder, "run.ckpt"))
	p.refused(why, "train - -o model.w2v --save-vocab", filepath.Join(folder, "vocab.txt"))
	p.refused(why, "train - -o model.w2v --log-json", filepath.Join(folder, "log.json"))
	p.refused(why, "train corpus.txt -o model.w2v --cache", folder)
	p.refused("missing", "train - -o", p.path("missing/model.w2v"))
	p.refused("missing", "train - -o model.w2v --checkpoint", p.path("missing/run.ckpt"))
	if os.Geteuid() != 0 {
		p.remove("locked")
	}
	p.only()
}

func TestVanishedCorpus(t *testing.T) {
	p := newPlace(t)
	p.refused("missing.txt: no such file", "train missing.txt -o model.w2v")
	p.refused("no file matches", "train missing*.txt -o model.w2v")

	// The first of two files keeps the reader waiting, so that the second one can go
	// before it is read.
	second := strings.Repeat("the dog sat on the mat\n", 100_000)
	for name, vanish := range map[string]func() error{
		"removed":   func() error { return os.Remove(p.path("second.txt")) },
		"cut short": func() error { return os.Truncate(p.path("second.txt"), int64(len(second)/3)) },
		"emptied":   func() error { return os.Truncate(p.path("second.txt"), 0) },
	} {
		p.write("second.txt", []byte(second))
		if err := syscall.Mkfifo(p.path("first.txt"), 0o600); err != nil {
			t.Fatal(err)
		}
		run := p.start("train first.txt second.txt -o model.w2v --threads 1 --epochs 1 --dim 10")
		first, err := os.OpenFile(p.path("first.txt"), os.O_WRONLY, 0) // waits for the reader
		if err != nil {
			t.Fatal(err)
		}
		if err := vanish(); err != nil {
			t.Fatal(err)
		}
		if _, err := first.WriteString("the cat sat on the mat\n"); err != nil {
			t.Fatal(err)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		p.failed(run.Wait(), "second.txt", name)
		p.remove("first.txt", "second.txt")
		p.only()
	}

	// What has been read is not needed any more.
	run := p.start("train corpus.txt -o model.w2v --log-json log.json " + oneWorker)
	begun(p, run)
	p.remove("corpus.txt")
	if exit := run.Wait(); exit.Code != 0 {
		t.Errorf("exit code %d:\n%s", exit.Code, exit.Stderr)
	}
	p.same("model.w2v", uninterrupted(t, oneWorker).model)
}

// Of two runs that are to write the same file, one is refused, or begins when the other one
// has ended.
func TestTwoRunsOneTarget(t *testing.T) {
	p := newPlace(t)
	flags := []string{oneWorker + " --seed 1", oneWorker + " --seed 2"}
	var whole []reference
	for _, f := range flags {
		whole = append(whole, uninterrupted(t, f))
	}
	for range thorough(1, 2, 10) {
		var runs []*process.Process
		for _, f := range flags {
			runs = append(runs, p.start("train corpus.txt -o model.w2v "+f+saving))
		}
		done := 0
		for _, run := range runs {
			exit := run.Wait()
			if exit.Code == 0 {
				done++
			} else {
				p.failed(exit, `model\.w2v: is being written by another run \(process \d+ on .+, since .+\): wait until it ends, or name another file$`, "one of two")
			}
		}
		if done == 0 {
			t.Error("none of two runs has ended well")
		}
		if model := string(p.read("model.w2v")); model != string(whole[0].model) && model != string(whole[1].model) {
			t.Error("the model is neither of the two")
		}
		p.open("run.ckpt")
		p.remove("model.w2v")
		p.must(resume) // whichever it is of
		if model := string(p.read("model.w2v")); model != string(whole[0].model) && model != string(whole[1].model) {
			t.Error("the resumed model is neither of the two")
		}
		p.remove("model.w2v", "run.ckpt")
		if done == 2 {
			p.open("run.ckpt.before") // that of the other
			p.remove("run.ckpt.before")
		}
		p.only()
	}
}
