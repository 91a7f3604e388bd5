package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vectors"
)

// newClassifyAnswer makes the command by which another program keeps a classifier open and asks it. Questions are
// answered in their order, while the next one is read.
func newClassifyAnswer(s streams) *cobra.Command {
	return command("classify-answer", cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
		return withClassifier(args[0], func(m *classify.Model) error {
			return (&answering{m: m, out: bufio.NewWriterSize(s.out, 1<<16)}).serve(c.Context(), bufio.NewReaderSize(s.in, 1<<16))
		})
	})
}

type pipeQuestion struct {
	Ask       string  `json:"ask"`
	K         int     `json:"k"` // below 1 for all labels
	Threshold float32 `json:"threshold"`
	Known     bool    `json:"known"`
	Label     string  `json:"label"`
	Bytes     int     `json:"bytes"`

	texts []byte
}

type pipeAnswer struct {
	Error string       `json:"error"` // empty for none
	Bytes int          `json:"bytes"`
	Model *description `json:"model,omitempty"` // of the first answer alone
}

// A description says what a model is. Behind it are the labels.
type description struct {
	Dim       int              `json:"dim"`
	Words     int              `json:"words"`
	Labels    int              `json:"labels"`
	Counted   bool             `json:"counted"` // how often each label was seen is known
	Quantized bool             `json:"quantized"`
	Training  vectors.Training `json:"training"`
}

// answering answers questions about a classifier.
type answering struct {
	m     *classify.Model
	known *classify.Model // for which no text is unknown; nil before it is needed
	out   *bufio.Writer
}

func (a *answering) serve(ctx context.Context, in *bufio.Reader) error {
	set := a.m.Set()
	l := set.Labels()
	about := &description{set.Dim(), set.Len(), l.Names.Len(), l.Counts != nil, set.Input().Coded() != nil, set.Training()}
	if err := a.say(pipeAnswer{Model: about}, listOf(l.Names.All(), l.Names.Len(), l.Counts)); err != nil {
		return err
	}
	questions, failed := make(chan pipeQuestion, 1), make(chan error, 1)
	go func() {
		defer close(questions)
		for {
			q, err := nextQuestion(in)
			if err != nil {
				failed <- err
				return
			}
			questions <- q
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case q, more := <-questions:
			if !more {
				err := <-failed
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
			of, err := a.of(ctx, q)
			var said pipeAnswer
			if err != nil {
				said, of = pipeAnswer{Error: oneLine(err)}, nil
			}
			if err := a.say(said, of); err != nil {
				return err
			}
		}
	}
}

func (a *answering) say(head pipeAnswer, of []byte) error {
	head.Bytes = len(of)
	line, err := json.Marshal(head)
	if err != nil {
		return err
	}
	_, _ = a.out.Write(append(line, '\n')) // Flush has the error
	_, _ = a.out.Write(of)
	return a.out.Flush()
}

// nextQuestion reads a question. The error is io.EOF at the end.
func nextQuestion(in *bufio.Reader) (q pipeQuestion, err error) {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return q, either(len(line) > 0, io.ErrUnexpectedEOF, err)
	}
	if err := json.Unmarshal(line, &q); err != nil {
		return q, fmt.Errorf("expected a question in JSON: %w", err)
	}
	var texts bytes.Buffer
	if _, err := io.CopyN(&texts, in, int64(q.Bytes)); err != nil {
		return q, fmt.Errorf("the texts of a question: %w", either(errors.Is(err, io.EOF), io.ErrUnexpectedEOF, err))
	}
	q.texts = texts.Bytes()
	return q, nil
}

func (a *answering) of(ctx context.Context, q pipeQuestion) (of []byte, err error) {
	set := a.m.Set()
	switch q.Ask {
	case "predict":
		return a.predict(ctx, q)
	case "explain":
		e, err := a.m.Explain(string(bytes.TrimSuffix(q.texts, []byte{'\n'})), q.Label)
		if errors.Is(err, classify.ErrUnknownText) {
			return []byte("null"), nil
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(explanationOf("", e))
	case "text_vectors":
		var rows bytes.Buffer
		err := a.m.WriteVectors(ctx, &rows, bytes.NewReader(q.texts), appendRow)
		return rows.Bytes(), err
	case "words":
		err := set.Guard(func() error {
			of = listOf(set.Words().All(), set.Len(), set.Counts())
			return nil
		})
		return of, err
	case "word_vectors":
		row := make([]float32, set.Dim())
		err := set.Guard(func() error {
			for line := range bytes.Lines(q.texts) {
				clear(row) // of a word without a vector
				set.Vector(row, string(bytes.TrimSuffix(line, []byte{'\n'})))
				of = appendRow(of, row)
			}
			return nil
		})
		return of, err
	}
	return nil, fmt.Errorf("unknown question: %q", q.Ask)
}

// Up to so many bytes of texts, and labels of all of them, one goroutine predicts faster than all.
const (
	fewBytes  = 1 << 12
	fewLabels = 1 << 14
)

// predict returns the number of labels of each text, in 4 bytes, and then the labels of all texts: the id and the
// probability of each, in 4 bytes.
func (a *answering) predict(ctx context.Context, q pipeQuestion) ([]byte, error) {
	if len(q.texts) > 0 && q.texts[len(q.texts)-1] != '\n' {
		return nil, errors.New("the last text has no newline at its end")
	}
	m, err := a.model(q.Known)
	if err != nil {
		return nil, err
	}
	texts, labels := bytes.Count(q.texts, []byte{'\n'}), m.Set().Labels().Names.Len()
	if q.K > 0 {
		labels = min(labels, q.K)
	}
	counts, pairs := make([]byte, 0, 4*texts), []byte(nil)
	add := func(best []classify.Prediction) {
		counts = binary.LittleEndian.AppendUint32(counts, uint32(len(best)))
		for _, of := range best {
			pairs = binary.LittleEndian.AppendUint32(pairs, uint32(of.ID))
			pairs = binary.LittleEndian.AppendUint32(pairs, math.Float32bits(of.Probability))
		}
	}
	if len(q.texts) > fewBytes || texts*labels > fewLabels {
		err := m.Rows(ctx, corpus.RowsOf(bytes.NewReader(q.texts)), q.K, q.Threshold, func(_ *corpus.Row, line classify.Line) error {
			add(line.Best)
			return nil
		})
		return append(counts, pairs...), err
	}
	for text := range bytes.Lines(q.texts) {
		best, err := m.Predict(string(text[:len(text)-1]), q.K, q.Threshold)
		if err != nil {
			return nil, err
		}
		add(best)
	}
	return append(counts, pairs...), nil
}

// unknownThreshold is the fact of a model that calls texts unknown whose labels are less probable.
const unknownThreshold = "unknown_threshold"

// model returns the model, or one of the same rows for which no text is unknown.
func (a *answering) model(known bool) (m *classify.Model, err error) {
	set := a.m.Set()
	facts := set.Training()
	switch {
	case !known || facts.Float(unknownThreshold) == 0:
		return a.m, nil
	case a.known == nil:
		facts.Set(unknownThreshold, 0)
		a.known, err = classify.New(set.WithTraining(facts))
	}
	return a.known, err
}

func appendRow(out []byte, row []float32) []byte {
	for _, x := range row {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// listOf returns n names: the count of each in 8 bytes, 0 if it is not known, then the length of each in 4 bytes, then
// the names.
func listOf(names iter.Seq2[int, string], n int, counts []uint64) []byte {
	of, text := make([]byte, 12*n), []byte(nil)
	for i, name := range names {
		if counts != nil {
			binary.LittleEndian.PutUint64(of[8*i:], counts[i])
		}
		binary.LittleEndian.PutUint32(of[8*n+4*i:], uint32(len(name)))
		text = append(text, name...)
	}
	return append(of, text...)
}

// explanationOf returns what is printed of an explanation.
func explanationOf(text string, e *classify.Explanation) explainedText {
	of := explainedText{Text: text, Label: e.Label, Probability: e.Probability, Score: e.Score}
	for _, p := range e.Parts {
		of.Parts = append(of.Parts, explainedPart{p.Text, string(p.Kind), p.Of, p.Score})
	}
	return of
}
