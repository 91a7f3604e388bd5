package lessons

import (
	"context"
	"math"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A frame is the vectors of the toy before a step, and the context vectors.
type frame struct {
	Input  [][]float32 `json:"input"`
	Output [][]float32 `json:"output"`
}

// The toy has a text in which two words stand together, and a third one, which is so frequent that every negative
// is it.
var toyWords = []string{"the", "king", "queen"}

const (
	toyText      = "king queen\n" // once, and the third word below
	toyFrequent  = 500
	toyExponent  = 10 // of counts, for negatives: the others are drawn once in 500¹⁰ times
	toyRate      = 0.1
	toyNegatives = 1
	toySteps     = 16
)

// step trains the toy with the code that trains models. Each step is a run over the text from the vectors of the
// one before.
func (s *source) step(ctx context.Context) (any, error) {
	d := struct {
		Words     []string `json:"words"`
		Rate      float64  `json:"rate"`
		Negatives int      `json:"negatives"`
		Frames    []frame  `json:"frames"`
	}{Words: toyWords, Rate: toyRate, Negatives: toyNegatives}
	now := frame{
		Input:  [][]float32{{-0.5, 0.6}, {1, 0.2}, {0.2, 1}},
		Output: [][]float32{{1.2, 1.1}, {0.4, -0.8}, {-0.9, 0.5}},
	}
	for range toySteps {
		d.Frames = append(d.Frames, now)
		var err error
		if now, err = toyStep(ctx, now); err != nil {
			return nil, err
		}
	}
	d.Frames = append(d.Frames, now)
	return d, nil
}

func toyStep(ctx context.Context, from frame) (frame, error) {
	matrix := func(rows [][]float32) vectors.Matrix {
		m := vectors.NewMatrix(len(rows), len(rows[0]))
		for i, row := range rows {
			copy(m.Row(i), row)
		}
		return m
	}
	// A sentence of one word has no contexts, and still makes the word frequent.
	text := toyText + strings.Repeat(toyWords[0]+"\n", toyFrequent)
	words, ids, err := vocab.Index(ctx, corpus.Stream("the toy", strings.NewReader(text), corpus.Options{}), vocab.Options{MinCount: 1}, "")
	if err != nil {
		return frame{}, err
	}
	defer ids.Close()
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(toyWords...), Input: matrix(from.Input), Output: matrix(from.Output)})
	if err != nil {
		return frame{}, err
	}
	c := sgns.Defaults()
	c.Dim, c.Window, c.Epochs, c.Negatives, c.Threads = len(from.Input[0]), 1, 1, toyNegatives, 1
	c.LearningRate, c.NSExponent, c.Sample = toyRate, toyExponent, 0
	m, err := sgns.Train(ctx, sgns.Data{IDs: ids, Vocab: words, Init: set}, c, sgns.Hooks{})
	if err != nil {
		return frame{}, err
	}
	var to frame
	for _, word := range toyWords {
		id, _ := m.Vectors.ID(word)
		input, output := make([]float32, c.Dim), make([]float32, c.Dim)
		m.Vectors.Vector(input, word)
		m.Vectors.Output().Read(output, id)
		to.Input, to.Output = append(to.Input, input), append(to.Output, output)
	}
	return to, nil
}

// sigmoid is 1/(1+e⁻ˣ).
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// stepped is what the formula makes of a frame: every error is that of the vectors before the step.
func stepped(from frame) frame {
	const the, king, queen = 0, 1, 2
	to := frame{}
	for i := range from.Input {
		to.Input = append(to.Input, append([]float32{}, from.Input[i]...))
		to.Output = append(to.Output, append([]float32{}, from.Output[i]...))
	}
	for _, pair := range [][2]int{{king, queen}, {queen, king}} {
		u := from.Input[pair[0]]
		for _, target := range []struct {
			row   int
			error float64
		}{
			{pair[1], toyRate * (1 - sigmoid(dot(u, from.Output[pair[1]])))},
			{the, -toyRate * toyNegatives * sigmoid(dot(u, from.Output[the]))},
		} {
			for k := range u {
				to.Input[pair[0]][k] += float32(target.error) * from.Output[target.row][k]
				to.Output[target.row][k] += float32(target.error) * u[k]
			}
		}
	}
	return to
}
