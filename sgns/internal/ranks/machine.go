package ranks

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/internal/sharedmem"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/plan"
)

// A machine is ranks that train one copy of the parameters, in memory that they share, as threads of one process do. The first
// of them, the head, exchanges changes with the heads of other machines.
type machine struct {
	comm     cluster.Comm // the ranks of the machine
	heads    cluster.Comm // the heads of all machines; nil if this rank is not a head
	count    int          // of machines
	unshared string       // why ranks of a machine do not share memory, though they are to; else empty
}

// machineOf returns the machine of a rank. If ranks of any machine cannot share memory, or are not to, each rank is a machine.
func machineOf(ctx context.Context, comm cluster.Comm, share bool) (*machine, error) {
	m := &machine{}
	var err error
	if m.comm, m.heads, err = comm.Machine(ctx); err != nil {
		return nil, err
	}
	sums := []float64{0, 0} // ranks that share no memory, and heads
	var reason []byte
	if !share {
		sums[0] = 1
	} else if memory, err := m.memory(ctx, 16); err != nil {
		if sums[0] = 1; !errors.Is(err, errOthers) {
			reason = []byte(err.Error())
		}
	} else {
		memory.Unmap()
	}
	if m.heads != nil {
		sums[1] = 1
	}
	if err := comm.AllReduce(ctx, cluster.Sum, sums); err != nil {
		return nil, err
	}
	if m.count = int(sums[1]); sums[0] == 0 {
		return m, nil
	}
	m.release()
	each := &machine{heads: comm, count: comm.Size()}
	reasons, err := comm.Gather(ctx, 0, reason)
	if err != nil {
		return nil, err
	}
	for _, reason := range reasons {
		if each.unshared == "" && m.count < comm.Size() { // else no machine has several ranks
			each.unshared = string(reason)
		}
	}
	return each, nil
}

// release gives back the memory of the Comms that machineOf has made.
func (m *machine) release() {
	if m.comm == nil { // heads is the caller's
		return
	}
	m.comm.Release()
	if m.heads != nil {
		m.heads.Release()
	}
}

// size returns how many ranks the machine has.
func (m *machine) size() int {
	if m.comm == nil {
		return 1
	}
	return m.comm.Size()
}

// wait waits for the other ranks of the machine.
func (m *machine) wait(ctx context.Context) error {
	if m.size() == 1 {
		return nil
	}
	return m.comm.Barrier(ctx)
}

var errOthers = errors.New("other ranks of this machine cannot share memory")

// memory returns memory that all ranks of the machine share, for so many numbers: zeros. On error, it fails on all of them.
func (m *machine) memory(ctx context.Context, numbers int) (*sharedmem.Memory, error) {
	const sign = 16 // bytes at the beginning, by which ranks recognise the memory
	name := make([]byte, sign)
	var memory *sharedmem.Memory
	var found error
	if m.comm.Rank() == 0 {
		_, _ = rand.Read(name) // never fails
		if memory, found = sharedmem.Create(max(numbers, sign)); found == nil {
			for i := range sign / 4 {
				memory.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(name[4*i:]))
			}
			name = append(name, memory.Name...)
			defer memory.Settle()
		}
	}
	name, err := m.comm.Broadcast(ctx, 0, name)
	if err != nil {
		return nil, err
	}
	if m.comm.Rank() > 0 {
		if memory, found = sharedmem.Open(string(name[sign:]), max(numbers, sign)); found == nil {
			for i := range sign / 4 {
				if math.Float32bits(memory.Data[i]) != binary.LittleEndian.Uint32(name[4*i:]) {
					found = fmt.Errorf("rank %d of a machine does not see the memory of the first one", m.comm.Rank())
				}
			}
		}
	}
	failed := []float64{0}
	if found != nil {
		failed[0] = 1
	}
	if err := m.comm.AllReduce(ctx, cluster.Sum, failed); err != nil {
		return nil, err
	}
	if failed[0] > 0 {
		if found == nil {
			memory.Unmap()
			found = errOthers
		}
		return nil, found
	}
	if m.comm.Rank() == 0 {
		clear(memory.Data[:sign/4])
	}
	return memory, nil
}

// place divides the groups of the machine's workers among its ranks.
func (m *machine) place(ctx context.Context, p *plan.Placement, workers int) error {
	const most = 16 // words of sysinfo.Allowed
	own := make([]uint64, 2+most)
	if n := len(p.Groups); n > 0 {
		own[0] = uint64(p.Groups[n-1] + 1)
	}
	own[1] = uint64(workers)
	copy(own[2:], sysinfo.Allowed()) // none, if they are not known
	data, _ := binary.Append(nil, binary.LittleEndian, own)
	received, err := m.comm.AllToAll(ctx, slices.Repeat([][]byte{data}, m.size()))
	if err != nil {
		return err
	}
	groups, all, processors := own[0], uint64(0), make([]uint64, len(own)-2)
	for _, data := range received {
		other := make([]uint64, len(own))
		if _, err := binary.Decode(data, binary.LittleEndian, other); err != nil {
			return err
		}
		groups, all = min(groups, other[0]), all+other[1]
		for i := range processors {
			processors[i] |= other[2+i]
		}
	}
	atOnce := 0
	for _, set := range processors {
		atOnce += bits.OnesCount64(set)
	}
	if int(all) > atOnce { // workers that take turns on a processor would share too little with those that run
		groups = 0
	}
	p.Beside(m.comm.Rank(), m.size(), int(groups), int(all))
	return nil
}

// agree drops copies of rows that a rank of the machine has not planned.
func (m *machine) agree(ctx context.Context, list params.List) error {
	planned := make([]float64, len(list))
	for i := range list {
		if list[i].Copied != nil {
			planned[i] = 1
		}
	}
	if err := m.comm.AllReduce(ctx, cluster.Min, planned); err != nil {
		return err
	}
	for i := range list {
		if planned[i] == 0 {
			list[i].Copied = nil
		}
	}
	return nil
}

// allocate returns the parameters of the machine and, if there are other machines, memory for what these know of them.
func (m *machine) allocate(ctx context.Context, list params.List) (values, reference *params.Values, err error) {
	plain := slices.Clone(list)
	for i := range plain {
		plain[i].Copied = nil
	}
	numbers, more := list.Numbers(), 0
	if m.count > 1 {
		more = plain.Numbers()
	}
	first, err := m.comm.Broadcast(ctx, 0, binary.LittleEndian.AppendUint64(nil, uint64(numbers)))
	if err != nil {
		return nil, nil, err
	}
	if len(first) != 8 || binary.LittleEndian.Uint64(first) != uint64(numbers) {
		return nil, nil, fmt.Errorf("sgns: rank %d of a machine has parameters of another size than the first: all ranks must get the same command line", m.comm.Rank())
	}
	memory, err := m.memory(ctx, numbers+more)
	if err != nil {
		return nil, nil, fmt.Errorf("sgns: memory for the parameters: %w", err)
	}
	values = params.AllocateIn(list, memory.Data)
	if more > 0 {
		reference = params.AllocateIn(plain, memory.Data[numbers:])
	}
	return values, reference, nil
}
