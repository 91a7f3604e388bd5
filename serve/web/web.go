// Package web holds the built front end of the explorer: a page, its script and its style sheets.
//
// The source is TypeScript in src, built by Vite into dist, which is committed, so that building
// the program needs no Node.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Files returns the built files: index.html, and in assets the script and the style sheets, whose names
// hold a hash of their content.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is valid, and Sub has no other error
	}
	return files
}
