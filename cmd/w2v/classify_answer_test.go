package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify"
)

// answers asks the questions and returns what is answered, the description first.
func answers(t *testing.T, questions string) (heads []pipeAnswer, bodies [][]byte, code int) {
	t.Helper()
	var out bytes.Buffer
	code = run(t.Context(), []string{"classify", "answer", classHS}, streams{in: strings.NewReader(questions), out: &out, err: io.Discard})
	for {
		line, err := out.ReadBytes('\n')
		if err != nil {
			return heads, bodies, code
		}
		var head pipeAnswer
		if err := json.Unmarshal(line, &head); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		heads, bodies = append(heads, head), append(bodies, bytes.Clone(out.Next(head.Bytes)))
	}
}

const classHS = "../../testdata/fasttext/class-hs.bin"

// Another program gets the numbers of Predict, of each text.
func TestAnswersAreThoseOfPredict(t *testing.T) {
	m, err := classify.Open(classHS)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, times := range []int{1, 500} {
		testAnswers(t, m, slices.Repeat([]string{"bread of the baker", "", "the boat", "zzz </s> bread", "\ufeffbread", "bread\r", "\x00 \xff the"}, times))
	}
}

func testAnswers(t *testing.T, m *classify.Model, texts []string) {
	t.Helper()
	text := strings.Join(texts, "\n") + "\n"
	ask, err := json.Marshal(pipeQuestion{Ask: "predict", K: 2, Threshold: 0.2, Bytes: len(text)})
	if err != nil {
		t.Fatal(err)
	}
	heads, bodies, code := answers(t, string(ask)+"\n"+text+`{"ask":"explain","label":"none","bytes":6}`+"\nbread\n"+`{"ask":"what"}`+"\n"+`{"ask":"words"}`+"\n")
	if code != exitDone || len(heads) != 5 {
		t.Fatalf("code %d, %d answers", code, len(heads))
	}
	if d := heads[0].Model; d.Labels != len(m.Labels()) || !d.Counted || d.Quantized || !strings.HasSuffix(string(bodies[0]), strings.Join(m.Labels(), "")) {
		t.Errorf("the description is %+v", d)
	}
	counts, pairs := bodies[1][:4*len(texts)], bodies[1][4*len(texts):]
	for i, text := range texts {
		want, err := m.Predict(text, 2, 0.2)
		if n := binary.LittleEndian.Uint32(counts[4*i:]); err != nil || int(n) != len(want) {
			t.Fatalf("%q: %d labels, want %v, %v", text, n, want, err)
		}
		for _, of := range want {
			id, p := binary.LittleEndian.Uint32(pairs), math.Float32frombits(binary.LittleEndian.Uint32(pairs[4:]))
			if pairs = pairs[8:]; int(id) != of.ID || p != of.Probability {
				t.Errorf("%q: %d %v, want %v", text, id, p, of)
			}
		}
	}
	if heads[2].Error != `the model has no such label: "none"` || heads[3].Error != `unknown question: "what"` {
		t.Errorf("errors %q and %q", heads[2].Error, heads[3].Error)
	}
	if n := m.Set().Len(); !strings.HasPrefix(string(bodies[4][12*n:]), m.Set().Words().At(0)) {
		t.Errorf("%d words: %.60q", n, bodies[4][12*n:])
	}
}

// Questions that break off are an error, and the end of questions is none.
func TestQuestionsThatBreakOff(t *testing.T) {
	for questions, want := range map[string]int{
		"": exitDone, `{"ask":"words"}`: exitFailed, `{"ask":"predict","bytes":9}` + "\nshort\n": exitFailed, "no JSON\n": exitFailed,
	} {
		if _, _, code := answers(t, questions); code != want {
			t.Errorf("%q: code %d, want %d", questions, code, want)
		}
	}
}
