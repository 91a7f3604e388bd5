package native

import (
	"slices"
	"testing"
)

// Rows of buckets are put together from the bits of those that have one.
func TestExpandBuckets(t *testing.T) {
	for _, tt := range []struct {
		set     []uint8
		rows    []int32
		buckets int
		want    string
	}{
		{[]uint8{0b101, 0b1}, []int32{7, 8, 9}, 9, ""},
		{[]uint8{0b101, 0b10}, []int32{7, 8, 9}, 9, `tensor "bucket_set": expected no bits after that of bucket 8, found some`},
		{[]uint8{0b101, 0b1}, []int32{7, 8}, 9, `tensor "bucket_rows": expected a row for each of the 3 bits of "bucket_set", found 2`},
		{[]uint8{0b101}, []int32{7, 8}, 9, `tensor "bucket_set": expected 2 bytes for 9 buckets, found 1`},
		{nil, nil, 0, ""},
	} {
		rows, err := expandBuckets(tt.set, tt.rows, tt.buckets)
		if err != nil && err.Error() != tt.want || err == nil && tt.want != "" {
			t.Errorf("%+v: got %v", tt, err)
		}
		if tt.buckets == 9 && tt.want == "" && !slices.Equal(rows, []int32{7, -1, 8, -1, -1, -1, -1, -1, 9}) {
			t.Errorf("got %v", rows)
		}
	}
}
