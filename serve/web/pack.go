//go:build ignore

// Pack puts all files of dist into one archive, pages.zip.zst, which the program embeds. The zip
// does not compress, so that Zstandard finds what the files have in common: the page of the server and
// the one for export have the same script.
package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"log"
	"os"

	"github.com/klauspost/compress/zstd"
)

func main() {
	if err := pack("dist", "pages.zip.zst"); err != nil {
		log.Fatal(err)
	}
}

func pack(folder, to string) error {
	var archive bytes.Buffer
	files := zip.NewWriter(&archive)
	from := os.DirFS(folder)
	err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		w, err := files.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	if err := files.Close(); err != nil {
		return err
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	return os.WriteFile(to, encoder.EncodeAll(archive.Bytes(), nil), 0o644)
}
