package train_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// dividedText writes a corpus for runs that divide the model.
func dividedText(t *testing.T) (folder, path string) {
	t.Helper()
	folder = t.TempDir()
	path = filepath.Join(folder, "corpus.txt")
	if err := os.WriteFile(path, []byte(textOf(sentences(2000))), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, path
}

// The first rank writes a divided model, which nobody has in memory.
func TestRunDivided(t *testing.T) {
	folder, path := dividedText(t)
	for _, n := range []int{2, 3} {
		output := filepath.Join(folder, fmt.Sprintf("%d.w2v", n))
		var written bytes.Buffer
		words := 0
		err := cluster.Each(n, func(c cluster.Comm) error {
			o := train.Options{Settings: small(), Ranks: c, Divide: true, Output: output}
			o.Settings.Model.Deterministic = false
			if c.Rank() == 0 {
				o.Writer = &written
				o.Evaluation.Score = func(_ context.Context, s *vectors.Set) (float64, error) { words = s.Len(); return 1, nil }
			}
			result, err := train.Run(context.Background(), train.Files(path), o, train.Hooks{})
			if err == nil && (result.Vectors != nil || !result.Complete || (result.Output == output) != (c.Rank() == 0)) {
				t.Errorf("rank %d of %d: %+v", c.Rank(), n, result)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		set, err := format.Open(output)
		if err != nil {
			t.Fatal(err)
		}
		if set.Len() == 0 || set.Len() != words || set.Output().Rows != words {
			t.Errorf("%d ranks: %d words with %d output rows, and %d when they were scored", n, set.Len(), set.Output().Rows, words)
		}
		if file, err := os.ReadFile(output); err != nil || !bytes.Equal(file, written.Bytes()) {
			t.Errorf("%d ranks: the file is not what was written, %v", n, err)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Where the model cannot be written, the other ranks do not wait for rows to be asked of them.
func TestDividedModelIsNotWritten(t *testing.T) {
	_, path := dividedText(t)
	broken := errors.New("broken")
	err := cluster.Each(2, func(c cluster.Comm) error {
		o := train.Options{Settings: small(), Ranks: c, Divide: true}
		o.Settings.Model.Deterministic = false
		if c.Rank() == 0 {
			o.Writer = writerFunc(func([]byte) (int, error) { return 0, broken })
		}
		_, err := train.Run(context.Background(), train.Files(path), o, train.Hooks{})
		if errors.Is(err, broken) != (c.Rank() == 0) {
			return fmt.Errorf("rank %d: %v", c.Rank(), err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// What a divided model cannot have is refused on each rank, before anything is read.
func TestDividedRefuses(t *testing.T) {
	for want, change := range map[string]func(*train.Options){
		"Divide needs several ranks: start the program with mpirun -np 2 or more":                                                                    func(o *train.Options) { o.Ranks = nil },
		"the model cannot be divided over ranks: tied vectors have no output rows of their own: leave out Divide, and each rank has the whole model": func(o *train.Options) { o.Settings.Model.Tied = true },
		"Init.File is not possible with Divide: vectors to start from are read by one process":                                                       func(o *train.Options) { o.Init.File = "old.w2v" },
		"Evaluation.HeldOut is not possible with Divide: the rows of held-out words are not at hand":                                                 func(o *train.Options) { o.Evaluation.Fraction = 0.1 },
		"SyncBudget is not possible with Divide: a rank cannot train before the rows of its text have come: leave it out":                            func(o *train.Options) { o.SyncBudget = 1 },
	} {
		for _, comm := range cluster.Local(2) {
			o := train.Options{Settings: train.Defaults(), Ranks: comm, Divide: true}
			change(&o)
			_, err := train.Run(context.Background(), train.Files("missing.txt"), o, train.Hooks{})
			if _, ok := errors.AsType[*train.OptionError](err); !ok || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	}
}
