package main

import (
	"os"
	"strconv"
)

// launchers have names in the environment for the rank of a process and for the number of processes.
var launchers = []struct{ rank, size string }{
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, // Open MPI's mpirun
	{"PMI_RANK", "PMI_SIZE"},                         // other launchers
	{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},            // srun --mpi=pmix
	{"PMIX_RANK", "SLURM_NTASKS"},
}

// launched returns the rank that a launcher such as mpirun has given to this process, and how many
// processes it has started: 0 and 1 without a launcher.
func launched() (rank, size int) {
	for _, names := range launchers {
		rank, errRank := strconv.Atoi(os.Getenv(names.rank))
		size, errSize := strconv.Atoi(os.Getenv(names.size))
		if errRank == nil && errSize == nil {
			return rank, size
		}
	}
	return 0, 1
}
