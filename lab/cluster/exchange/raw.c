//go:build mpi

#include "raw.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<mpi.h>)
#include <mpi.h>
#else
#include <mpi/mpi.h>
#endif

static int ranks;

void raw_start(int *rank, int *size) {
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	MPI_Comm_size(MPI_COMM_WORLD, size);
	ranks = *size;
}

double raw_exchange(uint64_t bytes) {
	static char *from, *to;
	static int *counts, *places;
	if (from == NULL) {
		from = malloc(bytes * ranks);
		to = malloc(bytes * ranks);
		memset(from, 1, bytes * ranks);
		memset(to, 1, bytes * ranks);
		counts = malloc(ranks * sizeof *counts);
		places = malloc(ranks * sizeof *places);
		for (int i = 0; i < ranks; i++) {
			counts[i] = (int)bytes;
			places[i] = (int)(i * bytes);
		}
	}
	MPI_Barrier(MPI_COMM_WORLD);
	double begun = MPI_Wtime();
	MPI_Alltoallv(from, counts, places, MPI_BYTE, to, counts, places, MPI_BYTE, MPI_COMM_WORLD);
	return MPI_Wtime() - begun;
}

double raw_sum(double x) {
	MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return x;
}

void raw_end(void) { MPI_Finalize(); }
