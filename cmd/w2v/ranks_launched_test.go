package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// Rank 0 alone runs a command that ranks do not share, and says so: the others would write the same files.
func TestOneRankRunsOtherCommands(t *testing.T) {
	edges := filepath.Join(t.TempDir(), "edges.tsv")
	if err := os.WriteFile(edges, []byte("a b\nb c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "3")
	for _, rank := range []string{"1", "0"} {
		t.Setenv("OMPI_COMM_WORLD_RANK", rank)
		var out, said bytes.Buffer
		code := run(t.Context(), []string{"walk", edges}, streams{in: strings.NewReader(""), out: &out, err: &said})
		const note = "note: w2v walk runs in one process: rank 0 runs it, and the other 2 ranks do nothing\n"
		if code != exitDone || (out.Len() > 0) != (rank == "0") || strings.HasPrefix(said.String(), note) != (rank == "0") {
			t.Errorf("rank %s: code %d, %d bytes, said %q", rank, code, out.Len(), said.String())
		}
	}
}
