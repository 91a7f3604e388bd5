package pq

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// rows returns n random rows whose numbers depend on each other.
func rows(n, dim int, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 0))
	mix := make([]float64, dim*dim)
	for i := range mix {
		mix[i] = random.NormFloat64() / float64(1+i%dim)
	}
	out := make([]float32, n*dim)
	hidden := make([]float64, dim)
	for row := range slices.Chunk(out, dim) {
		for k := range hidden {
			hidden[k] = random.NormFloat64()
		}
		for k := range row {
			x := 0.3
			for j, h := range hidden {
				x += h * mix[k*dim+j]
			}
			row[k] = float32(x)
		}
	}
	return out
}

// random returns a codebook of random centroids.
func random(dim, part, size int) Codebook {
	return Codebook{Dim: dim, Part: part, Size: size, Centroids: rows(size, dim, uint64(dim*part*size))}
}

// loss returns the mean square of what coding loses of a row.
func loss(t testing.TB, b Codebook, rotation, rows []float32) float64 {
	t.Helper()
	if err := b.Validate(); err != nil {
		t.Fatal(err)
	}
	encoder := NewEncoder(b)
	codes := make([]byte, b.Parts())
	turned, decoded, back := make([]float32, b.Dim), make([]float32, b.Dim), make([]float32, b.Dim)
	var sum float64
	for row := range slices.Chunk(rows, b.Dim) {
		if rotation == nil {
			encoder.Encode(codes, row)
			b.Decode(back, codes)
		} else {
			Rotate(turned, row, rotation)
			encoder.Encode(codes, turned)
			b.Decode(decoded, codes)
			Unrotate(back, decoded, rotation)
		}
		for k, x := range row {
			sum += math.Pow(float64(x-back[k]), 2)
		}
	}
	return sum / float64(len(rows)/b.Dim)
}

// The other order of centroids, there and back, and with a row of zeros.
func TestRows(t *testing.T) {
	b := random(7, 3, 5)
	rows := b.Rows()
	for c := range b.Size {
		row := make([]float32, 7)
		b.Decode(row, []byte{byte(c), byte(c), byte(c)})
		if !slices.Equal(row, rows[7*c:][:7]) {
			t.Errorf("row %d is %v, want %v", c, rows[7*c:][:7], row)
		}
	}
	if back := BookOf(rows, 7, 3); !slices.Equal(back.Centroids, b.Centroids) || back.Size != 5 || back.Part != 3 {
		t.Errorf("came back as %+v", back)
	}
	z := b.WithZeros()
	codes := make([]byte, 3)
	NewEncoder(z).Encode(codes, make([]float32, 7))
	if z.Size != 6 || !bytes.Equal(codes, []byte{5, 5, 5}) || !slices.Equal(z.Rows()[:35], rows) {
		t.Errorf("zeros have the codes %v", codes)
	}
}

// Where the centroids lie, in fastText's order.
func TestLayout(t *testing.T) {
	for _, tt := range []struct{ dim, part, size int }{
		{5, 2, 3}, {4, 2, 256}, {1, 1, 7}, {7, 7, 2}, {10, 3, 16}, {9, 4, 1},
	} {
		b := random(tt.dim, tt.part, tt.size)
		want := (tt.dim-1)/tt.part + 1
		if b.Parts() != want {
			t.Fatalf("%+v: %d parts, want %d", tt, b.Parts(), want)
		}
		dst, sum := make([]float32, tt.dim), make([]float32, tt.dim)
		codes := make([]byte, want)
		for c := range tt.size {
			for p := range codes {
				codes[p] = byte((c + p) % tt.size)
			}
			b.Decode(dst, codes)
			clear(sum)
			b.Add(sum, codes)
			b.Add(sum, codes)
			for k, x := range dst {
				p := k / tt.part
				width := tt.part
				if p == want-1 && tt.dim%tt.part != 0 {
					width = tt.dim % tt.part
				}
				if y := b.Centroids[p*tt.size*tt.part+int(codes[p])*width+k%tt.part]; x != y || sum[k] != 2*y {
					t.Fatalf("%+v, codes %v: number %d is %v, its double %v, want %v", tt, codes, k, x, sum[k], y)
				}
			}
		}
	}
}

// A code that no centroid has is zeros.
func TestCodesOutOfRange(t *testing.T) {
	b := random(5, 2, 3)
	row := []float32{9, 9, 9, 9, 9}
	b.Decode(row, []byte{0, 3, 255})
	if want := append(slices.Clone(b.Centroids[:2]), 0, 0, 0); !slices.Equal(row, want) {
		t.Errorf("got %v, want %v", row, want)
	}
	b.Add(row, []byte{3, 4, 200})
	if want := append(slices.Clone(b.Centroids[:2]), 0, 0, 0); !slices.Equal(row, want) {
		t.Errorf("added: got %v, want %v", row, want)
	}
}

func TestValidate(t *testing.T) {
	for want, b := range map[string]Codebook{
		"a codebook of 0 dimensions, must be at least 1":             {},
		"a codebook with parts of 3 numbers, must be from 1 to 2":    {Dim: 2, Part: 3, Size: 1},
		"a codebook of 257 centroids a part, must be from 1 to 256":  {Dim: 2, Part: 1, Size: 257},
		"a codebook of 3 numbers, must be 4":                         {Dim: 2, Part: 1, Size: 2, Centroids: make([]float32, 3)},
		"a codebook with parts of 0 numbers, must be from 1 to 2":    {Dim: 2, Size: 1},
		"a codebook of 0 centroids a part, must be from 1 to 256":    {Dim: 2, Part: 1},
		"a codebook of -1 dimensions, must be at least 1":            {Dim: -1, Part: 1},
		"a codebook with parts of -4 numbers, must be from 1 to 100": {Dim: 100, Part: -4},
	} {
		if err := b.Validate(); err == nil || err.Error() != want {
			t.Errorf("%+v: got %v, want %s", b, err, want)
		}
	}
}

// The encoder finds what looking at every centroid with float64 finds, but for
// rounding.
func TestEncodeNearest(t *testing.T) {
	for _, tt := range []struct{ dim, part, size int }{
		{10, 3, 256}, {8, 2, 100}, {33, 16, 17}, {1, 1, 256}, {5, 5, 1},
	} {
		b := random(tt.dim, tt.part, tt.size)
		points := rows(53, tt.dim, 2) // no whole number of batches
		codes := make([]byte, 53*b.Parts())
		NewEncoder(b).Encode(codes, points)
		one := make([]byte, b.Parts())
		for i, row := range slices.Collect(slices.Chunk(points, tt.dim)) {
			NewEncoder(b).Clone().Encode(one, row)
			mine := codes[i*b.Parts():][:b.Parts()]
			if !bytes.Equal(one, mine) {
				t.Fatalf("%+v: row %d has the codes %v alone and %v among others", tt, i, one, mine)
			}
			for p, code := range mine {
				part := row[p*b.Part:][:b.width(p)]
				least, distances := math.Inf(1), make([]float64, b.Size)
				for c := range distances {
					for k, x := range b.part(p)[c*len(part):][:len(part)] {
						distances[c] += math.Pow(float64(x)-float64(part[k]), 2)
					}
					least = min(least, distances[c])
				}
				if d := distances[code]; d > least+1e-5*(1+least) {
					t.Errorf("%+v: row %d, part %d: code %d is %v away, the nearest centroid %v", tt, i, p, code, d, least)
				}
			}
		}
	}
}

// Far from zero precision is not lost.
func TestEncodeFarFromZero(t *testing.T) {
	b := Codebook{Dim: 1, Part: 1, Size: 256}
	for i := range b.Size {
		b.Centroids = append(b.Centroids, 1000+float32(i)/128)
	}
	for i, x := range b.Centroids {
		code := make([]byte, 1)
		NewEncoder(b).Encode(code, []float32{x})
		if int(code[0]) != i {
			t.Fatalf("%v has code %d, want %d", x, code[0], i)
		}
	}
}

// Numbers that are not finite neither panic nor spoil what others get.
func TestNotFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	sample := rows(500, 4, 1)
	want, err := Train(t.Context(), sample, 4, Options{Part: 2, Size: 16})
	if err != nil {
		t.Fatal(err)
	}
	odd := append([]float32{nan, 0, 0, 0}, sample...)
	odd = append(odd, 0, 0, 0, -inf, 0, math.MaxFloat32, 0, 0)
	got, err := Train(t.Context(), odd, 4, Options{Part: 2, Size: 16})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Centroids, want.Centroids) {
		t.Error("rows that are not finite change the centroids")
	}
	codes := make([]byte, 2*3)
	NewEncoder(got).Encode(codes, []float32{nan, 1, inf, nan, -inf, inf, 0, 0, 1, math.MaxFloat32, 1, 1})
	for _, c := range codes {
		if int(c) >= got.Size {
			t.Errorf("codes %v, want less than %d", codes, got.Size)
		}
	}
	for _, train := range trainers {
		if _, _, err := train(t.Context(), []float32{nan, nan}, 2, Options{Part: 1}); err == nil {
			t.Error("rows without numbers: no error")
		}
	}
}

// trainers are both ways to train.
var trainers = map[string]func(context.Context, []float32, int, Options) (Codebook, []float32, error){
	"plain": func(ctx context.Context, sample []float32, dim int, opt Options) (Codebook, []float32, error) {
		b, err := Train(ctx, sample, dim, opt)
		return b, nil, err
	},
	"rotated": TrainRotated,
}

// Few rows, or rows that are equal, are held exactly.
func TestTrainFew(t *testing.T) {
	for name, train := range trainers {
		few := rows(7, 6, 3)
		var many []float32
		for range 100 {
			many = append(many, few...)
		}
		for _, sample := range [][]float32{few, many, make([]float32, 60), few[:6]} {
			b, rotation, err := train(t.Context(), sample, 6, Options{Part: 4})
			if err != nil {
				t.Fatal(err)
			}
			if d := loss(t, b, rotation, sample); d > 1e-9 {
				t.Errorf("%s: %d rows lose %v", name, len(sample)/6, d)
			}
			if want := min(MaxSize, len(sample)/6); b.Size != want {
				t.Errorf("%s: %d centroids, want %d", name, b.Size, want)
			}
		}
	}
}

// The result depends on the seed, not on the number of cores.
// Each centroid that no point is near moves to another point, the farthest from its centroid first.
func TestCentroidsWithoutPoints(t *testing.T) {
	c := newClustering([]float32{1, 1, 1, 9, 27, 81}, 1, 4, rand.New(rand.NewPCG(1, 1)))
	copy(c.centroids, []float32{1, 1000, 2000, 3000})
	c.find = newFinder(c.size, c.width)
	c.batch = newPoints(c.find)
	if _, err := c.assign(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.move()
	if want := []float32{20, 81, 27, 9}; !slices.Equal(c.centroids, want) {
		t.Errorf("centroids are %v, want %v", c.centroids, want)
	}
}

func TestTrainDeterministic(t *testing.T) {
	sample := rows(3000, 10, 4)
	for name, train := range trainers {
		t.Run(name, func(t *testing.T) {
			var first, other Codebook
			var turned []float32
			for i, cores := range []int{1, 2, 7} {
				before := runtime.GOMAXPROCS(cores)
				b, rotation, err := train(t.Context(), sample, 10, Options{Part: 3, Size: 32, Seed: 5})
				runtime.GOMAXPROCS(before)
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					first, turned = b, rotation
				}
				if !slices.Equal(b.Centroids, first.Centroids) || !slices.Equal(rotation, turned) {
					t.Errorf("other centroids on %d cores", cores)
				}
			}
			other, _, err := train(t.Context(), sample, 10, Options{Part: 3, Size: 32, Seed: 6})
			if err != nil {
				t.Fatal(err)
			}
			if slices.Equal(other.Centroids, first.Centroids) {
				t.Error("another seed gives the same centroids")
			}
		})
	}
}

func TestTrainCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, train := range trainers {
		if _, _, err := train(ctx, rows(100, 4, 1), 4, Options{Part: 2, Size: 8}); err != context.Canceled { //nolint:errorlint // the very one
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// kMeans is a plain k-means with float64, which starts from random points and goes
// on for a long time: what the loss of ours is compared with.
func kMeans(points []float32, width, size int, random *rand.Rand) float64 {
	n := len(points) / width
	centroids := make([]float64, size*width)
	for c, i := range random.Perm(n)[:size] {
		for k := range width {
			centroids[c*width+k] = float64(points[i*width+k])
		}
	}
	var loss float64
	for range 60 {
		loss = 0
		sums, counts := make([]float64, len(centroids)), make([]float64, size)
		for i := range n {
			best, least := 0, math.Inf(1)
			for c := range size {
				var d float64
				for k := range width {
					x := float64(points[i*width+k]) - centroids[c*width+k]
					d += x * x
				}
				if d < least {
					best, least = c, d
				}
			}
			loss += least
			counts[best]++
			for k := range width {
				sums[best*width+k] += float64(points[i*width+k])
			}
		}
		for c, n := range counts {
			for k := range width {
				if n > 0 {
					centroids[c*width+k] = sums[c*width+k] / n
				}
			}
		}
	}
	return loss / float64(n)
}

// Training loses no more than a plain k-means does of each part, and rotated
// training less.
func TestDistortion(t *testing.T) {
	for _, tt := range []struct{ n, dim, part, size int }{
		{2000, 8, 2, 64}, {2000, 12, 4, 32}, {1000, 9, 4, 128}, {3000, 6, 1, 16},
	} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			sample := rows(tt.n, tt.dim, 8)
			opt := Options{Part: tt.part, Size: tt.size, Seed: 1}
			b, err := Train(t.Context(), sample, tt.dim, opt)
			if err != nil {
				t.Fatal(err)
			}
			var plain float64
			random := rand.New(rand.NewPCG(1, 1))
			for p := range b.Parts() {
				var points []float32
				for row := range slices.Chunk(sample, tt.dim) {
					points = append(points, row[p*tt.part:][:b.width(p)]...)
				}
				plain += kMeans(points, b.width(p), tt.size, random)
			}
			ours := loss(t, b, nil, sample)
			if ours > 1.02*plain {
				t.Errorf("loses %.4f, a plain k-means %.4f", ours, plain)
			}
			b, rotation, err := TrainRotated(t.Context(), sample, tt.dim, opt)
			if err != nil {
				t.Fatal(err)
			}
			rotated := loss(t, b, rotation, sample)
			t.Logf("plain k-means %.4f, ours %.4f, rotated %.4f", plain, ours, rotated)
			if rotated > ours {
				t.Errorf("rotated loses %.4f, otherwise %.4f", rotated, ours)
			}
		})
	}
}

// A rotation changes no lengths, and Unrotate takes Rotate back.
func TestRotation(t *testing.T) {
	sample := rows(400, 7, 9)
	_, rotation, err := TrainRotated(t.Context(), sample, 7, Options{Part: 3, Size: 16})
	if err != nil {
		t.Fatal(err)
	}
	turned, back := make([]float32, 7), make([]float32, 7)
	for row := range slices.Chunk(sample, 7) {
		Rotate(turned, row, rotation)
		Unrotate(back, turned, rotation)
		var before, after float64
		for k, x := range row {
			before += float64(x) * float64(x)
			after += float64(turned[k]) * float64(turned[k])
			if math.Abs(float64(x-back[k])) > 1e-5 {
				t.Fatalf("%v came back as %v", row, back)
			}
		}
		if math.Abs(before-after) > 1e-4*before {
			t.Fatalf("the square of a length is %v, rotated %v", before, after)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, tt := range []struct{ n, most, want int }{{0, 5, 0}, {5, 5, 5}, {5, 9, 5}, {1000, 100, 100}, {7, 0, 0}} {
		got := Choose(tt.n, tt.most, 1)
		if len(got) != tt.want || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) ||
			len(got) > 0 && got[len(got)-1] >= tt.n {
			t.Errorf("%+v: got %v", tt, got)
		}
	}
	// All rows are equally likely.
	times := make([]int, 20)
	for seed := range uint64(2000) {
		for _, i := range Choose(20, 5, seed) {
			times[i]++
		}
	}
	for i, n := range times {
		if n < 400 || n > 600 {
			t.Errorf("row %d was chosen %d times of 2000, want about 500", i, n)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, part := range []int{2, 4, 8} {
		b.Run(fmt.Sprint(part), func(b *testing.B) {
			book := random(100, part, 256)
			encoder := NewEncoder(book)
			points := rows(160, 100, 1)
			codes := make([]byte, 160*book.Parts())
			for b.Loop() {
				encoder.Encode(codes, points)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(160*b.N), "ns/row")
		})
	}
}

func BenchmarkTrain(b *testing.B) {
	points := rows(SampleSize, 100, 1)
	for b.Loop() {
		if _, err := Train(b.Context(), points, 100, Options{Part: 8}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTrainRotated(b *testing.B) {
	points := rows(SampleSize, 100, 1)
	for b.Loop() {
		if _, _, err := TrainRotated(b.Context(), points, 100, Options{Part: 8}); err != nil {
			b.Fatal(err)
		}
	}
}
