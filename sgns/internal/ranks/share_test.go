package ranks

import (
	"reflect"
	"testing"

	"github.com/w2v-go/w2v/vocab"
)

func TestGrants(t *testing.T) {
	const chunk = vocab.ChunkTokens
	tests := []struct {
		name  string
		left  []int64
		speed []float64
		most  []int64
		dry   bool // the second rank has no text of its own that nobody has begun
		want  []grant
	}{
		{"all have much to train", []int64{100 * chunk, 200 * chunk}, []float64{10, 10}, []int64{chunk, chunk}, false, nil},
		{"nobody has trained anything", []int64{0, 200 * chunk}, []float64{0, 0}, []int64{0, 0}, false, nil},
		{"both are ready together", []int64{0, 4 * chunk}, []float64{30, 10}, []int64{chunk, chunk}, false, []grant{{1, 0, 3 * chunk}}},
		{"at most what is enough for a few meetings", []int64{0, 200 * chunk}, []float64{10, 10}, []int64{chunk, chunk}, false, []grant{{1, 0, 8 * chunk}}},
		{"a rank that had nothing to train yet", []int64{0, 200 * chunk}, []float64{0, 10}, []int64{0, chunk}, false, []grant{{1, 0, 4 * chunk}}},
		{"text of others is not passed on", []int64{0, 200 * chunk}, []float64{10, 10}, []int64{chunk, chunk}, true, nil},
		{"the last chunk stays", []int64{0, chunk}, []float64{10, 10}, []int64{chunk, chunk}, false, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := share{left: test.left, speed: test.speed, most: test.most, lender: []bool{true, !test.dry}}
			if got := s.grants(); !reflect.DeepEqual(got, test.want) {
				t.Errorf("grants are %v, want %v", got, test.want)
			}
		})
	}
}
