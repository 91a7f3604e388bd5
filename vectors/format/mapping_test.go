package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mmap "github.com/edsrzf/mmap-go"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
	"github.com/w2v-go/w2v/vectors/inspect"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// mappedSet writes a set of many pages, with n-grams if they are wanted, and returns where.
func mappedSet(t *testing.T, sub subword.Indexer) string {
	t.Helper()
	const words, dim = 3000, 64
	var list []string
	for i := range words {
		list = append(list, fmt.Sprintf("word%04d", i))
	}
	rows := words
	if sub != nil {
		rows += sub.Rows()
	}
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords(list...), Subword: sub, Input: vectors.NewMatrix(rows, dim), Output: vectors.NewMatrix(words, dim), Counts: make([]uint64, words)})
	for r := range rows {
		for k := range s.Input().Row(r) {
			s.Input().Row(r)[k] = float32(math.Sin(float64(r*dim + k)))
		}
	}
	for i := range s.Counts() {
		s.Counts()[i] = uint64(words - i)
		s.Output().Row(i)[i%dim] = 1
	}
	path := filepath.Join(t.TempDir(), "model.w2v")
	if err := Write(t.Context(), path, s, W2V); err != nil {
		t.Fatal(err)
	}
	return path
}

// uses are what one can do with a set, by name. Each returns the error that it has, if it
// can have one.
func uses(t *testing.T) map[string]func(s *vectors.Set) error {
	query := make([]float32, 64)
	query[0] = 1
	var sum float32 // so that rows are looked at
	uses := map[string]func(s *vectors.Set) error{
		"Nearest": func(s *vectors.Set) error {
			_, err := s.Nearest(t.Context(), vectors.Query{Vector: query, K: 5})
			return err
		},
		"RowsOf": func(s *vectors.Set) error {
			for _, row := range s.RowsOf(s.Input()) {
				sum += row[0]
			}
			return nil
		},
		"All": func(s *vectors.Set) error {
			for _, row := range s.All() {
				sum += row[0]
			}
			return nil
		},
		"Buckets": func(s *vectors.Set) error {
			for _, row := range s.Buckets(3000) {
				sum += row[0]
			}
			return nil
		},
		"NgramVector": func(s *vectors.Set) error { s.NgramVector(query, "word2999"); return nil },
		"AppendRows":  func(s *vectors.Set) error { s.AppendRows(nil, 2999); return nil },
		"RowName":     func(s *vectors.Set) error { s.RowName(vectors.MatrixOutput, 2999); return nil },
		"Analogy": func(s *vectors.Set) error {
			_, err := s.Analogy(t.Context(), vectors.AnalogyOptions{K: 3, Method: vectors.CosMul}, [3]string{"word0001", "word2000", "word2999"})
			return err
		},
		"Analogy among": func(s *vectors.Set) error {
			few := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("some"), Input: vectors.Matrix{Data: query, Rows: 1, Cols: len(query), Stride: len(query)}})
			_, err := s.Analogy(t.Context(), vectors.AnalogyOptions{K: 1, Candidates: few}, [3]string{"word0001", "word2000", "word2999"})
			return err
		},
		"Express": func(s *vectors.Set) error {
			return s.Express(slices.Clone(query), vectors.Expression{{Word: "word0001", Weight: 1}, {Word: "word2999", Weight: -1}})
		},
		"Centrality":     func(s *vectors.Set) error { s.Centrality([]string{"word0001", "word2000", "word2999"}); return nil },
		"WordParts":      func(s *vectors.Set) error { s.WordParts("word2999"); return nil },
		"Vector":         func(s *vectors.Set) error { s.Vector(query, "word2999"); return nil },
		"Vector unknown": func(s *vectors.Set) error { s.Vector(query, "wordword"); return nil },
		"WordVector":     func(s *vectors.Set) error { s.WordVector(query, 2999); return nil },
		"BucketVector":   func(s *vectors.Set) error { s.BucketVector(7); return nil },
		"Counts":         func(s *vectors.Set) error { s.Counts(); return nil },
		"ID":             func(s *vectors.Set) error { s.ID("word2999"); return nil },
		"Words":          func(s *vectors.Set) error { _ = s.Words().Strings(); return nil },
		"Directions":     func(s *vectors.Set) error { s.Directions(); return nil },
		"Check":          func(s *vectors.Set) error { return s.Check() },
		"Shape":          func(s *vectors.Set) error { s.Shape(); return nil },
		"SentenceOf": func(s *vectors.Set) error {
			s.SentenceOf(query, []vectors.Token{{Word: "word0001", ID: 1}, {Word: "none", ID: -1}})
			return nil
		},
		"Token":          func(s *vectors.Set) error { s.Token("word0001"); return nil },
		"Sentence":       func(s *vectors.Set) error { s.Sentence(query, []string{"word0001", "word2999"}); return nil },
		"Top":            func(s *vectors.Set) error { transform.Top(s, 2000); return nil },
		"Select":         func(s *vectors.Set) error { transform.Select(s, []string{"word2999"}); return nil },
		"SelectComposed": func(s *vectors.Set) error { transform.SelectComposed(s, []string{"word2999", "other"}); return nil },
		"Reduce": func(s *vectors.Set) error {
			_, _, err := transform.Reduce(t.Context(), s, 4, transform.Computation{})
			return err
		},
		"Center": func(s *vectors.Set) error {
			_, _, err := transform.Center(t.Context(), s, transform.Computation{})
			return err
		},
		"AllButTheTop": func(s *vectors.Set) error {
			_, _, err := transform.AllButTheTop(t.Context(), s, 2, transform.Computation{})
			return err
		},
		"Whiten": func(s *vectors.Set) error {
			_, _, err := transform.Whiten(t.Context(), s, transform.Computation{})
			return err
		},
		"Rotate": func(s *vectors.Set) error {
			same := make([]float64, s.Dim()*s.Dim())
			for k := range s.Dim() {
				same[k*s.Dim()+k] = 1
			}
			rotated, err := transform.Rotate(s, same)
			if err == nil {
				rotated.WordVector(slices.Clone(query), 2999)
				err = rotated.Err()
			}
			return err
		},
		"Procrustes": func(s *vectors.Set) error {
			pairs, err := align.Shared(s, s, align.SharedOptions{})
			if err == nil {
				_, err = align.Procrustes(t.Context(), s, s, pairs, align.Options{})
			}
			return err
		},
		"Retrieve": func(s *vectors.Set) error {
			_, err := align.Retrieve(t.Context(), s, s, []align.Pair{{A: 1, B: 2400}}, align.RetrievalOptions{})
			return err
		},
		"Diff":    func(s *vectors.Set) error { _, err := align.Diff(t.Context(), s, s, align.DiffOptions{}); return err },
		"Inspect": func(s *vectors.Set) error { _, err := inspect.Set(t.Context(), s, inspect.Options{}); return err },
		"Factorize": func(s *vectors.Set) error {
			_, _, err := transform.Factorize(t.Context(), s, transform.FactorizeOptions{Rank: 4})
			return err
		},
		"SelectRows": func(s *vectors.Set) error {
			transform.SelectRows(s, []string{"word2999", "other"}, transform.RowOptions{Random: true})
			return nil
		},
		"WithSpecialTokens": func(s *vectors.Set) error { _, err := transform.WithSpecialTokens(s, "[PAD]"); return err },
		"NotFiniteInput":    func(s *vectors.Set) error { _, err := s.NotFiniteInput(); return err },
		"NotFinite":         func(s *vectors.Set) error { _, err := s.NotFinite(); return err },
		"Suggest":           func(s *vectors.Set) error { s.Suggest("wrod2999", 3); return nil },
		"Lookup": func(s *vectors.Set) error {
			found, err := s.Lookup(vectors.CaseAuto)
			found.Find("OTHER")
			return err
		},
		"Writable": func(s *vectors.Set) error { _, err := Unwritable(s, Finalfusion); return err },
		"Scaled":   func(s *vectors.Set) error { _, err := transform.Scaled(s, "std=1"); return err },
		"Quantize": func(s *vectors.Set) error {
			_, err := transform.Quantize(t.Context(), s, transform.QuantizeOptions{Method: transform.QuantizePQ})
			return err
		},
		"Guard": func(s *vectors.Set) error {
			return s.Guard(func() error {
				var sum float32
				for r := range s.Input().Rows {
					sum += s.Input().Row(r)[0]
				}
				return fmt.Errorf("read all, %v", sum)
			})
		},
		"Encode": func(s *vectors.Set) error { return Encode(io.Discard, s, W2V) },
	}
	for _, f := range All() {
		uses["Write "+string(f)] = func(s *vectors.Set) error {
			path := filepath.Join(t.TempDir(), "out")
			err := Write(t.Context(), path, s, f)
			if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
				t.Errorf("%s: %s is left", f, left[0].Name())
			}
			return err
		}
	}
	return uses
}

// ofNgrams are the uses that a set without n-grams does not have.
var ofNgrams = []string{"Vector unknown", "Buckets", "NgramVector", "AppendRows", "BucketVector"}

// Every method of a set is among those that are tried on a file that changes, or reads nothing
// of the file.
func TestUsesAreAllMethods(t *testing.T) {
	tried := uses(t)
	readsNothing := strings.Fields("BucketRow BucketRows ByFrequency CheckSizes Close Composes Composition Dim Err Exact Facts First Format InFile Input Labels Learned Len MapRows Matrices Matrix NgramWeights Notes Output OwnRow OwnRows Parameters Parts Plain Remember Rows SharedParts State StateRows StoredMatrices Subword Training Unread Vectors Verify WithNotes WithTraining WordRows")
	methods := reflect.TypeFor[*vectors.Set]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		if _, ok := tried[name]; ok == slices.Contains(readsNothing, name) {
			t.Errorf("%s is tried: %v, and is said to read nothing: %v", name, ok, !ok)
		}
	}
}

// A file that another program shortens while it is mapped is an error that names it, in
// whatever goroutine and kernel it is read.
func TestMappedFileThatIsShortened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be shortened here")
	}
	for _, sub := range []subword.Indexer{nil, subword.FastText{MinN: 3, MaxN: 5, Buckets: 3000}} {
		whole, err := os.ReadFile(mappedSet(t, sub))
		if err != nil {
			t.Fatal(err)
		}
		for name, use := range uses(t) {
			if sub == nil && slices.Contains(ofNgrams, name) || name == "BucketVector" || name == "Write "+string(Floret) {
				continue // there is nothing to read
			}
			t.Run(fmt.Sprintf("%s, n-grams %v", name, sub != nil), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "model.w2v")
				if err := os.WriteFile(path, whole, 0o600); err != nil {
					t.Fatal(err)
				}
				s, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				// All but the header and the first offsets goes.
				if err := os.Truncate(path, 8192); err != nil {
					t.Fatal(err)
				}
				err = use(s)
				if !errors.Is(errors.Join(err, s.Err()), vectors.ErrChanged) {
					t.Errorf("returned %v, Err is %v", err, s.Err())
				}
				if err != nil && (!errors.Is(err, vectors.ErrChanged) || !strings.HasSuffix(err.Error(), path+": changed while it was read: try again")) {
					t.Errorf("returned %v", err)
				}
				if got := s.Err(); err == nil && got != nil && got.Error() != path+": changed while it was read: try again" {
					t.Errorf("Err is %v", s.Err())
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Codes are copied when words are picked, which a fault ends too.
func TestMappedCodesThatAreShortened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be shortened here")
	}
	q, err := transform.Quantize(t.Context(), trial.Plain(2000, 64), transform.QuantizeOptions{Method: transform.QuantizeInt8})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model.w2v")
	if err := Write(t.Context(), path, q, W2V); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Truncate(path, 8192); err != nil {
		t.Fatal(err)
	}
	if transform.Top(s, 1000); !errors.Is(s.Err(), vectors.ErrChanged) {
		t.Errorf("Err is %v", s.Err())
	}
}

// A fault somewhere else stays one, and so does any other panic.
func TestGuardIsForItsOwnFileAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be shortened here")
	}
	s, err := Open(mappedSet(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other, err := os.OpenFile(filepath.Join(t.TempDir(), "other"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Truncate(1 << 16); err != nil {
		t.Fatal(err)
	}
	mapped, err := mmap.Map(other, mmap.RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mapped.Unmap() }()
	if err := other.Truncate(0); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(){
		"fault of another file": func() { _ = bytes.Clone(mapped) },
		"panic":                 func() { panic("mine") },
		"index":                 func() { s.Input().Row(1 << 20) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := recover(); got == nil {
					t.Error("no panic")
				}
				if err := s.Err(); err != nil {
					t.Error(err)
				}
			}()
			t.Error(s.Guard(func() error { read(); return nil }))
		})
	}
	// Guard leaves the goroutine as it was.
	if err := s.Guard(func() error { return io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
}

// A file that is written over in place, with as many bytes, is noticed at the end of what
// reads it, and nothing is written then.
func TestMappedFileThatIsWrittenOver(t *testing.T) {
	path := mappedSet(t, nil)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Skip("a mapped file cannot be written to here")
	}
	if _, err := f.WriteAt([]byte{1, 2, 3, 4}, 1<<17); err != nil {
		t.Skip("a mapped file cannot be written to here")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Second) // whatever the clock of the file system
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	want := path + ": changed while it was read: try again"
	if err := s.Guard(func() error { return nil }); err == nil || err.Error() != want {
		t.Errorf("Guard returned %v, want %s", err, want)
	}
	out := filepath.Join(t.TempDir(), "out.vec")
	if err := Write(t.Context(), out, s, Text); err == nil || err.Error() != out+": "+want {
		t.Errorf("Write returned %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("Write has written")
	}
}

// A file that another takes the place of is still the one that was opened.
func TestMappedFileThatIsReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be replaced here")
	}
	path := mappedSet(t, nil)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := Write(t.Context(), path, pairSet(0), W2V); err != nil {
		t.Fatal(err)
	}
	if err := s.Guard(s.Check); err != nil {
		t.Error(err)
	}
	if got := s.Words().At(2999); got != "word2999" {
		t.Errorf("got %q", got)
	}
}

// What is used after Close panics in words that say so, or returns an error that does, sets that were made of the
// closed one too.
func TestUseAfterClose(t *testing.T) {
	sub := subword.FastText{MinN: 3, MaxN: 5, Buckets: 3000}
	path := mappedSet(t, sub)
	derived := map[string]func(s *vectors.Set) *vectors.Set{
		"itself":     func(s *vectors.Set) *vectors.Set { return s },
		"Top":        func(s *vectors.Set) *vectors.Set { return transform.Top(s, 2500) },
		"Plain":      func(s *vectors.Set) *vectors.Set { return s.Plain() },
		"Normalized": func(s *vectors.Set) *vectors.Set { return transform.Normalized(s) },
		"output": func(s *vectors.Set) *vectors.Set {
			o, err := transform.WordVectors(s, transform.KindOutput)
			if err != nil {
				t.Fatal(err)
			}
			return o
		},
	}
	for from, derive := range derived {
		uses := uses(t)
		uses["Row"] = func(s *vectors.Set) error { s.Input().Row(5); return nil }
		uses["Read"] = func(s *vectors.Set) error { s.Input().Read(make([]float32, 64), 5); return nil }
		uses["Vectors"] = func(s *vectors.Set) error { s.Vectors(); return nil }
		for name, use := range uses {
			if name == "Counts" { // which are none then
				continue
			}
			if from == "Top" && (name == "ID" || name == "Words" || name == "Lookup" || name == "Suggest" || name == "Token") {
				continue // its words are its own
			}
			t.Run(from+" "+name, func(t *testing.T) {
				s, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				of := derive(s)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if err := s.Close(); err != nil { // the second does nothing
					t.Error(err)
				}
				defer func() {
					if got := recover(); got != nil && got != "vectors: use of a closed Set" {
						t.Errorf("panic: %v", got)
					}
				}()
				if err := use(of); !errors.Is(err, vectors.ErrClosed) {
					t.Errorf("no panic, %v", err)
				}
			})
		}
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := s.Input()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if got := recover(); got != "vectors: use of a closed Set" {
			t.Errorf("panic: %v", got)
		}
		if s.Counts() != nil || s.Input().Data != nil {
			t.Error("the set still has what lay in the file")
		}
	}()
	copied.Row(3)
}

// Close waits for what reads the file, and refuses what comes after it. A search that is refused panics, or has an error, in the
// goroutine that calls it, where that can be recovered from, and never in another.
func TestCloseBesideReaders(t *testing.T) {
	ngrams, plain := mappedSet(t, subword.FastText{MinN: 3, MaxN: 5, Buckets: 3000}), mappedSet(t, nil)
	for name := range uses(t) {
		if strings.HasPrefix(name, "Write ") { // Encode is among these
			continue
		}
		t.Run(name, func(t *testing.T) {
			for round, path := range []string{plain, ngrams, plain}[:reduced(3, 1)] {
				if slices.Contains(ofNgrams, name) {
					path = ngrams
				}
				s, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				var readers sync.WaitGroup
				begun := make(chan bool)
				for range 3 {
					use := uses(t)[name] // whose memory is its own
					readers.Go(func() {
						defer func() {
							if p := recover(); p != nil && p != "vectors: use of a closed Set" {
								t.Errorf("panic: %v", p)
							}
						}()
						begun <- true
						for range reduced(20, 5) {
							if err := use(s); errors.Is(err, vectors.ErrClosed) {
								return
							}
						}
					})
				}
				for range 3 {
					<-begun
				}
				time.Sleep(time.Duration(round) * time.Millisecond)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				readers.Wait()
				if err := s.Err(); err != nil {
					t.Errorf("Err is %v", err)
				}
			}
		})
	}
}

// A search that has begun is answered, as if the set were not closed meanwhile.
func TestCloseWaitsForASearch(t *testing.T) {
	s, err := Open(mappedSet(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	query := make([]float32, 64)
	query[0] = 1
	want := trial.Nearest(s, query, 5)
	closed := make(chan error)
	err = s.Guard(func() error {
		go func() { closed <- s.Close() }()
		for refused := make(chan bool); ; { // until Close was called
			go func() { refused <- errors.Is(s.Guard(func() error { return nil }), vectors.ErrClosed) }()
			if <-refused {
				break
			}
		}
		if got := trial.Nearest(s, query, 5); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		select {
		case <-closed:
			t.Error("Close does not wait")
		default:
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if err := s.Guard(func() error { return nil }); !errors.Is(err, vectors.ErrClosed) {
		t.Errorf("Guard of a closed set: %v", err)
	}
}

// What a set gives out is a copy, or in memory: the file can be unmapped, or be gone, when it is used.
func TestNothingOutlivesTheFile(t *testing.T) {
	for _, sub := range []subword.Indexer{nil, subword.FastText{MinN: 3, MaxN: 5, Buckets: 3000}} {
		path := mappedSet(t, sub)
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		take := func() []any {
			v := make([]float32, 64)
			s.Vector(v, "word2999")
			var rows [][]float32
			for _, m := range append(s.StateRows(), s.Input(), s.Output(), s.Rows(), s.Plain().Input(), transform.Top(s, 2990).Input(), transform.Normalized(s).Input()) {
				rows = append(rows, m.Row(2989), m.View(make([]float32, 64), 2988))
			}
			var bucket []float32
			var composed []uint32
			if sub != nil {
				bucket, composed = s.BucketVector(7), s.AppendRows(nil, 2999)
			}
			id, _ := s.ID("word2999")
			explained := s.WordParts("word2999")
			suggested := s.Suggest("wrod2999", 3)
			return []any{v, rows, bucket, id, explained, suggested, s.Counts(), s.Parts().Counts, transform.Top(s, 2990).Counts(), s.State(), s.WordRows(), s.BucketRows(), s.Words().At(2999),
				s.Words().Strings(), trial.Nearest(s, v, 5), composed, s.Training(), s.Facts()}
		}
		text := func(all []any) string { return fmt.Sprint(all...) }
		taken := take()
		want := text(taken)
		if err := os.Truncate(path, 0); err != nil {
			t.Skip("a mapped file cannot be shortened here")
		}
		if got := text(taken); got != want {
			t.Error("what was taken is other after the file was cut short")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if got := text(taken); got != want {
			t.Error("what was taken is other after Close")
		}
	}
}

// What is made of a mapped set, and what writes it or describes it, leaves the tables in the file.
func TestTablesStayInTheFile(t *testing.T) {
	const words, buckets, most = 100, 1 << 20, 3 << 20 // bytes; the rows of buckets take more, and so does the state
	var list vectors.WordsBuilder
	for i := range words {
		list.Add(fmt.Sprintf("word%d", i))
	}
	p := vectors.Parts{Words: list.Words(), Counts: make([]uint64, words), Subword: subword.FastText{MinN: 3, MaxN: 5, Buckets: buckets},
		Input: vectors.NewMatrix(words+1, 4), WordRows: make([]uint32, words), BucketRows: make([]int32, buckets), State: make([]byte, 4<<20)}
	for i := range p.WordRows {
		p.WordRows[i] = uint32(i)
	}
	for b := range p.BucketRows {
		p.BucketRows[b] = words
	}
	made, err := vectors.New(p)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model.w2v")
	if err := Write(t.Context(), path, made, W2V); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !s.InFile() {
		t.Skip("a file cannot be mapped here")
	}
	derived := s.WithTraining(vectors.Training{}).WithNotes("a note")
	for name, use := range map[string]func() error{
		"WithTraining": func() error { s.WithTraining(vectors.Training{}); return nil },
		"WithNotes":    func() error { s.WithNotes("a note"); return nil },
		"Normalized":   func() error { transform.Normalized(s); return nil },
		"First":        func() error { _, err := transform.First(s, 2); return err },
		"Center":       func() error { _, _, err := transform.Center(t.Context(), s, transform.Computation{}); return err },
		"LeavesOut":    func() error { LeavesOut(s, Text); return nil },
		"HasState":     func() error { _, err := HasState(path); return err },
		"Encode":       func() error { return Encode(io.Discard, s, W2V) },
		"of another":   func() error { return Encode(io.Discard, derived, W2V) },
		"text":         func() error { return Encode(io.Discard, s, Text) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := use()
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; err != nil || n > most {
			t.Errorf("%s: %v, and %d bytes were allocated", name, err, n)
		}
	}
	if !slices.Equal(derived.BucketRows(), p.BucketRows) || !slices.Equal(derived.State(), p.State) {
		t.Error("a set that was made of another one has other tables")
	}
}

// Rows of a mapped set that are read one after the other are not allocated each.
func TestRowsAreReadWithoutAllocation(t *testing.T) {
	s, err := Open(mappedSet(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sum, err := transform.WordVectors(s, transform.KindSum)
	if err != nil {
		t.Fatal(err)
	}
	first, err := transform.First(s, 50) // whose rows have the other numbers between them
	if err != nil {
		t.Fatal(err)
	}
	allocations := func(of *vectors.Set) float64 {
		return testing.AllocsPerRun(1, func() {
			if err := Encode(io.Discard, of, W2V); err != nil {
				t.Error(err)
			}
		})
	}
	most := allocations(s) + 1000 // of 3,000 rows
	for name, of := range map[string]*vectors.Set{"sum": sum, "first": first} {
		if n := allocations(of); n > most {
			t.Errorf("%s: %v allocations, want %v at most", name, n, most)
		}
	}
}

// A set that remembers its file goes on after touch, and does not after a change, whatever the time of the file is then.
func TestMappedFileThatIsTouched(t *testing.T) {
	later := time.Now()
	touch := func(path string) {
		later = later.Add(time.Second)
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path string, at int64, b byte) {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Skip("a mapped file cannot be written to here")
		}
		_, err = f.WriteAt([]byte{b}, at)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Skip("a mapped file cannot be written to here")
		}
		touch(path)
	}
	for _, remembers := range []bool{false, true} {
		path := mappedSet(t, nil)
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if remembers {
			if err := s.Remember(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		last := int64(len(whole)) - 1
		for step, test := range []struct {
			do   func()
			same bool
		}{
			{func() {}, true},
			{func() { touch(path) }, remembers},
			{func() { touch(path) }, remembers},
			{func() { write(path, last, whole[last]) }, remembers}, // the same byte
			{func() { write(path, last, whole[last]+1) }, false},
			{func() { touch(path) }, false},
			{func() { write(path, last, whole[last]) }, remembers}, // as it was
			{func() { _ = os.Truncate(path, last) }, false},
		} {
			test.do()
			for range 2 {
				if err := s.Guard(func() error { return nil }); (err == nil) != test.same || err != nil && !errors.Is(err, vectors.ErrChanged) {
					t.Errorf("remembers %v, step %d: %v", remembers, step, err)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A file that changes while it is being remembered is not remembered as it is then.
func TestRememberOfAFileThatHasChanged(t *testing.T) {
	path := mappedSet(t, nil)
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	later := time.Now().Add(time.Second)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if err := s.Remember(t.Context()); !errors.Is(err, vectors.ErrChanged) {
		t.Errorf("Remember returned %v", err)
	}
	if err := s.Guard(func() error { return nil }); !errors.Is(err, vectors.ErrChanged) {
		t.Errorf("Guard returned %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Remember(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Remember returned %v after the end of its context", err)
	}
}
