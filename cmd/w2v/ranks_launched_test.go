package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

func TestLaunched(t *testing.T) {
	type environment map[string]string
	for _, tt := range []struct {
		set        environment
		rank, size int
	}{
		{nil, 0, 1},
		{environment{"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3"}, 2, 3},
		{environment{"PMI_RANK": "1", "PMI_SIZE": "4"}, 1, 4},
		{environment{"PMIX_RANK": "1", "SLURM_NTASKS": "8"}, 1, 8},
		{environment{"PMIX_RANK": "1", "SLURM_NTASKS": "8", "SLURM_STEP_NUM_TASKS": "2"}, 1, 2},
		{environment{"SLURM_PROCID": "1", "SLURM_NTASKS": "8"}, 0, 1}, // a job that starts w2v without srun
		{environment{"PMI_RANK": "1"}, 0, 1},
		{environment{"PMI_RANK": "one", "PMI_SIZE": "4"}, 0, 1},
		{environment{"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3", "PMI_RANK": "1", "PMI_SIZE": "4"}, 2, 3},
	} {
		for _, names := range launchers {
			t.Setenv(names.rank, tt.set[names.rank])
			t.Setenv(names.size, tt.set[names.size])
		}
		if rank, size := launched(); rank != tt.rank || size != tt.size {
			t.Errorf("%v: rank %d of %d, want %d of %d", tt.set, rank, size, tt.rank, tt.size)
		}
	}
}

// A command that ranks do not share is a program of its own in each process of a launcher. One file is not written
// by two of them.
func TestEveryRankRunsOtherCommands(t *testing.T) {
	folder := t.TempDir()
	edges, walks := filepath.Join(folder, "edges.tsv"), filepath.Join(folder, "walks.txt")
	if err := os.WriteFile(edges, []byte("a b\nb c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "3")
	t.Setenv("OMPI_COMM_WORLD_RANK", "1")
	walk := func(args ...string) (code int, out, said string) {
		var o, e bytes.Buffer
		code = run(t.Context(), append([]string{"walk", edges}, args...), streams{in: strings.NewReader(""), out: &o, err: &e})
		return code, o.String(), e.String()
	}
	if code, out, said := walk(); code != exitDone || out == "" || strings.Contains(said, "rank") {
		t.Errorf("code %d, %d bytes, said %q", code, len(out), said)
	}
	other, err := atomicfile.NewLock(walks)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	if code, _, said := walk("-o", walks); code != exitFailed || !strings.HasPrefix(said, fmt.Sprintf("w2v: %s: is being written by another run (process %d ", walks, os.Getpid())) || strings.Count(said, "\n") != 1 {
		t.Errorf("code %d, said %q", code, said)
	}
	other.Release()
	for range 2 {
		if code, _, said := walk("-o", walks); code != exitDone {
			t.Errorf("code %d, said %q", code, said)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".w2v-*")); left != nil {
		t.Errorf("%v are left", left)
	}
	// A command line that is wrong leaves nothing behind either.
	if code, _, _ := walk("-o", walks, "--walks", "-1"); code != exitUsage {
		t.Errorf("code %d", code)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".w2v-*")); left != nil {
		t.Errorf("%v are left", left)
	}
}
