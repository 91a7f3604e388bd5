package kmers_test

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/corpus/kmers"
)

func Example() {
	fasta := ">chr1 a small genome\nACGTA\nCNGTT\n>chr2\nac\n"
	r := kmers.NewReader("genome.fa", strings.NewReader(fasta), kmers.Options{K: 3})
	text, err := io.ReadAll(r)
	fmt.Printf("%s%v\n%+v\n", text, err, r.Stats())
	// Output:
	// ACG CGT GTA TAC
	// GTT
	// <nil>
	// {Records:2 Letters:12 Kmers:5 Ambiguous:1 Short:1}
}

func TestKmers(t *testing.T) {
	long := strings.Repeat("ACGT", 40_000)
	for _, c := range []struct {
		name, in string
		o        kmers.Options
		want     string
	}{
		{"lines of a record are one sequence", ">a\nAC\r\nGT\r\n\nA\n", kmers.Options{K: 4}, "ACGT CGTA\n"},
		{"a record is a sentence", ">a\nACG\n>b\nTTT\n", kmers.Options{K: 2}, "AC CG\nTT TT\n"},
		{"lower case, RNA", ">a\nacgu\n", kmers.Options{K: 4}, "ACGT\n"},
		{"stride", ">a\nAACCGGTT\n", kmers.Options{K: 2, Stride: 2}, "AA CC GG TT\n"},
		{"stride beyond k", ">a\nAACCGGTT\n", kmers.Options{K: 2, Stride: 5}, "AA GT\n"},
		{"canonical", ">a\nTTTACG\n", kmers.Options{K: 3, Canonical: true}, "AAA TAA GTA ACG\n"},
		{"both strands", ">a\nAAGCT\n>b\nAGCTT\n", kmers.Options{K: 3, Canonical: true}, "AAG AGC AGC\nAGC AGC AAG\n"},
		{"ambiguous letters end a sentence", ">a\nACNGT-RCC\n", kmers.Options{K: 2}, "AC\nGT\nCC\n"},
		{"ambiguous letters are left out", ">a\nACNGT-RCC\n>b\nAA\n", kmers.Options{K: 2, Join: true}, "AC GT CC\nAA\n"},
		{"stride begins anew behind them", ">a\nACGNACG\n", kmers.Options{K: 2, Stride: 2}, "AC\nAC\n"},
		{"short records", ">a\nA\n>b\n>c\nAC", kmers.Options{K: 2}, "AC\n"},
		{"comments", ";old\n>a\n;more\nAC\n", kmers.Options{K: 2}, "AC\n"},
		{"protein", ">a\nMKVXLL*\n", kmers.Options{K: 2, Alphabet: kmers.Protein}, "MK KV\nLL\n"},
		{"FASTQ", "@r1\nACGT\n+\n@@@@\n@r2\nTT\n+r2\nII\n", kmers.Options{K: 2}, "AC CG GT\nTT\n"},
		{"FASTQ on several lines", "@r1\nAC\nGT\n+\n@I\n+>\n@r2\nTT\n+\nII", kmers.Options{K: 4}, "ACGT\n"},
		{"a long line", ">a\n" + long + "\n", kmers.Options{K: 4, Stride: 4}, strings.TrimSuffix(strings.Repeat("ACGT ", 40_000), " ") + "\n"},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
			got, err := io.ReadAll(kmers.NewReader("x", in, c.o))
			if err != nil || string(got) != c.want {
				t.Errorf("%s: %.80q, %v; want %.80q", c.name, got, err, c.want)
			}
		}
	}
}

func TestMalformedSequences(t *testing.T) {
	for _, c := range []struct {
		in   string
		o    kmers.Options
		want string
	}{
		{"", kmers.Options{K: 2}, "x: there is no sequence in it: a record of FASTA begins with >, one of FASTQ with @"},
		{"ACGT\n", kmers.Options{K: 2}, "x: line 1: a record of FASTA begins with >, one of FASTQ with @, and this line with 'A'"},
		{">a\nAC\nACE\n", kmers.Options{K: 2}, "x: line 3: 'E' is not a letter of a sequence of dna"},
		{">a\nAC1\n", kmers.Options{K: 2, Alphabet: kmers.Protein}, "x: line 2: '1' is not a letter of a sequence of protein"},
		{"@a\nACGT\n", kmers.Options{K: 2}, "x: line 3: the last record of FASTQ has no qualities: the file is cut short"},
		{"@a\nACGT\n+\nII\n", kmers.Options{K: 2}, "x: line 5: the last record of FASTQ has 4 letters and 2 qualities: the file is cut short"},
		{"@a\nAC\n+\nIII\n", kmers.Options{K: 2}, "x: line 4: there are more qualities than the 2 letters of the record"},
		{"@a\nAC\n+\nII\nAC\n", kmers.Options{K: 2}, "x: line 5: a record of FASTQ begins with @, and this line with 'A'"},
		{">a\n", kmers.Options{}, "k-mers: K is 0, must be from 1 to 1024"},
		{">a\n", kmers.Options{K: 1025}, "k-mers: K is 1025, must be from 1 to 1024"},
		{">a\n", kmers.Options{K: 2, Stride: -1}, "k-mers: Stride is -1, must not be negative"},
		{">a\n", kmers.Options{K: 2, Alphabet: "greek"}, `k-mers: the alphabet "greek" is not dna or protein`},
		{">a\n", kmers.Options{K: 2, Alphabet: kmers.Protein, Canonical: true}, "k-mers: canonical k-mers are those of both strands of DNA, and proteins have no strands"},
	} {
		if _, err := io.ReadAll(kmers.NewReader("x", strings.NewReader(c.in), c.o)); err == nil || err.Error() != c.want {
			t.Errorf("%.20q: %v, want %s", c.in, err, c.want)
		}
	}
	broken := io.MultiReader(strings.NewReader(">a\nACGT\n"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := io.ReadAll(kmers.NewReader("x", broken, kmers.Options{K: 2})); err == nil || err.Error() != "x: unexpected EOF" {
		t.Errorf("a reader that fails: %v", err)
	}
}

// A line may be a genome: its memory does not depend on its length.
func TestLongLinesTakeNoMemory(t *testing.T) {
	const length = 4 << 20
	letters, marks := strings.Repeat("ACGGT", length/5), strings.Repeat("I", length/5*5)
	for _, c := range []struct {
		name, in string
		k        int
	}{
		{"FASTA", ">a\n" + letters, 6},
		{"large k", ">a\n" + letters[:length/16], kmers.MaxK},
		{"FASTQ", "@a\n" + letters + "\n+\n" + marks + "\n", 6},
		{"header", ">" + letters + "\nACGGTACG\n", 6},
		{"comment", ">a\n;" + letters + "\nACGGTACG\n", 6},
		{"blanks", ">a\n" + strings.Repeat(" ", length) + "ACGGTACG\n", 6},
		{"ambiguous", ">a\n" + strings.Repeat("N", length) + "ACGGTACG\n", 6},
	} {
		var before, after runtime.MemStats
		in := strings.NewReader(c.in)
		runtime.ReadMemStats(&before)
		r := kmers.NewReader("x", in, kmers.Options{K: c.k})
		_, err := io.Copy(io.Discard, r)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; err != nil || r.Stats().Kmers == 0 || n > 1<<20 {
			t.Errorf("%s: %d bytes allocated, %d k-mers, %v", c.name, n, r.Stats().Kmers, err)
		}
	}
}

// Whatever comes in, k-mers have K letters of the alphabet, and there are as many as Stats say.
func FuzzReader(f *testing.F) {
	f.Add(">a\nACGT\nNN\nAC", 2, 1, false)
	f.Add("@r\nACGT\n+\nIIII\n", 3, 2, true)
	f.Fuzz(func(t *testing.T, in string, k, stride int, canonical bool) {
		r := kmers.NewReader("x", strings.NewReader(in), kmers.Options{K: k, Stride: stride, Canonical: canonical})
		text, err := io.ReadAll(r)
		n := uint64(0)
		for _, token := range strings.Fields(string(text)) {
			if n++; len(token) != k || strings.Trim(token, "ACGT") != "" {
				t.Fatalf("the k-mer %q of %d letters", token, k)
			}
		}
		if s := r.Stats(); err == nil && (n != s.Kmers || s.Short > s.Records) {
			t.Fatalf("%d k-mers, and %+v", n, s)
		}
	})
}

// A record that is too long ends the records while it is read: a chromosome does not have to fit into memory.
func TestRecordsAreShort(t *testing.T) {
	read := 0
	lines := func(yield func(string, error) bool) {
		for _, line := range []string{"ACGT", ">a", "AC", "GT", ">b", "ACGT", "ACGT", "ACGT", "ACGT", ">c"} {
			if read++; !yield(line, nil) {
				return
			}
		}
	}
	var got []string
	var failed error
	for record, err := range kmers.Records(lines, 8) {
		if got = append(got, record); err != nil {
			failed = err
		}
	}
	if want := []string{"ACGT", ">a\nAC\nGT", ""}; !slices.Equal(got, want) || failed == nil || read != 7 {
		t.Errorf("%q, %v after %d lines", got, failed, read)
	}
}
