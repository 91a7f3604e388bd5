package reliability

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// manyWords is a text of so many distinct words of random letters, each so often.
func manyWords(words, times int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var all []string
	for i := range words {
		var word []byte
		for range 5 + r.IntN(5) {
			word = append(word, byte('a'+r.IntN(26)))
		}
		all = append(all, fmt.Sprintf("%s%d", word, i))
	}
	var b bytes.Buffer
	for range times {
		for i, word := range all {
			b.WriteString(word)
			b.WriteByte(" \n"[(i%20)/19])
		}
	}
	return b.Bytes()
}

// planned is the memory that a run said it takes, in bytes.
func planned(t *testing.T, said string) float64 {
	t.Helper()
	found := regexp.MustCompile(`training takes ([0-9.]+) (MB|GB) of memory`).FindStringSubmatch(said)
	if found == nil {
		t.Fatalf("no plan in %q", said)
	}
	n, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return n * map[string]float64{"MB": 1e6, "GB": 1e9}[found[2]]
}

// field is a field of the status of a process, which is in kilobytes; 0 when the process has
// ended.
func field(pid int, name string) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			n, err := strconv.Atoi(strings.Fields(value)[0])
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}

// peakOf is the most bytes that a process has resident until it ends, by what the system
// notes of it, which is asked for again and again. What the system says of a process that
// has ended is at least what the parent had.
func peakOf(pid int) float64 {
	most := 0
	for {
		now := field(pid, "VmHWM")
		if now == 0 {
			return 1024 * float64(most)
		}
		most = max(most, now)
		time.Sleep(time.Millisecond)
	}
}

// What a run takes of memory at its peak is what it said before, within a tenth: for words,
// n-grams and hash embeddings, with checkpoints, with early stopping, deterministic, and where
// there are many rare words.
func TestPeakMemoryIsThePlan(t *testing.T) {
	p := newPlace(t)
	p.write("words.txt", manyWords(120_000, 1))
	p.write("ngrams.txt", manyWords(20_000, 2))
	p.write("rare.txt", append(manyWords(700_000, 1), manyWords(1000, 20)...))
	const (
		words  = "train words.txt --min-count 1 --epochs 1 --sample 0 --threads 2 "
		ngrams = "train ngrams.txt --min-count 1 --epochs 1 --sample 0 --threads 2 "
	)
	runs := []struct{ name, line string }{
		{"words", words + "-o m.bin"},
		{"words, checkpoints", words + "-o m.w2v --checkpoint c.ckpt --checkpoint-every 100ms"},
		{"n-grams", ngrams + "-o g.w2v --subwords fasttext --buckets 300000"},
		{"many rare words", "train rare.txt -o m.bin --min-count 5 --epochs 1 --threads 2"},
		{"hash embeddings", ngrams + "-o m.w2v --subwords hash --buckets 200000"},
		{"n-grams, deterministic", ngrams + "-o m.w2v --subwords fasttext --buckets 300000 --deterministic"},
		{"words, deterministic", words + "-o m.w2v --deterministic"},
		{"words, early stopping", words + "-o m.vec --early-stop 1 --validate 0.01 --checkpoint c.ckpt"},
		{"floret", ngrams + "-o m.floret --subwords floret --buckets 100000 --dim 300"},
		{"a tree", words + "-o m.w2v --loss hs"},
		{"a fastText file", ngrams + "-o m.bin --subwords fasttext --buckets 400000"},
		{"from n-grams", ngrams + "-o n.w2v --init g.w2v"},
	}
	for _, run := range runs[:thorough(4, len(runs), len(runs))] {
		c := p.command(strings.Fields(run.line)...)
		var said bytes.Buffer
		c.Stderr = &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		peak := peakOf(c.Process.Pid)
		if err := c.Wait(); err != nil {
			t.Fatalf("%s: %v\n%s", run.name, err, said.String())
		}
		plan := planned(t, said.String())
		t.Logf("%-24s planned %6.1f MB, peak %6.1f MB, ratio %.3f", run.name, plan/1e6, peak/1e6, peak/plan)
		if math.Abs(peak-plan) > 0.1*plan+10e6 {
			t.Errorf("%s: planned %.1f MB, and the peak was %.1f MB", run.name, plan/1e6, peak/1e6)
		}
	}
}

// A limit of ulimit that is too low is said in one line, before training and while counting.
func TestUlimitIsHeeded(t *testing.T) {
	p := newPlace(t)
	p.write("words.txt", manyWords(200_000, 1))
	// What a run has of addresses before it reads anything.
	waiting := p.command("train", "-", "-o", "m.bin")
	stdin, err := waiting.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	has := map[string]int{}
	for steady := 0; steady < 5; time.Sleep(100 * time.Millisecond) { // until it waits for its text
		steady++
		for _, name := range []string{"VmSize", "VmData"} {
			now := field(waiting.Process.Pid, name)
			if now == 0 {
				t.Fatalf("no %s", name)
			}
			if now != has[name] {
				has[name], steady = now, 0
			}
		}
	}
	_ = stdin.Close()
	_ = waiting.Wait() // there is no text
	for _, limit := range []struct {
		flag, field, why string
	}{{"-v", "VmSize", "what ulimit -v leaves"}, {"-d", "VmData", "what ulimit -d leaves"}} {
		for _, more := range []int{100, 150, 1800} { // MB
			script := fmt.Sprintf("ulimit %s %d && exec \"$0\" \"$@\"", limit.flag, has[limit.field]+1000*more)
			plain := p.command(strings.Fields("train words.txt --min-count 1 --epochs 1 --threads 2 -o m.bin")...)
			c := exec.Command("sh", append([]string{"-c", script, plain.Path}, plain.Args[1:]...)...)
			c.Dir, c.Env = plain.Dir, append(plain.Environ(), "GOMAXPROCS=2")
			out, err := c.CombinedOutput()
			t.Logf("ulimit %s, %d MB more: %s", limit.flag, more, out)
			if more > 1000 {
				if err != nil {
					t.Errorf("ulimit %s with enough: %v\n%s", limit.flag, err, out)
				}
				continue
			}
			said := strings.Split(strings.TrimSpace(string(out)), "\n")
			last := said[len(said)-1]
			if c.ProcessState.ExitCode() != 1 || !strings.HasPrefix(last, "w2v: ") || !strings.Contains(last, "and "+limit.why) || len(said) > 2 {
				t.Errorf("ulimit %s with %d MB: exit code %d\n%s", limit.flag, more, c.ProcessState.ExitCode(), out)
			}
		}
	}
}
