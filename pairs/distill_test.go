package pairs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/half"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// taughtTexts are n texts and vectors of a teacher with so many dimensions, which has a vector for each word.
func taughtTexts(n, dim int) (all []string, rows [][]float32) {
	random := rand.New(rand.NewPCG(3, 3))
	words := map[string][]float32{}
	for _, p := range some(n) {
		all = append(all, p.First)
		v := make([]float32, dim)
		for word := range strings.FieldsSeq(p.First) {
			of := words[word]
			if of == nil {
				of = make([]float32, dim)
				for k := range of {
					of[k] = float32(random.NormFloat64()) / float32(k+1)
				}
				words[word] = of
			}
			for k := range v {
				v[k] += of[k]
			}
		}
		rows = append(rows, v)
	}
	return all, rows
}

func each[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, x := range all {
			if !yield(x, nil) {
				return
			}
		}
	}
}

func smallDistill() DistillOptions {
	o := DistillDefaults()
	o.Dim, o.BatchSize, o.Epochs, o.MinCount, o.MaxN, o.Buckets, o.LearningRate = 12, 64, 3, 1, 0, 500, 0.02
	return o
}

// distillVariants are options by name. The teacher has 16 dimensions.
func distillVariants() map[string]func(*DistillOptions) {
	return map[string]func(*DistillOptions){
		"components": func(*DistillOptions) {},
		"all":        func(o *DistillOptions) { o.Dim = 16 },
		"n-grams":    func(o *DistillOptions) { o.MinN, o.MaxN = 3, 4 },
		"nested":     func(o *DistillOptions) { o.Nested = []int{4, 8} },
		"mse":        func(o *DistillOptions) { o.Loss = SquaredError },
		"early":      func(o *DistillOptions) { o.Patience, o.Metric, o.LearningRate = 1, CosineMetric, 0.5 },
		"mse nested": func(o *DistillOptions) { o.Loss, o.Nested, o.Dim = SquaredError, []int{5}, 16 },
	}
}

func mustDistill(t *testing.T, all []string, rows [][]float32, o DistillOptions, h Hooks) *Trained {
	t.Helper()
	trained, err := Distill(context.Background(), TextsOf(each(all)), Vectors(each(rows)), o, h)
	if err != nil {
		t.Fatal(err)
	}
	return trained
}

// A lessonRun is a distillation before its first step.
type lessonRun struct {
	*run
	*lesson
}

func prepareLesson(t *testing.T, all []string, rows [][]float32, o DistillOptions) lessonRun {
	t.Helper()
	ctx := context.Background()
	teacher, err := Vectors(each(rows)).open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { teacher.Close() })
	if err := teacher.study(ctx, o.Dim, false, &bytes.Buffer{}, nil); err != nil {
		t.Fatal(err)
	}
	words := census{ids: map[string]uint32{}}
	s, err := newSpool(noHash{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.fill(ctx, TextsOf(each(all)), o.Settings, &words, nil); err != nil {
		t.Fatal(err)
	}
	r := &run{Settings: o.Settings}
	if r.lexicon, s.number, err = words.newLexicon(o.Settings, false); err != nil {
		t.Fatal(err)
	}
	l := &lesson{o: o, spool: s, teacher: teacher}
	if err := l.count(&r.contents); err != nil {
		t.Fatal(err)
	}
	r.Threads = 2
	r.allocate()
	r.stepper.mean, r.stepper.texts = o.Loss == SquaredError, &l.batch
	l.stepper, r.task = r.stepper, l
	if err := r.table.start(r.lexicon, o.Settings); err != nil {
		t.Fatal(err)
	}
	return lessonRun{r, l}
}

type noHash struct{ hash.Hash }

func (noHash) Write(p []byte) (int, error) { return len(p), nil }

// referenceLesson is the loss of the batch in float64, written down from its definition, as a function of all rows and weights.
func referenceLesson(r lessonRun, numbers, weights []float64) float64 {
	dim, n := r.o.Dim, r.batch.len()
	all := 0.0
	for i := range n {
		v := make([]float64, dim)
		words := r.batch.of(uint32(i))
		for _, word := range words {
			for e := r.lexicon.lists.Starts[word]; e < r.lexicon.lists.Starts[word+1]; e++ {
				row := r.lexicon.lists.Rows[e]
				for k := range v {
					v[k] += float64(r.lexicon.lists.Weights[e]) * weights[row] * numbers[int(row)*dim+k] / float64(len(words))
				}
			}
		}
		goal := wide(r.goals[i*dim:][:dim])
		for _, d := range r.o.dims() {
			var vv, vg, gg, off float64
			for k := range d {
				vv, vg, gg = vv+v[k]*v[k], vg+v[k]*goal[k], gg+goal[k]*goal[k]
				off += (v[k] - goal[k]) * (v[k] - goal[k])
			}
			loss := 1 - vg/math.Sqrt(vv*gg)
			if r.o.Loss == SquaredError {
				loss = off / float64(d)
			}
			all += loss / float64(n) / float64(len(r.o.dims()))
		}
	}
	return all
}

func TestDistillGradients(t *testing.T) {
	all, rows := taughtTexts(60, 16)
	for name, set := range distillVariants() {
		t.Run(name, func(t *testing.T) {
			o := smallDistill()
			o.BatchSize = 60
			set(&o)
			r := prepareLesson(t, all, rows, o)
			if err := r.begin(0, 0); err != nil {
				t.Fatal(err)
			}
			got, err := r.step(0, 60)
			if err != nil {
				t.Fatal(err)
			}
			numbers, weights := wide(r.table.numbers), wide(r.table.weights)
			loss := func() float64 { return referenceLesson(r, numbers, weights) }
			if len(o.Nested) == 0 {
				if want := loss(); math.Abs(got-want) > 1e-5*want {
					t.Errorf("loss %v, expected %v", got, want)
				}
			}
			r.run.stepper.backward(0)
			var most float64
			for _, g := range r.table.state.first {
				most = max(most, math.Abs(float64(g))*10)
			}
			check := func(what string, at int, x *float64, got float32) {
				const h = 1e-5
				was := *x
				*x = was + h
				up := loss()
				*x = was - h
				down := loss()
				*x = was
				want := (up - down) / (2 * h)
				if off := math.Abs(float64(got)*10 - want); off > 1e-3*max(math.Abs(want), most) {
					t.Errorf("%s %d: gradient %g, expected %g", what, at, got*10, want)
				}
			}
			random := rand.New(rand.NewPCG(1, 1))
			for range 40 {
				i, row := random.IntN(len(numbers)), random.IntN(len(weights))
				check("number", i, &numbers[i], r.table.state.first[i])
				check("weight", row, &weights[row], r.table.state.ofWeights[2*row])
			}
		})
	}
}

func TestDistillGivesTheSameBits(t *testing.T) {
	all, rows := taughtTexts(1500, 16) // blocks of several pools would be too many texts for a quick test: see TestPools
	all[7], all[600] = "", "unheard-of"
	for name, set := range distillVariants() {
		t.Run(name, func(t *testing.T) {
			o := smallDistill()
			o.Epochs, o.HeldOut, o.MinCount = 2, 0.1, 2
			set(&o)
			whole := mustDistill(t, all, rows, o, Hooks{})
			for _, threads := range []int{1, 3} {
				o.Threads = threads
				sameBits(t, whole.Vectors, mustDistill(t, all, rows, o, Hooks{}).Vectors)
			}
			ctx, cancel := context.WithCancel(context.Background())
			n := 0
			var saved *vectors.Set
			_, err := Distill(ctx, TextsOf(each(all)), Vectors(each(rows)), o, Hooks{Every: 1, Progress: func(Progress) {
				if n++; n == 30 {
					cancel()
				}
			}, Save: func(set *vectors.Set) { saved = copied(t, set) }})
			if !errors.Is(err, context.Canceled) || saved == nil {
				t.Fatal(err, saved)
			}
			resume := func(all []string, rows [][]float32) (*Trained, error) {
				return ResumeDistill(context.Background(), TextsOf(each(all)), Vectors(each(rows)), saved, 0, 2, Hooks{})
			}
			resumed, err := resume(all, rows)
			if err != nil {
				t.Fatal(err)
			}
			sameRun(t, whole, resumed)
			others := slices.Clone(rows)
			others[9] = rows[10]
			if _, err := resume(all, others); err == nil || err.Error() != "the texts or their vectors are others than in the checkpoint" {
				t.Errorf("other vectors: %v", err)
			}
			if _, err := Resume(context.Background(), corpusOf(some(9)), Corpus{}, saved, 0, 1, Hooks{}); err == nil || err.Error() != "is a checkpoint of another command, not of pairs" {
				t.Errorf("as pairs: %v", err)
			}
		})
	}
}

// Every epoch trains each text once, whatever pool it is in, and an epoch that is begun in its middle goes on as it would have.
func TestPools(t *testing.T) {
	const n = blockTexts*(poolBlocks+3) + 100
	all, rows := make([]string, n), make([][]float32, n)
	for i := range all {
		all[i], rows[i] = fmt.Sprintf("w%d", i), []float32{float32(i + 1), 1}
	}
	all[5] = "" // is left out
	o := smallDistill()
	o.Dim, o.Loss, o.BatchSize = 2, SquaredError, 1000
	r := prepareLesson(t, all, rows, o)
	var orders [3][]float32
	for epoch := range orders {
		begin := 0
		if epoch == 2 {
			begin = 17_000
		}
		if err := r.begin(min(epoch, 1), begin); err != nil {
			t.Fatal(err)
		}
		for first := begin; first < n-1; first += 1000 {
			if _, err := r.step(first, min(first+1000, n-1)); err != nil {
				t.Fatal(err)
			}
			for i := range r.batch.len() {
				goal := r.goals[2*i]
				if want := fmt.Sprintf("w%d", int(goal)-1); r.lexicon.words[r.batch.of(uint32(i))[0]] != want {
					t.Fatalf("the vector of %s is with another text", want)
				}
				orders[epoch] = append(orders[epoch], goal)
			}
		}
	}
	if slices.Equal(orders[0], orders[1]) || !slices.Equal(orders[1][17_000:], orders[2]) {
		t.Error("orders of epochs are the same, or one that goes on is another")
	}
	slices.Sort(orders[0])
	if len(slices.Compact(orders[0])) != n-1 {
		t.Errorf("%d texts of %d", len(orders[0]), n-1)
	}
}

func TestDistilledModelMakesTheVectorsThatWereTrained(t *testing.T) {
	all, rows := taughtTexts(300, 16)
	for name, set := range distillVariants() {
		t.Run(name, func(t *testing.T) {
			o := smallDistill()
			set(&o)
			r := prepareLesson(t, all, rows, o)
			if err := r.begin(0, 0); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if _, err := r.step(0, 64); err != nil {
					t.Fatal(err)
				}
				r.run.stepper.backward(0.01)
			}
			model, err := r.model()
			if err != nil {
				t.Fatal(err)
			}
			r.compare()
			pooler, err := pooling.New(model, pooling.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, o.Dim)
			for i := range r.batch.len() {
				var tokens []vectors.Token
				for _, word := range r.batch.of(uint32(i)) {
					tokens = append(tokens, model.Token(r.lexicon.words[word]))
				}
				pooler.Text(got, tokens)
				for k, want := range r.run.stepper.vectors[i*o.Dim:][:o.Dim] {
					if math.Abs(float64(got[k]-want)) > 1e-5 {
						t.Fatalf("text %d: %v, trained as %v", i, got[k], want)
					}
				}
			}
		})
	}
}

// A teacher whose vectors are sums of vectors of words is learned.
func TestDistillLearns(t *testing.T) {
	all, rows := taughtTexts(2000, 16)
	for _, loss := range []Loss{Cosine, SquaredError} {
		o := smallDistill()
		o.Loss, o.Epochs, o.HeldOut, o.Dim = loss, 12, 0.1, 0
		trained := mustDistill(t, all, rows, o, Hooks{})
		least := map[Loss]float64{Cosine: 0.95, SquaredError: 0.8}[loss] // sums are no means
		if last := trained.Evaluations[11]; last.Cosine < least || trained.Vectors.Dim() != 16 || trained.TeacherDim != 16 || trained.Explained != 1 {
			t.Errorf("%s: %+v of %d dimensions", loss, last, trained.Vectors.Dim())
		}
	}
}

// Vectors of another length make rows of another length, and nothing else.
func TestSquaredErrorOfOtherLengths(t *testing.T) {
	all, rows := taughtTexts(300, 16)
	for _, dim := range []int{12, 16} {
		o := smallDistill()
		o.Loss, o.Dim, o.HeldOut = SquaredError, dim, 0.1
		was := mustDistill(t, all, rows, o, Hooks{})
		for _, by := range []float32{1 << 10, 1.0 / (1 << 10)} {
			longer := make([][]float32, len(rows))
			for i, row := range rows {
				for _, x := range row {
					longer[i] = append(longer[i], by*x)
				}
			}
			is := mustDistill(t, all, longer, o, Hooks{})
			v, w := make([]float32, dim), make([]float32, dim)
			for id := range was.Vectors.Len() {
				was.Vectors.WordVector(v, id)
				is.Vectors.WordVector(w, id)
				for k := range v {
					if math.Abs(float64(by*v[k]-w[k])) > 1e-3*float64(by) {
						t.Fatalf("%d dimensions, %v times the length: word %d has %v, before %v", dim, by, id, w, v)
					}
				}
			}
			for i, e := range was.Evaluations {
				if got, want := is.Evaluations[i].Loss, e.Loss*float64(by)*float64(by); math.Abs(got-want) > 1e-4*want {
					t.Errorf("%d dimensions, %v times the length: the loss is %v, want %v", dim, by, got, want)
				}
			}
		}
	}
}

// Training goes on from a model of the same teacher with the lengths that it has.
func TestSquaredErrorGoesOnFromAModel(t *testing.T) {
	all, rows := taughtTexts(300, 16)
	for _, row := range rows {
		for k := range row {
			row[k] *= 50
		}
	}
	o := smallDistill()
	o.Loss, o.Dim, o.HeldOut = SquaredError, 16, 0.1
	first := mustDistill(t, all, rows, o, Hooks{})
	o.Init, o.Epochs, o.LearningRate = first.Vectors, 1, 1e-5
	next := mustDistill(t, all, rows, o, Hooks{})
	got, want := next.Evaluations[0].Loss, first.Evaluations[len(first.Evaluations)-1].Loss
	if math.Abs(got-want) > 0.02*want {
		t.Errorf("the loss is %v, and was %v", got, want)
	}
}

func TestPrincipalComponents(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	rows := make([][]float32, 1200) // of two directions and little noise, around a mean
	for i := range rows {
		a, b := 5*random.NormFloat64(), 2*random.NormFloat64()
		noise := 0.01 * random.NormFloat64()
		rows[i] = []float32{float32(10 + a*0.6), float32(a*0.8 - 3), float32(b), float32(noise)}
	}
	teacher, err := Vectors(each(rows)).open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer teacher.Close()
	if err := teacher.study(context.Background(), 2, false, &bytes.Buffer{}, nil); err != nil {
		t.Fatal(err)
	}
	if teacher.explained < 0.9999 || teacher.explained > 1 {
		t.Errorf("%v of the variance", teacher.explained)
	}
	got := make([]float32, 2*len(rows))
	teacher.targets(parallel{2}, got, slices.Concat(rows...), 2)
	var mean, squares [2]float64
	for i := range rows { // distances are kept
		for c := range 2 {
			mean[c] += float64(got[2*i+c]) / float64(len(rows))
			squares[c] += float64(got[2*i+c]) * float64(got[2*i+c]) / float64(len(rows))
		}
		var before, after float64
		for k := range 4 {
			before += math.Pow(float64(rows[i][k]-rows[0][k]), 2)
		}
		for c := range 2 {
			after += math.Pow(float64(got[2*i+c]-got[c]), 2)
		}
		if math.Abs(before-after) > 0.1 {
			t.Fatalf("distance %v became %v", before, after)
		}
	}
	if math.Abs(mean[0]) > 1e-4 || math.Abs(mean[1]) > 1e-4 || squares[0] < 20 || squares[1] > 5 || squares[1] < 3 {
		t.Errorf("means %v, variances %v", mean, squares)
	}
}

// matrixFile writes a .npy file with numbers of a type.
func matrixFile(t *testing.T, name, descr string, rows [][]float32) string {
	t.Helper()
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }\n", strings.TrimPrefix(descr, "F"), either(descr[0] == 'F'), len(rows), len(rows[0]))
	data := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	data = append(data, head...)
	for _, row := range rows {
		for _, x := range row {
			switch descr {
			case "<f2":
				data = binary.LittleEndian.AppendUint16(data, half.ToF16(x))
			case "<f8":
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(float64(x)))
			case ">f4":
				data = binary.BigEndian.AppendUint32(data, math.Float32bits(x))
			default:
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
			}
		}
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func either(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// Files of all types of numbers, and of several files, give what an iterator gives.
func TestVectorFiles(t *testing.T) {
	all, rows := taughtTexts(700, 4)
	for i := range rows {
		for k := range rows[i] {
			rows[i][k] = half.FromF16(half.ToF16(rows[i][k]))
		}
	}
	o := smallDistill()
	o.Dim, o.Epochs = 3, 1
	want := mustDistill(t, all, rows, o, Hooks{})
	lines := filepath.Join(t.TempDir(), "texts.txt")
	if err := os.WriteFile(lines, []byte(strings.Join(all, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, descr := range []string{"<f2", "<f4", "<f8", ">f4"} {
		a, b := matrixFile(t, "a.npy", descr, rows[:550]), matrixFile(t, "b.npy", descr, rows[550:])
		got, err := Distill(context.Background(), TextFiles(nil, corpus.Fields{}, lines), VectorFiles("", a, b), o, Hooks{})
		if err != nil {
			t.Fatal(descr, err)
		}
		sameBits(t, want.Vectors, got.Vectors)
	}
}

// Columns of vectors in a file of DuckDB give what an iterator gives. Its texts are in the same file.
func TestVectorsOfParquet(t *testing.T) {
	const file = "../testdata/parquet/duckdb-vectors.parquet"
	var all []string
	var rows [][]float32
	for i := range 100 {
		all = append(all, fmt.Sprintf("owl w%d w%d", i%7, i%11))
		rows = append(rows, []float32{float32(i) / 4, float32(i%7) - 3, float32(i%11) / 8})
	}
	o := smallDistill()
	o.Dim, o.Epochs = 3, 1
	want := mustDistill(t, all, rows, o, Hooks{})
	texts := TextFiles(nil, corpus.Fields{TextColumn: "text"}, file)
	for _, column := range []string{"vector", "wide"} {
		own, err := texts.Tables(column)
		if err != nil {
			t.Fatal(err)
		}
		for _, teacher := range []Teacher{own, VectorFiles(column, file)} {
			got, err := Distill(context.Background(), texts, teacher, o, Hooks{})
			if err != nil {
				t.Fatal(column, err)
			}
			sameBits(t, want.Vectors, got.Vectors)
		}
	}
	for column, want := range map[string]string{"gaps": "row 6: has no vector", "text": "no fractions of 16, 32 or 64 bits", "nope": "no column is called", "": "the column of its vectors must be named"} {
		if _, err := Distill(context.Background(), texts, VectorFiles(column, file), o, Hooks{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", column, err, want)
		}
	}
}

func TestBadTeachers(t *testing.T) {
	all, good := taughtTexts(20, 4)
	with := func(row int, v ...float32) [][]float32 {
		rows := slices.Clone(good)
		rows[row] = v
		return rows
	}
	nan := float32(math.NaN())
	file := func(descr string, rows [][]float32) Teacher {
		return VectorFiles("", matrixFile(t, "t.npy", descr, rows))
	}
	short := matrixFile(t, "short.npy", "<f4", good)
	if err := os.Truncate(short, 300); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		teacher Teacher
		set     func(*DistillOptions)
		want    string
	}{
		{"NaN", file("<f4", with(7, 1, nan, 0, 0)), nil, "t.npy: row 8: the vector has a number that is not finite"},
		{"zeros", file("<f4", with(19, 0, 0, 0, 0)), nil, "t.npy: row 20: the vector is zeros, which have no direction"},
		{"too large", Vectors(each(with(0, 1, float32(math.Inf(1)), 0, 0))), nil, "vectors: row 1: the vector has a number that is not finite"},
		{"fewer", file("<f4", good[:19]), nil, "20 texts in the iterator of texts, and 19 vectors in "},
		{"more", Vectors(each(append(slices.Clone(good), good[0]))), nil, "20 texts in the iterator of texts, and 21 vectors in the teacher: a vector belongs to each text"},
		{"none", Vectors(each[[]float32](nil)), nil, "the teacher has no vectors"},
		{"other dimensions", Vectors(each(with(3, 1, 2))), nil, "row 4: the vector has 2 dimensions, and the first 4"},
		{"order", file("F<f4", good), nil, "Fortran's order"},
		{"type", file("<i4", good), nil, "expected numbers of type f4, f2 or f8"},
		{"not complete", VectorFiles("", short), nil, "it is not complete"},
		{"no file", VectorFiles("", "nowhere.npy"), nil, "nowhere.npy: "},
		{"column of npy", VectorFiles("v", short), nil, "only Parquet has a column of vectors"},
		{"too many dimensions", Vectors(each(good)), func(o *DistillOptions) { o.Dim = 5 }, "the model has 5 dimensions, and the teacher 4"},
		{"nested", Vectors(each(good)), func(o *DistillOptions) { o.Dim, o.Nested = 0, []int{4} }, "nested dimensions are [4], must rise from 1 to less than the 4"},
		{"loss", Vectors(each(good)), func(o *DistillOptions) { o.Loss = "l1" }, `the loss is "l1", must be cosine or mse`},
		{"no words", Vectors(each(good)), func(o *DistillOptions) { o.MinCount = 1000 }, "no word occurs 1000 times"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := smallDistill()
			if o.Dim = 4; c.set != nil {
				c.set(&o)
			}
			_, err := Distill(context.Background(), TextsOf(each(all)), c.teacher, o, Hooks{})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, expected %q", err, c.want)
			}
		})
	}
}
