package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/plots"
)

// pictureFlags say where a picture goes and how it looks.
type pictureFlags struct {
	out, to string
	style   plots.Style
	fonts   []string
	asJSON  bool
}

func (f *pictureFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "write the picture to `FILE`, .svg or .png; - means standard output, with --to")
	addEnum(flags, &f.to, "to", "format of the picture; the default goes by its extension", choicesOf(plots.Formats(), nil))
	flags.Float64Var(&f.style.Width, "width", 0, "width in `INCHES`; 0 is what suits the picture")
	flags.Float64Var(&f.style.Height, "height", 0, "height in `INCHES`; 0 is what suits the picture")
	flags.IntVar(&f.style.DPI, "dpi", 0, fmt.Sprintf("pixels of an inch of a PNG; 0 means %d", plots.DefaultDPI))
	flags.BoolVar(&f.style.Dark, "dark", false, "light text on a dark background")
	flags.StringVar(&f.style.Title, "title", "", "the title, in place of the picture's own")
	flags.StringArrayVar(&f.fonts, "font", nil, "take glyphs from this TrueType or OpenType `FILE` first; may be repeated")
	addJSON(c, &f.asJSON)
	c.Flags().Lookup("json").Usage = "print the data behind the picture as one line of JSON"
}

// format is that of the picture; empty if none is drawn.
func (f *pictureFlags) format() (plots.Format, error) {
	if f.to != "" || f.out == "" {
		return plots.Format(f.to), nil
	}
	ext := plots.Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(f.out), ".")))
	if !slices.Contains(plots.Formats(), ext) {
		return "", fmt.Errorf("%s: its extension is neither .svg nor .png: say --to svg or --to png", f.out)
	}
	return ext, nil
}

// check looks for what makes no sense, and for a picture that could not be written, before anything
// is computed. It reads the fonts.
func (f *pictureFlags) check(c *cobra.Command) error {
	wrong := func(err error) error { return &usageError{c.CommandPath(), err} }
	switch {
	case f.out == "" && !f.asJSON:
		return wrong(errors.New("there is nothing to write: say -o FILE.svg or -o FILE.png, or --json"))
	case f.out == "" && f.to != "":
		return wrong(errors.New("--to is the format of --output, and there is none"))
	case f.out == "-" && f.to == "":
		return wrong(errors.New("standard output has no extension: say --to svg or --to png"))
	case f.out == "-" && f.asJSON:
		return wrong(errors.New("--json and the picture cannot both go to standard output"))
	}
	if _, err := f.format(); err != nil {
		return wrong(err)
	}
	if err := f.style.Validate(); err != nil {
		return wrong(err)
	}
	for _, path := range f.fonts {
		data, err := os.ReadFile(path)
		if err != nil {
			return named(path, err)
		}
		font, err := plots.ParseFont(data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		f.style.Fonts = append(f.style.Fonts, font)
	}
	if f.out == "" || f.out == "-" {
		return nil
	}
	return atomicfile.Check(f.out)
}

// write writes the picture and prints its data, as far as they are asked for, and says what the
// picture lacks.
func (f *pictureFlags) write(s streams, picture plots.Picture, data any) error {
	if f.out != "" {
		to, err := f.format()
		if err != nil {
			return err
		}
		var image bytes.Buffer // a picture that cannot be drawn leaves standard output empty
		drawn, err := plots.Write(&image, picture, to, f.style)
		if err != nil {
			return fmt.Errorf("%s: %w", f.out, err)
		}
		if f.out == "-" {
			_, err = image.WriteTo(s.out)
		} else {
			err = atomicfile.Write(f.out, func(w io.Writer) error {
				_, err := image.WriteTo(w)
				return err
			})
		}
		if err != nil {
			return err
		}
		noteDrawn(s, drawn)
	}
	if f.asJSON {
		return printJSON(s.out, data)
	}
	return nil
}

// noteDrawn notes what is not in a picture.
func noteDrawn(s streams, d plots.Drawn) {
	if n := len(d.Unlabelled); n > 0 {
		s.note(fmt.Sprintf("%s no room: %s; a larger --width and --height have room for more", wording.Count(n, "label has", "labels have"), some(d.Unlabelled)))
	}
	if n := len(d.NoGlyphs); n > 0 {
		s.note(fmt.Sprintf("%s characters that no font here has, drawn as boxes: %s; name a font with --font FILE.ttf, or write an SVG", wording.Count(n, "label has", "labels have"), some(d.NoGlyphs)))
	}
	if n := len(d.Unshaped); n > 0 {
		s.note(fmt.Sprintf("a PNG has the letters of a label one by one from left to right, which is wrong for %s: %s; write an SVG", wording.Count(n, "label", "labels"), some(d.Unshaped)))
	}
}
