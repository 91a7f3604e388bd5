package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
)

// untilSignals is untilSignals for what may be a run of several processes. In such a run SIGUSR1, which
// mpirun passes on to all ranks, asks to stop and save, too. mpirun sends SIGTERM to all ranks if
// somebody interrupts it, and also if a rank has died. goOn says how to go on then.
func (m *membership) untilSignals(ctx context.Context, stderr io.Writer, goOn func() string) (stopping, givingUp context.Context, stop context.CancelFunc) {
	if m.world == nil {
		return untilSignals(ctx, stderr)
	}
	i := listenForSignals(ctx, stderr, m.said.aloud(), append(endingSignals(), forwardedSignals...), func(s os.Signal) {
		switch why := m.lost(); {
		case s != syscall.SIGTERM:
		case m.world.Exited(): // and has said why
			m.ended.Store(true)
		case why != "":
			m.said.failed(why + goOn())
			m.world.Exit(exitFailed)
		default:
			m.ended.Store(true)
			fmt.Fprintf(stderr, "mpirun ends the run, because somebody has interrupted it, or a rank or its machine has failed%s\n", goOn())
		}
	})
	select {
	case s := <-m.early:
		i.heard <- s
	default:
	}
	go m.watch(i.stopping)
	return i.stopping, i.givingUp, sync.OnceFunc(i.end)
}

// lost says which rank on this machine has died; empty if none has, and if a lower rank of this machine
// lives, which says it.
func (m *membership) lost() string {
	here, dead := m.at[m.rank], -1
	for rank, at := range m.at {
		switch {
		case at.Host != here.Host || rank == m.rank:
		case !alive(at.Process):
			dead = max(dead, rank)
		case rank < m.rank:
			return ""
		}
	}
	if dead < 0 {
		return ""
	}
	return fmt.Sprintf("rank %d (process %d on %s) has died, which ends the run", dead, m.at[dead].Process, here.Host)
}
