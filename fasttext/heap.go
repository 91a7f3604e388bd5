package fasttext

// A neighbor is a word and how near it is.
type neighbor struct {
	similarity float32
	id         int
}

// Which of several words that are equally near are kept, and in which order, follows from how the
// standard library of GNU C++ moves the elements of a heap. These functions do as it does; the least
// similar word is in front.

// push adds an element to a heap.
func push(heap []neighbor, x neighbor) []neighbor {
	heap = append(heap, x)
	rise(heap, len(heap)-1, x)
	return heap
}

// pop moves the first element of a heap behind the others, and returns these.
func pop(heap []neighbor) []neighbor {
	last := len(heap) - 1
	x := heap[last]
	heap[last] = heap[0]
	heap = heap[:last]
	hole, child := 0, 0
	for child < (last-1)/2 {
		child = 2 * (child + 1)
		if heap[child].similarity > heap[child-1].similarity {
			child--
		}
		heap[hole] = heap[child]
		hole = child
	}
	if last%2 == 0 && child == (last-2)/2 && last > 0 {
		child = 2*child + 1
		heap[hole] = heap[child]
		hole = child
	}
	if last > 0 {
		rise(heap, hole, x)
	}
	return heap
}

// rise puts an element where there is a hole, or above.
func rise(heap []neighbor, hole int, x neighbor) {
	for hole > 0 {
		parent := (hole - 1) / 2
		if !(heap[parent].similarity > x.similarity) { // as NaN is not either
			break
		}
		heap[hole] = heap[parent]
		hole = parent
	}
	heap[hole] = x
}
