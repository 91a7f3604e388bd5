package main

import "testing"

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
