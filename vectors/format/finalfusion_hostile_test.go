package format

import (
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/finalfusion"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Files of finalfusion that lie.
func TestFinalfusionErrors(t *testing.T) {
	head := func(chunks ...uint32) string { return file("FiFu", uint32(0), uint32(len(chunks)), chunks) }
	chunk := func(kind uint32, parts ...any) string { return file(kind, uint64(0)) + file(parts...) }
	words := chunk(1, uint64(1), uint32(1), "a")
	// The matrix begins at byte 24+12+13 and its numbers behind 28 bytes and padding.
	matrix := func(rows uint64, cols, kind uint32) string {
		return chunk(2, rows, cols, kind, "\x00\x00\x00")
	}
	row := file([]float32{3, 4})
	codes := func(rotated, norms, parts, dim, size uint32, rows uint64, code, centroid uint32) string {
		return chunk(4, rotated, norms, parts, dim, size, rows, code, centroid, "\x00\x00\x00")
	}
	const huge = math.MaxUint64
	for _, tt := range []struct{ name, file, want string }{
		{"magic", "FiFo" + strings.Repeat("\x00", 8), `byte 0: expected "FiFu", found "FiFo"`},
		{"version", file("FiFu", uint32(1), uint32(0)), `byte 4: expected version 0 of the finalfusion format, found 1`},
		{"no chunks", head(), `byte 8: expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found []`},
		{"many chunks", file("FiFu", uint32(0), uint32(math.MaxUint32)), `byte 8: expected a few chunks, found 4294967295`},
		{"a vocabulary alone", head(1) + words, `byte 8: expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found [1]`},
		{"another end", head(1, 2, 5), `byte 8: expected chunks of a vocabulary (1, 3, 7, 8 or 9), of rows (2 or 4) and perhaps of norms (6), found [1 2 5]`},
		{"no vocabulary", head(2, 2), `byte 8: the vocabulary: expected a chunk of kind 1, 3, 7, 8 or 9, found 2`},
		{"no rows", head(1, 6) + words, `byte 8: the rows: expected a chunk of kind 2 or 4, found 6`},
		{"metadata of any length", head(5, 1, 2) + file(uint32(5), uint64(huge), "x"), `byte 37: expected metadata, but the file ends: unexpected EOF`},
		{"short metadata", head(5, 1, 2) + file(uint32(5), uint64(99), "x"), `byte 36: expected metadata of 99 bytes, but 1 are left: unexpected EOF`},
		{"another chunk", head(1, 2) + chunk(3), `byte 20: the vocabulary: expected a chunk of kind 1, as the list of chunks says, found 3`},

		{"words without end", head(1, 2) + chunk(1, uint64(huge)), `byte 40: the vocabulary: expected at most 2147483647 words, found 18446744073709551615`},
		{"too few words", head(1, 2) + chunk(1, uint64(1<<30), uint32(1), "a"), `byte 45: the vocabulary: word 2 of 1073741824: expected the length of a text, but the file ends: unexpected EOF`},
		{"a word without end", head(1, 2) + chunk(1, uint64(1), uint32(math.MaxUint32), "a"), `byte 40: the vocabulary: word 1 of 1: expected a text of at most 16384 bytes, found 4294967295`},
		{"a short word", head(1, 2) + chunk(1, uint64(1), uint32(9), "a"), `byte 44: the vocabulary: word 1 of 1: expected a text of 9 bytes, but 1 are left: unexpected EOF`},
		{"no UTF-8", head(1, 2) + chunk(1, uint64(1), uint32(1), "\xff"), `byte 44: the vocabulary: word 1 of 1: expected UTF-8, found "\xff"`},
		{"exponent", head(3, 2) + chunk(3, uint64(0), uint32(3), uint32(6), uint32(63)), `byte 40: the vocabulary: subword: the exponent of buckets is 63, must be from 0 to 30`},
		{"lengths", head(3, 2) + chunk(3, uint64(0), uint32(0), uint32(6), uint32(5)), `byte 40: the vocabulary: subword: minn is 0, must be at least 1`},
		{"buckets", head(7, 2) + chunk(7, uint64(0), uint32(3), uint32(6), uint32(math.MaxUint32)), `byte 40: the vocabulary: expected lengths and a number of buckets up to 2147483647, found 3, 6 and 4294967295`},
		{"no buckets", head(7, 2) + chunk(7, uint64(0), uint32(3), uint32(6), uint32(0)), `byte 40: the vocabulary: subword: buckets is 0, must be from 1 to 2147483647`},
		{"n-grams without end", head(8, 2) + chunk(8, uint64(0), uint64(huge), uint32(3), uint32(6)), `byte 32: the vocabulary: expected lengths and a number of n-grams up to 2147483647, found 3, 6 and 18446744073709551615`},
		{"row of an n-gram", head(8, 2) + chunk(8, uint64(0), uint64(1), uint32(3), uint32(6), uint32(1), "a", uint64(1)), `byte 61: the vocabulary: n-gram 1 of 1: found row 1`},
		{"an n-gram twice", head(8, 2) + chunk(8, uint64(0), uint64(2), uint32(3), uint32(6), uint32(1), "a", uint64(0), uint32(1), "a", uint64(1)), `byte 56: the vocabulary: subword: the n-gram "a" stands there twice`},
		{"hashes", head(9, 2) + chunk(9, uint32(2), uint32(3), uint64(5), uint32(5), uint32(1), uint32(1), "<", uint32(1), ">"), `byte 32: the vocabulary: subword: hashes is 5, must be from 1 to 4`},
		{"rows of floret", head(9, 2) + chunk(9, uint32(2), uint32(3), uint64(huge), uint32(5), uint32(1)), `byte 32: the vocabulary: expected lengths and numbers up to 2147483647, found n-grams of 2 to 3, 18446744073709551615 buckets and 5 hashes`},

		{"other rows", head(1, 2) + words + matrix(2, 2, 10) + row, `byte 57: the rows: expected 1 rows, one each for the words, found 2`},
		{"type", head(1, 2) + words + matrix(1, 2, 11) + row, `byte 69: the rows: expected numbers of type 10, float32, found type 11`},
		{"short rows", head(1, 2) + words + matrix(1, 1<<20, 10) + row, `byte 76: the rows: expected the matrix of 4194304 bytes, but 8 are left: unexpected EOF`},
		{"wide rows", head(1, 2) + words + matrix(1, math.MaxUint32, 10) + row, `byte 76: the rows: expected the matrix, found 1 rows of 4294967295, more than fit into memory`},
		{"no dimensions", head(1, 2) + words + matrix(1, 0, 10), `byte 76: 0 dimensions, must be at least 1`},
		{"more", head(1, 2) + words + matrix(1, 2, 10) + row + "x", `byte 84: expected the end of the file, found 1 bytes more`},
		{"norms", head(1, 2, 6) + words + matrix(1, 2, 10) + row + chunk(6, uint64(huge), uint32(10)), `byte 100: the norms: expected norms of 1 words, found 18446744073709551615`},
		{"short norms", head(1, 2, 6) + words + matrix(1, 2, 10) + row + chunk(6, uint64(1), uint32(10), "\x00\x00\x00\x00"), `byte 116: the norms: expected norms of 4 bytes, but 0 are left: unexpected EOF`},

		{"codes: parts", head(1, 4) + words + codes(0, 0, 2, 3, 1, 1, 1, 10), `byte 65: the rows: expected rows of equal parts, found 2 parts of 3 dimensions`},
		{"codes: no parts", head(1, 4) + words + codes(0, 0, 0, 3, 1, 1, 1, 10), `byte 65: the rows: expected rows of equal parts, found 0 parts of 3 dimensions`},
		{"codes: size", head(1, 4) + words + codes(0, 0, 1, 2, 257, 1, 1, 10), `byte 73: the rows: expected from 1 to 256 centroids a part, found 257`},
		{"codes: type", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 10, 10), `byte 85: the rows: expected codes of type 1, uint8, found type 10`},
		{"codes: type of centroids", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 1, 1), `byte 89: the rows: expected numbers of type 10, float32, found type 1`},
		{"codes: rotation", head(1, 4) + words + codes(1, 0, 1, math.MaxInt32, 1, 1, 1, 10), `more than fits into memory`},
		{"codes: centroids", head(1, 4) + words + codes(0, 0, 1, 1<<20, 256, 1, 1, 10), `byte 96: the rows: expected centroids of 1073741824 bytes, but 0 are left: unexpected EOF`},
		{"codes: norms", head(1, 4) + words + codes(0, 1, 1, 2, 1, 1, 1, 10) + row, `byte 104: the rows: expected norms of 4 bytes, but 0 are left: unexpected EOF`},
		{"codes: none", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 1, 10) + row, `byte 104: the rows: expected codes of 1 bytes, but 0 are left: unexpected EOF`},
		{"codes: no such centroid", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 1, 10) + row + "\x01", `byte 105: input matrix: row 0 has code 1 of 1`},
		{"codes", head(1, 4) + words + codes(0, 0, 1, 2, 1, 1, 1, 10) + row + "\x00", ""},
		{"rows", head(1, 2) + words + matrix(1, 2, 10) + row, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int64{int64(len(tt.file)), -1} {
				_, err := finalfusion.Codec().Read(source.New(strings.NewReader(tt.file), size))
				got := errorText(err)
				// Where the size is not known, what is missing is found out later.
				if size < 0 && strings.Contains(tt.want, "left") {
					if !strings.HasSuffix(got, "but the file ends: unexpected EOF") {
						t.Errorf("as a stream: %s", got)
					}
					continue
				}
				if !strings.HasSuffix(got, tt.want) || (got == "") != (tt.want == "") {
					if size < 0 && strings.HasSuffix(got, "found more bytes") {
						continue
					}
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

// Words that finalfusion cannot hold are named before anything is written.
func TestFinalfusionWords(t *testing.T) {
	for word, want := range map[string]string{
		"caf\xe9": `word 1, "caf\xe9", is not UTF-8, which finalfusion insists on`,
		"the":     `word 1, "the", stands there twice, first as word 0, which finalfusion cannot hold`,
	} {
		s := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords("the", word), Input: vectors.NewMatrix(2, 3)})
		if err := Encode(&strings.Builder{}, s, Finalfusion); errorText(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
