//go:build mpi

// The operations of package mpi, as one thread runs them. All functions but w2v_wake are for the thread
// that called w2v_start.

#include <stdint.h>

// An operation that was started. It belongs to its caller until w2v_free.
typedef struct w2v_op w2v_op;

enum w2v_event {
	W2V_LENGTHS = 1, // what w2v_length returns is known: w2v_receive says where the data go
	W2V_DONE,        // or failed: see w2v_error
};

enum w2v_reduction { W2V_SUM, W2V_MAX, W2V_MIN };

// w2v_start joins the ranks. It returns a text that says what went wrong, or NULL.
const char *w2v_start(void);
// A comm is a number. After w2v_start, W2V_ALL has all ranks, W2V_MACHINE those that share memory with this one, and
// W2V_HEADS the first of each machine, if this is one of them: w2v_comms tells how many comms there are.
enum w2v_comm { W2V_ALL, W2V_MACHINE, W2V_HEADS };
int w2v_comms(void);
int w2v_rank(int comm);
int w2v_size(int comm);
int w2v_world(int comm, int rank); // the number of a rank among all
// w2v_finish leaves the ranks. Others must be about to do so too.
void w2v_finish(void);
// w2v_abort ends all processes. Rank 0 knows from w2v_aborted that another rank has called it, if there is time.
void w2v_abort(int code);
int w2v_aborted(void);

// Each begins an operation. comm is one of those above, or what w2v_dup_comm returned. Ranks are those of the comm.
w2v_op *w2v_exchange(int comm, int root); // root -1: all to all; else all to root
w2v_op *w2v_broadcast(int comm, int root, const void *data, uint64_t length);
w2v_op *w2v_reduce(int comm, int reduction, const double *values, int count);
w2v_op *w2v_barrier(int comm);
w2v_op *w2v_dup(int comm);

// w2v_grow returns memory that MPI may read and write, with the content of memory, which is NULL or of w2v_grow and
// must not be used any more; or NULL if there is none. Any thread may call it and w2v_release.
void *w2v_grow(void *memory, uint64_t length);
void w2v_release(void *memory);

// w2v_send gives an exchange what goes to a rank: all ranks that get anything get it before w2v_begin.
// The memory stays in use until the operation is done. MPI gets copies unless it is of w2v_grow.
void w2v_send(w2v_op *op, int rank, const void *data, uint64_t length, int copied);
void w2v_begin(w2v_op *op);

// w2v_poll goes on with all operations until one has an event, and returns that one. It returns NULL if
// w2v_wake was called, or if no operation goes on. While nothing happens, it sleeps longer and longer.
w2v_op *w2v_poll(int *event);
// w2v_wake makes w2v_poll return. Any thread may call it.
void w2v_wake(void);

// w2v_announce tells the ranks that watch a comm, its first two, that this one waits in an operation of all ranks together:
// MPI does not say for whom it waits there. w2v_hear takes what others have announced.
void w2v_announce(w2v_op *op);
void w2v_hear(void);
// w2v_waits returns whether an operation waits for a rank: for its first message, or to take part. Rank 0 works
// alone at times, and is not waited for as long as it lives, of which it tells when it calls w2v_hear at least that often.
int w2v_waits(w2v_op *op, int rank, double seconds);
// w2v_blame tells ranks 0 and 1 that this rank waits, and for which ranks among all, as far as it knows. w2v_blames
// returns how many ranks a rank has named in the last seconds, and which, or -1 if it has not said that it waits.
void w2v_blame(const int32_t *of, int count);
int w2v_blames(int rank, double seconds, const int32_t **of);

// After W2V_LENGTHS: how much a rank sends, and where to put it; then w2v_received. What exchanges receive goes to
// memory of w2v_grow. A broadcast has one length, of its root.
uint64_t w2v_length(w2v_op *op, int rank);
void w2v_receive(w2v_op *op, int rank, void *to);
void w2v_received(w2v_op *op);

// After W2V_DONE.
int w2v_error(w2v_op *op, char *text, int room); // 0 for none
void w2v_values(w2v_op *op, double *to);
int w2v_dup_comm(w2v_op *op);
void w2v_free(w2v_op *op);
