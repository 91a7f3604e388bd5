package step

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// A Replica is a worker's own copy of a replicated matrix, one so small that every block of
// every worker changes all of it. A worker hands over what its copy has changed by after
// every text: workers do not wait for each other's cache lines.
type Replica struct {
	Own    simd.Block // what the worker trains
	shared vectors.Matrix
	began  simd.Block // what Own was when it was taken
	rows   simd.Lists // each row alone
	all    []uint32
}

func newReplica(shared vectors.Matrix) *Replica {
	r := &Replica{
		shared: shared,
		Own:    NewRows(shared.Rows, shared.Cols),
		began:  NewRows(shared.Rows, shared.Cols),
		rows:   EachAlone(shared.Rows),
	}
	for i := range shared.Rows {
		r.all = append(r.all, uint32(i))
	}
	return r
}

// Rows are all rows of a matrix of the replica's shape.
func (r *Replica) Rows(of simd.Block) simd.Rows {
	return simd.Rows{Data: of.Data, Stride: of.Stride, IDs: r.all}
}

// take takes the matrix as it is.
func (r *Replica) take() {
	simd.GatherLists(r.Own, r.shared.Data, r.shared.Stride, r.rows, r.all)
	copy(r.began.Data, r.Own.Data)
}

// give adds to the matrix what the worker's copy has changed by since it was taken.
func (r *Replica) give() {
	for i, began := range r.began.Data {
		r.began.Data[i] = r.Own.Data[i] - began
	}
	simd.ScatterLists(r.shared.Data, r.shared.Stride, r.rows, r.all, r.began)
}

// Replicas are a worker's copies of all replicated matrices of a run.
type Replicas struct {
	names []string
	all   []*Replica
}

// NewReplicas copies the replicated matrices.
func NewReplicas(values *params.Values) *Replicas {
	r := &Replicas{}
	for m, rows := range values.Owned() {
		if m.Replicated {
			r.names, r.all = append(r.names, m.Name), append(r.all, newReplica(rows))
		}
	}
	return r
}

// Of returns the copy of the matrix of that name. It panics if that is not replicated.
func (r *Replicas) Of(name string) *Replica {
	for i, n := range r.names {
		if n == name {
			return r.all[i]
		}
	}
	panic("step: matrix " + name + " is not replicated")
}

// Take makes the copies what the matrices are now.
func (r *Replicas) Take() {
	for _, replica := range r.all {
		replica.take()
	}
}

// Give adds to the matrices what the copies have changed by.
func (r *Replicas) Give() {
	for _, replica := range r.all {
		replica.give()
	}
}

// ReplicaBytes is the size of the copies of replicated matrices.
func ReplicaBytes(list params.List) (bytes float64) {
	for m := range list.Owned() {
		if m.Replicated {
			bytes += float64(m.Rows) * (2*RowBytes(m.Cols) + Grown*(AloneBytes+4))
		}
	}
	return bytes
}
