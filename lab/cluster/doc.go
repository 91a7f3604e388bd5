// Package cluster runs w2v on several ranks with mpirun: on this machine, or in two network namespaces
// that only a link joins, so that what ranks send each other is real and can be counted.
//
// Its tests and its programs measure, variants and exchange need Open MPI, and root for namespaces.
package cluster
