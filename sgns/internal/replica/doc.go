// Package replica keeps the rows that all ranks of a run train alike, while they train.
//
// Each rank has all rows, and its workers change them. A [Synchroniser] also keeps a reference: the
// rows as all ranks know them. The difference between a row and its reference is what the rank has
// not told the others yet. In a turn, each rank sends these changes of the rows that are due to the
// rows' owners. An owner combines the changes of a row, and sends the result to all ranks. Each rank
// then adds to its row what the others contributed, and moves the reference by the combined change.
// So all references stay equal, bit by bit, and what coding rounds away stays in the difference, to be
// sent later.
//
// Workers never stop for a turn: the synchroniser is one more Hogwild worker. They stop for a complete
// turn, after which the rows of all ranks are equal.
package replica
