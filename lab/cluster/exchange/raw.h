//go:build mpi

#include <stdint.h>

// raw_start starts MPI as a C program does.
void raw_start(int *rank, int *size);
// raw_exchange sends as many bytes to each rank as it gets from each, with MPI_Alltoallv, and returns the seconds.
double raw_exchange(uint64_t bytes);
// raw_sum adds up a number of all ranks.
double raw_sum(double x);
void raw_end(void);
