// Package web holds the built front end of the explorer: a page, its script and its style sheets.
//
// The source is TypeScript in src, built by Vite into dist (npm run build) and packed into one
// archive (npm run pack), which is committed, so that building the program needs no Node.
package web

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:embed pages.zip.zst
var packed []byte

// Files returns the built files: index.html, and in assets the script and the style sheets, whose names
// hold a hash of their content.
func Files() fs.FS { return files() }

var files = sync.OnceValue(func() fs.FS {
	files, err := unpacked()
	if err != nil {
		panic(err) // the archive is a part of the program
	}
	return files
})

func unpacked() (fs.FS, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	archive, err := decoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
}
