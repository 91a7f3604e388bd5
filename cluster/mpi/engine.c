//go:build mpi

#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Debian has the header in a folder of the compiler's path; mpicc as compiler knows where it is.
#if __has_include(<mpi.h>)
#include <mpi.h>
#else
#include <mpi/mpi.h>
#endif

// The first message to a rank is the length of the data and as much of the data as fits. The rest goes
// in pieces, from and to memory of w2v_grow. Other data is copied to such memory first: an MPI library may remember
// which memory a network card knows, and it does not notice when the Go runtime gives pages back. Where ranks share
// memory, large pieces take half the time of small ones. Broadcasts are in chunks, which are copied.
// Libraries send messages as short as the first one before the receiver has asked for them.
enum { FIRST = 4000, PIECE = 1 << 30, CHUNK = 256 << 10, HEAD = sizeof(uint64_t), TAG = 1, ANNOUNCED = 2, BLAMED = 3 };

// The first two ranks of a comm watch it: one of them does if the other is silent.
enum { WATCHERS = 2 };

enum what { FIRST_OUT, FIRST_IN, PIECE_OUT, PIECE_IN, WHOLE, LENGTH, SPREAD };

// What one rank and this one send to each other.
typedef struct {
	const char *out;
	uint64_t out_length, out_posted;
	char *first, *in;
	uint64_t in_length, in_posted;
	int out_flying, in_flying;
	int copied; // MPI gets copies of what out has
	int waited; // its first message has not come
} part;

struct w2v_op {
	int comm, root, spread; // spread: it is a broadcast
	uint64_t number;        // of its comm, the same on all ranks
	int announced;
	int open;               // requests
	int missing;            // first messages that have not come
	int undecided;          // lengths were told, and not yet where data go
	int error, told;
	uint64_t length; // of a broadcast
	part *parts;     // by rank; of a broadcast one
	double *values;
	MPI_Comm dup;
	int event, queued;
	w2v_op *next; // that has an event
};

typedef struct {
	w2v_op *op;
	enum what what;
	int rank;
	char *buffer; // NULL if the memory is that of the operation
	uint64_t offset, length;
} slot;

// A team is the ranks of a communicator. Operations number ranks as it does.
typedef struct {
	MPI_Comm comm;
	int rank, size; // of this process, and of all
	int *world;     // by rank: its number among all ranks
	uint64_t begun;  // operations
	uint64_t *heard; // by rank: the last operation that was announced
} team;

static int rank_here, ranks; // among all
// How many pieces to or from a rank, or chunks, are under way at once.
enum { WINDOW = 2, CHUNKS = 4 };

static team *comms;
static int comm_count;
static double alive; // when rank 0 was last heard of

// What a rank has said of whom it waits for.
typedef struct {
	double when; // 0: never
	int count;
	int32_t *ranks;
} blame;

static blame *blames; // by rank
static slot *slots;
static MPI_Request *requests;
static int *completed;
static int open_slots, room;
static int moving; // pieces and chunks under way
static w2v_op *events, **events_end = &events;
static int wake_pipe[2];
static double last; // when something happened
static char *free_firsts, *free_chunks;

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *must(void *memory) {
	if (memory == NULL) {
		fputs("w2v: no memory for the exchange with other ranks\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return memory;
}

static char *take(char **list, size_t size) {
	char *buffer = *list;
	if (buffer == NULL)
		return must(malloc(size));
	memcpy(list, buffer, sizeof *list);
	return buffer;
}

static void give(char **list, char *buffer) {
	memcpy(buffer, list, sizeof *list);
	*list = buffer;
}

void *w2v_grow(void *memory, uint64_t length) { return realloc(memory, length); }
void w2v_release(void *memory) { free(memory); }

static int add_comm(MPI_Comm comm) {
	team t = {.comm = comm};
	MPI_Comm_rank(comm, &t.rank);
	MPI_Comm_size(comm, &t.size);
	t.heard = must(calloc(t.size, sizeof *t.heard));
	t.world = must(malloc(2 * t.size * sizeof *t.world));
	int *here = t.world + t.size;
	for (int rank = 0; rank < t.size; rank++)
		here[rank] = rank;
	MPI_Group all, some;
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Comm_group(comm, &some);
	MPI_Group_translate_ranks(some, t.size, here, all, t.world);
	MPI_Group_free(&some);
	MPI_Group_free(&all);
	comms = must(realloc(comms, (comm_count + 1) * sizeof *comms));
	comms[comm_count] = t;
	return comm_count++;
}

// be_prompt asks the scheduler of Linux for short turns of this thread, which come sooner, and for sleep
// that ends in time: the thread has little to do at a time, and other ranks wait for it. Kernels before
// 6.12 take no notice of the first wish.
static void be_prompt(void) {
#if defined(__linux__) && defined(SYS_sched_setattr)
	prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attributes = {.size = sizeof attributes};
	if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0)
		return;
	attributes.size = sizeof attributes;
	attributes.runtime = 100000; // nanoseconds
	syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

const char *w2v_start(void) {
	static char text[MPI_MAX_ERROR_STRING];
	// The Go runtime handles signals such as SIGSEGV itself; Open MPI must leave them alone.
	setenv("OMPI_MCA_opal_signal", "", 0);
	int initialized = 0, provided = 0, length = 0, err;
	if (MPI_Initialized(&initialized) == MPI_SUCCESS && initialized)
		return "MPI was started before";
	if ((err = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided)) != MPI_SUCCESS) {
		MPI_Error_string(err, text, &length);
		return text;
	}
	if (provided < MPI_THREAD_FUNNELED)
		return "this MPI allows a program no further threads";
	if (pipe(wake_pipe) != 0)
		return strerror(errno);
	for (int i = 0; i < 2; i++) {
		fcntl(wake_pipe[i], F_SETFL, O_NONBLOCK);
		fcntl(wake_pipe[i], F_SETFD, FD_CLOEXEC);
	}
	if (wake_pipe[0] >= FD_SETSIZE)
		return "too many files are open";
	MPI_Comm all, machine, heads;
	int number = 0;
	if ((err = MPI_Comm_dup(MPI_COMM_WORLD, &all)) != MPI_SUCCESS) {
		MPI_Error_string(err, text, &length);
		return text;
	}
	MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN); // which duplicates and parts inherit
	MPI_Comm_rank(all, &rank_here);
	MPI_Comm_size(all, &ranks);
	if ((err = MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank_here, MPI_INFO_NULL, &machine)) == MPI_SUCCESS) {
		MPI_Comm_rank(machine, &number);
		err = MPI_Comm_split(all, number == 0 ? 0 : MPI_UNDEFINED, rank_here, &heads);
	}
	if (err != MPI_SUCCESS) {
		MPI_Error_string(err, text, &length);
		return text;
	}
	alive = now();
	blames = must(calloc(ranks, sizeof *blames));
	be_prompt();
	add_comm(all);
	add_comm(machine);
	if (number == 0)
		add_comm(heads);
	return NULL;
}

int w2v_comms(void) { return comm_count; }
int w2v_rank(int comm) { return comms[comm].rank; }
int w2v_size(int comm) { return comms[comm].size; }
int w2v_world(int comm, int rank) { return comms[comm].world[rank]; }

void w2v_finish(void) { MPI_Finalize(); }

void w2v_wake(void) {
	char byte = 0;
	if (write(wake_pipe[1], &byte, 1) < 0) {
		// The pipe is full: w2v_poll is going to return anyway.
	}
}

static void tell(w2v_op *op, int event) {
	op->event = event;
	if (op->queued)
		return;
	op->queued = 1;
	op->next = NULL;
	*events_end = op;
	events_end = &op->next;
}

// settle tells of an operation what is new.
static void settle(w2v_op *op) {
	if (op->told == W2V_DONE)
		return;
	if (op->error == 0 && op->parts != NULL && op->missing == 0 && op->told == 0) {
		op->told = W2V_LENGTHS;
		op->undecided = 1;
		tell(op, W2V_LENGTHS);
		return;
	}
	if (op->error != 0 || (op->open == 0 && op->missing == 0 && !op->undecided)) {
		op->told = W2V_DONE;
		tell(op, W2V_DONE);
	}
}

// slot_for returns a slot whose request is to be filled in.
static slot *slot_for(w2v_op *op, enum what what, int rank, char *buffer, uint64_t offset, uint64_t length) {
	if (open_slots == room) {
		room = room ? 2 * room : 64;
		slots = must(realloc(slots, room * sizeof *slots));
		requests = must(realloc(requests, room * sizeof *requests));
		completed = must(realloc(completed, room * sizeof *completed));
	}
	slot *s = &slots[open_slots];
	*s = (slot){op, what, rank, buffer, offset, length};
	requests[open_slots] = MPI_REQUEST_NULL;
	op->open++;
	if (what == PIECE_IN || what == PIECE_OUT || what == SPREAD)
		moving++;
	open_slots++;
	last = now();
	return s;
}

#define REQUEST (&requests[open_slots - 1])

static void check(w2v_op *op, int err) {
	if (err != MPI_SUCCESS && op->error == 0)
		op->error = err;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void send_more(w2v_op *op, int rank) {
	part *p = &op->parts[rank];
	while (p->out_posted < p->out_length && p->out_flying < WINDOW) {
		uint64_t length = least(PIECE, p->out_length - p->out_posted);
		const char *from = p->out + p->out_posted;
		char *buffer = NULL;
		if (p->copied)
			from = memcpy(buffer = must(malloc(length)), from, length);
		slot_for(op, PIECE_OUT, rank, buffer, p->out_posted, length);
		check(op, MPI_Isend(from, (int)length, MPI_BYTE, rank, TAG, comms[op->comm].comm, REQUEST));
		p->out_posted += length;
		p->out_flying++;
	}
}

static void receive_more(w2v_op *op, int rank) {
	part *p = &op->parts[rank];
	while (p->in_posted < p->in_length && p->in_flying < WINDOW) {
		uint64_t length = least(PIECE, p->in_length - p->in_posted);
		slot_for(op, PIECE_IN, rank, NULL, p->in_posted, length);
		check(op, MPI_Irecv(p->in + p->in_posted, (int)length, MPI_BYTE, rank, TAG, comms[op->comm].comm, REQUEST));
		p->in_posted += length;
		p->in_flying++;
	}
}

// spread_more goes on with a broadcast.
static void spread_more(w2v_op *op) {
	part *p = &op->parts[0];
	while (p->in_posted < op->length && p->in_flying < CHUNKS) {
		uint64_t length = least(CHUNK, op->length - p->in_posted);
		char *buffer = take(&free_chunks, CHUNK);
		if (comms[op->comm].rank == op->root)
			memcpy(buffer, p->out + p->in_posted, length);
		slot_for(op, SPREAD, 0, buffer, p->in_posted, length);
		check(op, MPI_Ibcast(buffer, (int)length, MPI_BYTE, op->root, comms[op->comm].comm, REQUEST));
		p->in_posted += length;
		p->in_flying++;
	}
}

static w2v_op *new_op(int comm, int parts) {
	w2v_op *op = must(calloc(1, sizeof *op));
	op->comm = comm;
	op->number = ++comms[comm].begun;
	if (parts > 0)
		op->parts = must(calloc(parts, sizeof *op->parts));
	return op;
}

w2v_op *w2v_exchange(int comm, int root) {
	w2v_op *op = new_op(comm, comms[comm].size);
	op->root = root;
	return op;
}

void w2v_send(w2v_op *op, int rank, const void *data, uint64_t length, int copied) {
	op->parts[rank].out = data;
	op->parts[rank].out_length = length;
	op->parts[rank].copied = copied;
}

void w2v_begin(w2v_op *op) {
	MPI_Comm comm = comms[op->comm].comm;
	int here = comms[op->comm].rank, size = comms[op->comm].size;
	int all = op->root < 0;
	// Ranks begin with their neighbours, so that not all of them send to rank 0 first.
	for (int step = 1; step < size; step++) {
		int to = (here + step) % size, from = (here + size - step) % size;
		if (all || here == op->root) {
			char *buffer = take(&free_firsts, FIRST);
			slot_for(op, FIRST_IN, from, buffer, 0, 0);
			op->missing++;
			op->parts[from].waited = 1;
			check(op, MPI_Irecv(buffer, FIRST, MPI_BYTE, from, TAG, comm, REQUEST));
		}
		if (all || to == op->root) {
			part *p = &op->parts[to];
			char *buffer = take(&free_firsts, FIRST);
			uint64_t length = least(FIRST - HEAD, p->out_length);
			memcpy(buffer, &p->out_length, HEAD);
			if (length > 0)
				memcpy(buffer + HEAD, p->out, length);
			p->out_posted = length;
			slot_for(op, FIRST_OUT, to, buffer, 0, length);
			check(op, MPI_Isend(buffer, (int)(HEAD + length), MPI_BYTE, to, TAG, comm, REQUEST));
			send_more(op, to);
		}
	}
	settle(op);
}

w2v_op *w2v_broadcast(int comm, int root, const void *data, uint64_t length) {
	w2v_op *op = new_op(comm, 1);
	op->root = root;
	op->spread = 1;
	op->parts[0].out = data;
	op->length = length;
	slot_for(op, LENGTH, 0, NULL, 0, 0);
	op->missing = 1;
	check(op, MPI_Ibcast(&op->length, HEAD, MPI_BYTE, root, comms[comm].comm, REQUEST));
	settle(op);
	return op;
}

w2v_op *w2v_reduce(int comm, int reduction, const double *values, int count) {
	const MPI_Op how[] = {MPI_SUM, MPI_MAX, MPI_MIN};
	w2v_op *op = new_op(comm, 0);
	op->length = count;
	op->values = must(malloc((count + 1) * sizeof *values));
	memcpy(op->values, values, count * sizeof *values);
	slot_for(op, WHOLE, 0, NULL, 0, 0);
	check(op, MPI_Iallreduce(MPI_IN_PLACE, op->values, count, MPI_DOUBLE, how[reduction], comms[comm].comm, REQUEST));
	settle(op);
	return op;
}

w2v_op *w2v_barrier(int comm) {
	w2v_op *op = new_op(comm, 0);
	slot_for(op, WHOLE, 0, NULL, 0, 0);
	check(op, MPI_Ibarrier(comms[comm].comm, REQUEST));
	settle(op);
	return op;
}

w2v_op *w2v_dup(int comm) {
	w2v_op *op = new_op(comm, 0);
	slot_for(op, WHOLE, 0, NULL, 0, 0);
	check(op, MPI_Comm_idup(comms[comm].comm, &op->dup, REQUEST));
	settle(op);
	return op;
}

// finish handles a request that is complete.
static void finish(slot s) {
	w2v_op *op = s.op;
	op->open--;
	switch (s.what) {
	case FIRST_OUT:
		give(&free_firsts, s.buffer);
		break;
	case FIRST_IN:
		memcpy(&op->parts[s.rank].in_length, s.buffer, HEAD);
		op->parts[s.rank].first = s.buffer;
		op->parts[s.rank].waited = 0;
		op->missing--;
		break;
	case PIECE_OUT:
		moving--;
		op->parts[s.rank].out_flying--;
		free(s.buffer);
		send_more(op, s.rank);
		break;
	case PIECE_IN:
		moving--;
		op->parts[s.rank].in_flying--;
		receive_more(op, s.rank);
		break;
	case LENGTH:
		op->missing = 0;
		break;
	case SPREAD:
		moving--;
		op->parts[0].in_flying--;
		if (comms[op->comm].rank != op->root)
			memcpy(op->parts[0].in + s.offset, s.buffer, s.length);
		give(&free_chunks, s.buffer);
		spread_more(op);
		break;
	case WHOLE:
		break;
	}
	settle(op);
}

// progress lets MPI work, and handles what is complete. It returns whether anything is.
static int progress(void) {
	int count = 0;
	int err = MPI_Testsome(open_slots, requests, &count, completed, MPI_STATUSES_IGNORE);
	if (err != MPI_SUCCESS) {
		for (int i = 0; i < open_slots; i++) {
			check(slots[i].op, err);
			settle(slots[i].op);
		}
		return 0;
	}
	if (count == MPI_UNDEFINED || count == 0)
		return 0;
	static slot *done;
	static int most;
	if (most < count)
		done = must(realloc(done, (most = count) * sizeof *done));
	for (int i = 0; i < count; i++)
		done[i] = slots[completed[i]];
	int kept = 0;
	for (int i = 0; i < open_slots; i++) {
		if (requests[i] == MPI_REQUEST_NULL)
			continue;
		slots[kept] = slots[i];
		requests[kept++] = requests[i];
	}
	open_slots = kept;
	last = now();
	for (int i = 0; i < count; i++)
		finish(done[i]);
	return 1;
}

// doze sleeps until w2v_wake is called, or for a while. It returns whether w2v_wake was called.
static int doze(void) {
	double waited = now() - last;
	// An eighth of the time that was waited so far costs little, and delays little. To fall asleep and wake takes some microseconds of the processor.
	double shortest = 2e-5, longest = moving > 0 && waited < 0.2 ? 1e-4 : 2e-3;
	double seconds = waited / 8 < shortest ? shortest : waited / 8 > longest ? longest : waited / 8;
	struct timeval limit = {0, (suseconds_t)(1e6 * seconds)};
	fd_set set;
	FD_ZERO(&set);
	FD_SET(wake_pipe[0], &set);
	if (select(wake_pipe[0] + 1, &set, NULL, NULL, &limit) <= 0)
		return 0;
	char bytes[64];
	while (read(wake_pipe[0], bytes, sizeof bytes) > 0) {
	}
	return 1;
}

w2v_op *w2v_poll(int *event) {
	for (;;) {
		int more = events == NULL && open_slots > 0 && progress(); // what was complete may let MPI go on at once
		if (events != NULL) {
			w2v_op *op = events;
			events = op->next;
			if (events == NULL)
				events_end = &events;
			op->queued = 0;
			*event = op->event;
			return op;
		}
		if (open_slots == 0 || (!more && doze()))
			return NULL;
	}
}

// What a rank announces last.
static const uint64_t farewell = UINT64_MAX;

void w2v_abort(int code) {
	int done;
	MPI_Request request;
	if (rank_here != 0 && MPI_Isend(&farewell, HEAD, MPI_BYTE, 0, ANNOUNCED, comms[0].comm, &request) == MPI_SUCCESS)
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
	MPI_Abort(MPI_COMM_WORLD, code);
}

int w2v_aborted(void) {
	w2v_hear();
	for (int rank = 0; rank < ranks; rank++) {
		if (comms[0].heard[rank] == farewell)
			return 1;
	}
	return 0;
}

static int of_pairs(w2v_op *op) { return op->parts != NULL && !op->spread; }

void w2v_blame(const int32_t *of, int count) {
	enum { MOST = FIRST / sizeof *of };
	static MPI_Request sending[WATCHERS] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	static int32_t said[WATCHERS][MOST];
	for (int to = 0; to < WATCHERS && to < ranks; to++) {
		int done = 1;
		if (to == rank_here || MPI_Test(&sending[to], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !done)
			continue; // a watcher that does not listen has what was said last
		count = count < MOST ? count : MOST;
		memcpy(said[to], of, count * sizeof *of);
		MPI_Isend(said[to], count, MPI_INT32_T, to, BLAMED, comms[0].comm, &sending[to]);
	}
}

// hear_blame takes what other ranks have said of whom they wait for.
static void hear_blame(void) {
	for (;;) {
		MPI_Status status;
		int there = 0, count;
		if (MPI_Iprobe(MPI_ANY_SOURCE, BLAMED, comms[0].comm, &there, &status) != MPI_SUCCESS || !there)
			return;
		MPI_Get_count(&status, MPI_INT32_T, &count);
		blame *b = &blames[status.MPI_SOURCE];
		b->ranks = must(realloc(b->ranks, (count + 1) * sizeof *b->ranks));
		if (MPI_Recv(b->ranks, count, MPI_INT32_T, status.MPI_SOURCE, BLAMED, comms[0].comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
			return;
		b->count = count;
		b->when = now();
	}
}

int w2v_blames(int rank, double seconds, const int32_t **of) {
	const blame *b = &blames[rank];
	*of = b->ranks;
	return b->when == 0 || now() - b->when >= seconds ? -1 : b->count;
}

void w2v_announce(w2v_op *op) {
	if (op->announced || op->told == W2V_DONE || of_pairs(op))
		return;
	op->announced = 1;
	team *of = &comms[op->comm];
	for (int to = 0; to < WATCHERS && to < of->size; to++) {
		if (to == of->rank)
			continue;
		char *buffer = take(&free_firsts, FIRST);
		memcpy(buffer, &op->number, HEAD);
		slot_for(op, FIRST_OUT, to, buffer, 0, HEAD);
		check(op, MPI_Isend(buffer, HEAD, MPI_BYTE, to, ANNOUNCED, of->comm, REQUEST));
	}
}

void w2v_hear(void) {
	static MPI_Request beat = MPI_REQUEST_NULL;
	static const uint64_t nothing = 0; // is announced by who only lives
	int done = 1;
	if (rank_here == 0 && ranks > 1 && MPI_Test(&beat, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done)
		MPI_Isend(&nothing, HEAD, MPI_BYTE, 1, ANNOUNCED, comms[0].comm, &beat);
	hear_blame();
	for (int comm = 0; comm < comm_count; comm++) {
		while (comms[comm].rank < WATCHERS) {
			MPI_Status status;
			uint64_t number;
			int there = 0;
			if (MPI_Iprobe(MPI_ANY_SOURCE, ANNOUNCED, comms[comm].comm, &there, &status) != MPI_SUCCESS || !there)
				break;
			int from = status.MPI_SOURCE;
			if (MPI_Recv(&number, HEAD, MPI_BYTE, from, ANNOUNCED, comms[comm].comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
				break;
			if (number > comms[comm].heard[from])
				comms[comm].heard[from] = number;
			if (comms[comm].world[from] == 0)
				alive = now();
		}
	}
}

int w2v_waits(w2v_op *op, int rank, double seconds) {
	if (of_pairs(op))
		return op->parts[rank].waited;
	team *of = &comms[op->comm];
	if (of->rank >= WATCHERS || rank == of->rank || of->heard[rank] >= op->number || (op->spread && rank != op->root))
		return 0;
	return of->world[rank] != 0 || (rank_here < WATCHERS && now() - alive >= seconds);
}

uint64_t w2v_length(w2v_op *op, int rank) {
	return op->spread ? op->length : op->parts[rank].in_length;
}

void w2v_receive(w2v_op *op, int rank, void *to) {
	part *p = &op->parts[rank];
	p->in = to;
	if (op->spread) {
		spread_more(op);
		return;
	}
	uint64_t length = least(FIRST - HEAD, p->in_length);
	if (length > 0)
		memcpy(to, p->first + HEAD, length);
	p->in_posted = length;
	if (p->first != NULL)
		give(&free_firsts, p->first);
	p->first = NULL;
	receive_more(op, rank);
}

void w2v_received(w2v_op *op) {
	op->undecided = 0;
	settle(op);
}

int w2v_error(w2v_op *op, char *text, int room) {
	char full[MPI_MAX_ERROR_STRING] = "";
	int length = 0;
	if (op->error != 0) {
		MPI_Error_string(op->error, full, &length);
		snprintf(text, room, "%s", full);
	}
	return op->error;
}

void w2v_values(w2v_op *op, double *to) { memcpy(to, op->values, op->length * sizeof *to); }
int w2v_dup_comm(w2v_op *op) { return add_comm(op->dup); }

void w2v_free(w2v_op *op) {
	free(op->parts);
	free(op->values);
	free(op);
}
