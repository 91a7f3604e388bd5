package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
)

// A file is said to be large before training if it takes largeFile bytes or more, and
// largeRatio times what a native file takes, or more.
const (
	largeFile  = 100e6
	largeRatio = 4
)

// noteSize says how large the model's file is going to be if that is out of proportion,
// which formats are that have room for every bucket of n-grams, trained or not.
func (f *trainFlags) noteSize(shape vectors.Shape, format vectors.Format, report *reporter) {
	bytes := vectors.EstimateSize(f.output, shape, format)
	native := f.nativePath()
	least := vectors.EstimateSize(native, shape, vectors.FormatW2V)
	if bytes < largeFile || bytes < largeRatio*least || !vectors.KeepsSubword(f.config.Subword, f.composition(), format) {
		return
	}
	report.remark("large-file", fmt.Sprintf("%s will take %.0f MB, because the format %s stores all %s buckets, trained or not; %s takes %.0f MB, and --buckets makes fewer",
		f.output, float64(bytes)/1e6, format, thousands(uint64(shape.Buckets)), native, float64(least)/1e6))
}

// nativePath is the output's name with the extension of native files.
func (f *trainFlags) nativePath() string {
	path, _ := compression.SplitExt(f.output)
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".w2v"
}
