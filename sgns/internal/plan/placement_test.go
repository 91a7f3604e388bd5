package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/config"
)

// Workers that share a cache share copies of rows, if there is a worker for each processor.
func TestPlace(t *testing.T) {
	dies := [][]int{{0, 1, 8, 9}, {2, 3, 10, 11}, {4, 5, 12, 13}} // with two threads a core
	all := [][]int{{0, 1}}
	for _, test := range []struct {
		name       string
		affinity   config.Affinity
		workers    int
		domains    [][]int
		groups     string
		processors string
	}{
		{"one worker", config.AffinityAuto, 1, all, "[0]", "[]"},
		{"two of two processors", config.AffinityAuto, 2, all, "[0 1]", "[]"},
		{"nothing is known", config.AffinityAuto, 3, nil, "[0 0 1]", "[]"},
		{"many workers", config.AffinityNone, 16, dies, "[0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7]", "[]"},
		{"more processors than workers", config.AffinityAuto, 4, dies, "[0 1 2 3]", "[]"},
		{"a worker for each processor", config.AffinityAuto, 12, dies, "[0 0 0 0 0 0 0 0 1 1 1 1]",
			strings.Repeat("[0 1 8 9] ", 4) + strings.Repeat("[2 3 10 11] ", 4) + strings.Repeat("[4 5 12 13] ", 4)},
		{"caches are filled in order", config.AffinityCaches, 6, dies, "[0 0 0 0 1 1]", strings.Repeat("[0 1 8 9] ", 4) + strings.Repeat("[2 3 10 11] ", 2)},
		{"one cache is enough", config.AffinityCaches, 3, dies, "[0 0 0]", strings.Repeat("[0 1 8 9] ", 3)},
		{"cores", config.AffinityCores, 3, dies, "[0 0 0]", "[0] [1] [8]"},
		{"more workers than processors", config.AffinityCores, 4, all, "[0 0 0 0]", "[0] [0] [1] [1]"},
		{"more workers than run at once", config.AffinityCaches, 17, dies, "[]",
			strings.Repeat("[0 1 8 9] ", 6) + strings.Repeat("[2 3 10 11] ", 6) + strings.Repeat("[4 5 12 13] ", 5)},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := Place(test.affinity, test.workers, 16, test.domains)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(p.Groups); got != test.groups {
				t.Errorf("groups %s, want %s", got, test.groups)
			}
			want := test.processors
			if want != "[]" {
				want = "[" + strings.TrimSpace(want) + "]"
			}
			if got := fmt.Sprint(p.Processors); got != want {
				t.Errorf("processors %s, want %s", got, want)
			}
		})
	}
	if p, err := Place(config.AffinityAuto, 8, 2, all); err != nil || p.Groups != nil {
		t.Errorf("groups %v of 8 workers on 2 processors: %v", p.Groups, err)
	}
	if _, err := Place(config.AffinityCaches, 2, 2, nil); err == nil || !strings.Contains(err.Error(), "affinity none") {
		t.Errorf("error %v where nothing is known of caches", err)
	}
}

// Of rows that change often enough, those that change most have copies.
func TestOften(t *testing.T) {
	touches := []float32{0.1, 0.5, 0, 0.3, 0.5}
	for _, test := range []struct {
		least float64
		most  int
		want  string
	}{{0.2, 9, "[1 4 3]"}, {0.2, 2, "[1 4]"}, {0, 9, "[1 4 3 0 2]"}, {1, 9, "[]"}} {
		if got := fmt.Sprint(often(touches, test.least, test.most)); got != test.want {
			t.Errorf("at least %v, at most %d rows: %s, want %s", test.least, test.most, got, test.want)
		}
	}
}
