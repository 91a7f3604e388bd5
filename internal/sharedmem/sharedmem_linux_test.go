package sharedmem

import "testing"

// Memory that was opened has what is written to the one that was created, also when the name has gone.
func TestMemoryIsShared(t *testing.T) {
	for _, numbers := range []int{16, 3 << 20} {
		first, err := Create(numbers)
		if err != nil {
			t.Fatal(err)
		}
		second, err := Open(first.Name, numbers)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(first.Name, 2*numbers); err == nil {
			t.Error("memory of another size is opened")
		}
		first.Settle()
		if len(second.Data) != numbers || second.Data[numbers-1] != 0 {
			t.Errorf("%d numbers, expected %d zeros", len(second.Data), numbers)
		}
		first.Data[numbers-1] = 7
		if second.Data[numbers-1] != 7 {
			t.Error("what one has written, the other does not have")
		}
		first.Unmap()
		second.Unmap()
	}
}
