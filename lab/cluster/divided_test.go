//go:build linux

package cluster

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/process"
)

// A divided model is one of the same words, and learns what one learns that is not divided.
func TestDivided(t *testing.T) {
	p := needsMPI(t)
	alone, err := Launcher{}.Train(t.Context(), command.Runner{}, p.plain, short...)
	if err != nil {
		t.Fatal(err)
	}
	words := read(t, "vocab.tsv")
	for _, ranks := range []int{2, 4} {
		t.Run(strconv.Itoa(ranks), func(t *testing.T) {
			got, err := Launcher{Ranks: ranks}.Train(t.Context(), command.Runner{}, p.mpi, append([]string{"--divide"}, short...)...)
			if err != nil {
				t.Fatal(err)
			}
			if got.Ranks != ranks || got.Trained != alone.Trained || !got.Complete || got.SentBytes == 0 {
				t.Errorf("%+v, without ranks %+v", got, alone)
			}
			if !bytes.Equal(read(t, "vocab.tsv"), words) {
				t.Error("the vocabulary is not that of a single run")
			}
			if got.Loss > 1.3*alone.Loss {
				t.Errorf("the loss is %v, and that of one process %v", got.Loss, alone.Loss)
			}
			if exit := process.Start(t, Launcher{Ranks: 1}.Exec(t.Context(), p.mpi, "info", "model.w2v")).Wait(); exit.Code != 0 {
				t.Errorf("the model cannot be read: %s", exit.Stderr)
			}
		})
	}
}

// A divided run that was interrupted goes on, on as many ranks or others, divided or not.
func TestDividedGoesOn(t *testing.T) {
	p := needsMPI(t)
	run := process.Start(t, Launcher{Ranks: 2}.Exec(t.Context(), p.mpi, append(slices.Clone(long), "--divide")...))
	if !run.Until(process.Appeared("run.ck")) {
		t.Fatalf("ended before its first checkpoint: %+v", run.Wait())
	}
	run.Signal(syscall.SIGUSR1)
	if exit := run.Wait(); exit.Code != 130 || !strings.Contains(exit.Stderr, "to go on: --resume run.ck") {
		t.Fatalf("exit code %d:\n%s", exit.Code, exit.Stderr)
	}
	before := read(t, "run.ck")
	for name, tt := range map[string]struct {
		launcher Launcher
		more     []string
	}{
		"on 2 ranks":              {Launcher{Ranks: 2}, []string{"--divide"}},
		"on 3 ranks":              {Launcher{Ranks: 3}, []string{"--divide"}},
		"on 2 that have all rows": {Launcher{Ranks: 2}, nil},
		"without mpirun":          {Launcher{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			resume(t, tt.launcher, p.mpi, tt.more...)
			if err := os.WriteFile("run.ck", before, 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// What a divided model cannot have is said once, before anything is read.
func TestDividedRefusals(t *testing.T) {
	p := needsMPI(t)
	for _, tt := range []struct {
		ranks int
		more  []string
		want  string
	}{
		{2, []string{"--subwords", "fasttext"}, "the model cannot be divided over ranks: words with n-grams share rows: leave out --divide, and each rank has the whole model"},
		{2, []string{"--loss", "hs"}, "the model cannot be divided over ranks: words share the nodes"},
		{2, []string{"--validate", "0.1"}, "--validate is not possible with --divide"},
		{2, []string{"--init", "old.w2v"}, "--init is not possible with --divide"},
		{2, []string{"--sync-budget", "1MB"}, "--sync-budget is not possible with --divide"},
		{0, nil, "--divide is for several processes that train together: start w2v with mpirun"},
	} {
		args := append(append([]string{"train", "--divide"}, short...), tt.more...)
		line := append([]string{p.mpi}, args...)
		if tt.ranks > 0 {
			line = Launcher{Ranks: tt.ranks}.Command(p.mpi, args...)
		}
		exit := process.Start(t, exec.CommandContext(t.Context(), line[0], line[1:]...)).Wait()
		if exit.Code != 2 || strings.Count(exit.Stderr, "w2v: ") != 1 || !strings.Contains(exit.Stderr, tt.want) {
			t.Errorf("%v: exit code %d, want 2 and once %q:\n%s", tt.more, exit.Code, tt.want, exit.Stderr)
		}
	}
}

// manyWords writes a text of so many different words, each of which is there at least twice. Some words are
// frequent.
func manyWords(t *testing.T, path string, words, tokens int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	ids := append(random.Perm(words), random.Perm(words)...)
	for len(ids) < tokens {
		ids = append(ids, int(math.Exp(random.Float64()*math.Log(float64(words))))-1)
	}
	random.Shuffle(len(ids), func(i, k int) { ids[i], ids[k] = ids[k], ids[i] })
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(file)
	for i, id := range ids {
		end := " "
		if i%20 == 19 {
			end = "\n"
		}
		fmt.Fprintf(w, "word%d%s", id, end)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// A model that is too large for what a process may have is trained by four that divide it, of which each may
// have as much. What a rank needs falls with the number of ranks.
func TestDividedFits(t *testing.T) {
	p := needsMPI(t)
	const limit = 720_000 // kilobytes, of which stacks and the libraries of MPI take some
	manyWords(t, "many.txt", 300_000, 600_000)
	train := []string{"many.txt", "-o", "many.w2v", "--min-count", "1", "--dim", "300", "--epochs", "1", "--threads", "1"}
	limited := []string{"-c", "ulimit -d " + strconv.Itoa(limit) + ` && exec "$0" "$@"`, p.mpi}

	exit := process.Start(t, exec.CommandContext(t.Context(), "sh", append(append(slices.Clone(limited), "train"), train...)...)).Wait()
	if exit.Code != 1 || !strings.Contains(exit.Stderr, "of memory, and what ulimit -d leaves is ") {
		t.Errorf("one process: exit code %d:\n%s", exit.Code, exit.Stderr)
	}
	run := func(ranks int, args ...string) (got Summary, peak float64) {
		line := Launcher{Ranks: ranks}.Command(args[0], append(args[1:], append([]string{"train", "--divide", "--json"}, train...)...)...)
		used, err := command.Runner{}.Run(t.Context(), command.Order{Name: line[0], Args: line[1:]})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(used.Stdout, &got); err != nil {
			t.Fatal(err)
		}
		if !got.Complete || got.Vocab != 300_000 {
			t.Errorf("%d ranks: %+v", ranks, got)
		}
		t.Logf("%d ranks: %.0f MB announced for a rank, %.0f MB the most that one had, %.0f bytes a token", ranks, got.MemoryBytes/1e6, used.Peak/1e6, got.SentBytes/float64(got.Trained))
		return got, used.Peak
	}
	run(4, append([]string{"sh"}, limited...)...) // collects garbage sooner than it would otherwise
	announced := map[int]float64{}
	for _, ranks := range []int{2, 4} {
		got, peak := run(ranks, p.mpi)
		announced[ranks] = got.MemoryBytes
		if peak > 1.1*got.MemoryBytes {
			t.Errorf("%d ranks: a rank had %.0f MB, and %.0f MB were announced", ranks, peak/1e6, got.MemoryBytes/1e6)
		}
	}
	// Two matrices of 300,000 rows of 304 numbers are 730 MB, of which a rank has its part.
	const model = 2 * 300_000 * 304 * 4
	if less := announced[2] - announced[4]; less < 0.9*model/4 {
		t.Errorf("4 ranks need %.0f MB less than 2, want %.0f MB", less/1e6, model/4/1e6)
	}
}
