//go:build mpi

package mpi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/cluster/mpi"
)

// role, in the environment, says what a process does that mpirun has started for a test.
const role = "W2V_MPI_TEST_ROLE"

func TestMain(m *testing.M) {
	if name := os.Getenv(role); name != "" {
		world, err := mpi.Start()
		if err == nil {
			err = roles[name](world)
		}
		if err != nil {
			fmt.Printf("FAILED: %v\n", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var roles = map[string]func(*mpi.World) error{
	"trial": func(w *mpi.World) error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := try(ctx, w, 3_000_000); err != nil {
			return fmt.Errorf("rank %d: %w", w.Rank(), err)
		}
		fmt.Printf("rank %d of %d is done\n", w.Rank(), w.Size())
		return w.Finish(ctx)
	},
	"panic": func(w *mpi.World) error {
		var nowhere *int
		defer func() {
			fmt.Printf("rank %d recovered: %v\n", w.Rank(), recover())
			if err := w.Finish(context.Background()); err != nil {
				panic(err)
			}
		}()
		*nowhere = 1
		return nil
	},
	"silent": func(w *mpi.World) error {
		ctx := context.Background()
		const long = 300 * time.Millisecond
		other, err := w.Dup(ctx)
		if err != nil {
			return err
		}
		// Ranks 0 and 1 watch, and who is late does what it has to do alone.
		for _, wait := range []struct {
			name string
			late int
			dead bool // the late rank does not call Silent either
			run  func() error
			want string
		}{
			{"Barrier", 2, false, func() error { return w.Barrier(ctx) }, "[2]"},
			{"AllReduce", 1, false, func() error { return w.AllReduce(ctx, cluster.Sum, make([]float64, 2)) }, "[1]"},
			{"Broadcast", 2, false, func() error { _, err := w.Broadcast(ctx, 2, []byte("text")); return err }, "[2]"},
			{"exchange", 2, false, func() error { _, err := w.AllToAll(ctx, make([][]byte, w.Size())); return err }, "[2]"},
			{"another wait", 2, false, func() error { // rank 0 waits for rank 1, which waits for rank 2
				exchanged := make(chan error, 1)
				exchange := func() { _, err := other.AllToAll(ctx, make([][]byte, w.Size())); exchanged <- err }
				if w.Rank() == 0 {
					go exchange()
				} else {
					exchange()
				}
				return errors.Join(w.Barrier(ctx), <-exchanged)
			}, "[2]"},
			{"working alone", 0, false, func() error { _, err := w.Broadcast(ctx, 0, nil); return err }, "[]"},
			{"stopped", 0, true, func() error { return w.Barrier(ctx) }, "[0]"},
		} {
			watching, stop := context.WithCancel(ctx)
			var silent []int
			var watch sync.WaitGroup
			watch.Go(func() {
				for watching.Err() == nil {
					if w.Rank() != wait.late || !wait.dead {
						if now := w.Silent(long); len(now) > len(silent) {
							silent = now
						}
					}
					time.Sleep(long / 10)
				}
			})
			if w.Rank() == wait.late {
				time.Sleep(3 * long)
			}
			err := wait.run()
			stop()
			if watch.Wait(); err != nil {
				return err
			}
			if w.Rank() < 2 && w.Rank() != wait.late && fmt.Sprint(silent) != wait.want {
				return fmt.Errorf("%s: to rank %d %v are silent, want %s", wait.name, w.Rank(), silent, wait.want)
			}
			if err := w.Barrier(ctx); err != nil {
				return err
			}
		}
		return w.Finish(ctx)
	},
	"exit": func(w *mpi.World) error {
		if w.Rank() == 1 {
			w.Exit(7)
		}
		signal.Ignore(syscall.SIGTERM)
		for begun := time.Now(); w.Rank() == 0 && time.Since(begun) < 10*time.Second; {
			if w.Exited() {
				fmt.Println("rank 0 knows")
				break
			}
		}
		return w.Barrier(context.Background())
	},
	"given up": func(w *mpi.World) error {
		if w.Rank() == 0 { // the other never takes part
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancel()
			if _, err := w.AllToAll(ctx, make([][]byte, w.Size())); !errors.Is(err, context.DeadlineExceeded) {
				return fmt.Errorf("what the other takes no part in ends with %v", err)
			}
		}
		return w.Finish(context.Background())
	},
	"wait": func(w *mpi.World) error {
		const seconds = 2
		before := cpuTime()
		if w.Rank() == 1 {
			time.Sleep(seconds * time.Second)
		}
		if err := w.Barrier(context.Background()); err != nil {
			return err
		}
		fmt.Printf("rank %d used %.3f s\n", w.Rank(), (cpuTime() - before).Seconds())
		return w.Finish(context.Background())
	},
}

// run runs a role in n processes, and returns what they print and mpirun's exit code.
func run(t *testing.T, n int, name string) (string, int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "mpirun", "-np", strconv.Itoa(n), "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", self)
	c.Env = append(os.Environ(), role+"="+name)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatalf("mpirun: %v", err)
	}
	return out.String(), c.ProcessState.ExitCode()
}

func TestOperations(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("%d ranks", n), func(t *testing.T) {
			out, code := run(t, n, "trial")
			if code != 0 || strings.Count(out, fmt.Sprintf(" of %d is done", n)) != n {
				t.Errorf("exit code %d:\n%s", code, out)
			}
		})
	}
}

// MPI must not take the signals with which the Go runtime notices a nil pointer.
func TestPanicsAreGos(t *testing.T) {
	out, code := run(t, 2, "panic")
	if code != 0 || strings.Count(out, "recovered: runtime error: invalid memory address") != 2 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// Ranks that others wait for are known, whatever they wait in.
func TestSilentRanks(t *testing.T) {
	if out, code := run(t, 3, "silent"); code != 0 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestExitEndsAll(t *testing.T) {
	out, code := run(t, 3, "exit")
	if code != 7 || !strings.Contains(out, "rank 0 knows") {
		t.Errorf("exit code %d, want 7:\n%s", code, out)
	}
}

// An exchange that was given up does not keep ranks from leaving.
func TestFinishGivesUpOperations(t *testing.T) {
	if out, code := run(t, 2, "given up"); code != 0 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// A rank that waits for others leaves the processor alone.
func TestWaitingCostsLittle(t *testing.T) {
	out, code := run(t, 2, "wait")
	var used float64
	for line := range strings.Lines(out) {
		_, _ = fmt.Sscanf(line, "rank 0 used %f s", &used)
	}
	if code != 0 || used == 0 || used > 0.3 {
		t.Errorf("rank 0 used %v s of 2 s that it waited, exit code %d:\n%s", used, code, out)
	}
}
