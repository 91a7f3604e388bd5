package eval_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

// An interval from 0 to 0, such as that of a model's difference from itself, is not the same as none.
func TestIntervalsInJSON(t *testing.T) {
	type result struct {
		CI eval.Interval `json:"ci,omitzero"`
	}
	for _, test := range []struct {
		interval eval.Interval
		want     string
	}{
		{eval.Interval{}, `{}`},
		{eval.Between(0, 0), `{"ci":[0,0]}`},
		{eval.Between(-0.25, 0.5), `{"ci":[-0.25,0.5]}`},
		{eval.Between(math.NaN(), 1), `{}`},
		{eval.Between(0, math.Inf(1)), `{}`},
	} {
		text, err := json.Marshal(result{test.interval})
		if err != nil || string(text) != test.want {
			t.Errorf("%v is written as %s (%v), want %s", test.interval, text, err, test.want)
		}
		var read result
		if err := json.Unmarshal(text, &read); err != nil || read.CI != test.interval {
			t.Errorf("%s is read as %v (%v), want %v", text, read.CI, err, test.interval)
		}
	}
	if text, err := json.Marshal(eval.Interval{}); err != nil || string(text) != "null" {
		t.Errorf("no interval is %s (%v), want null", text, err)
	}
	for _, wrong := range []string{`"0"`, `{"low":1}`, `[0,"1"]`} {
		if err := json.Unmarshal([]byte(wrong), new(eval.Interval)); err == nil {
			t.Errorf("%s was read as an interval", wrong)
		}
	}
}
