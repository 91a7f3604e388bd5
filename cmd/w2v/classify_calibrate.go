package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

func newClassifyCalibrate(s streams) *cobra.Command {
	var f classifyTrainFlags // of which the output and the fields count
	var precision float64
	var asJSON bool
	c := command("classify-calibrate", cobra.MinimumNArgs(2), func(c *cobra.Command, args []string) error {
		f.options.UnknownPrecision = precision
		to, err := f.outputFormat()
		if err != nil {
			return misuse(err)
		}
		return withClassifier(args[0], func(m *classify.Model) error {
			set, of, err := m.Calibrate(c.Context(), classify.Files(s.in, args[1:]...), f.options.Fields, precision)
			if err != nil {
				return classifyError(err)
			}
			if err := s.writeTrained(c.Context(), f.output, set, to); err != nil {
				return err
			}
			if asJSON {
				return printJSON(s.out, calibrationOf(of))
			}
			fmt.Fprintf(s.err, "%s: %s\n", calibrationOf(of), f.output)
			return nil
		})
	})
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "file of the calibrated model; the extension picks the format (required)")
	addEnum(flags, &f.format, "format", "format of the model; the default goes by the extension", formatChoices())
	addUnknown(flags, &precision)
	addFields(flags, &f.options.Fields, true)
	addJSON(c, &asJSON)
	checked(c, func([]string) error {
		if err := broken(rule{f.output == "", "no output: say where the calibrated model goes with -o MODEL"}, rule{f.output == "-", "a classifier is not written to standard output: name a file"}); err != nil {
			return err
		}
		return classifyError(f.options.Fields.Validate(true))
	})
	return c
}

// writeTrained writes a model that was trained, and notes what the format leaves out of it.
func (s streams) writeTrained(ctx context.Context, path string, set *vectors.Set, to format.Format) error {
	lost := format.LeavesOut(set, to)
	s.noteIf(len(lost.Parts) > 0, "the format %s leaves out %s", to, lost)
	s.notes(format.Misread(set, to)...)
	return format.Write(ctx, path, set, to)
}

func addUnknown(flags *pflag.FlagSet, precision *float64) {
	flags.Float64Var(precision, "unknown-precision", 0, "answer \"unknown\" below the least probability at which this `FRACTION` of the other answers is right on the held-out texts")
}

// holdsThreshold returns an error if a format does not hold the threshold of unknown texts.
func holdsThreshold(to format.Format) error {
	if to == format.W2V {
		return nil
	}
	return fmt.Errorf("--unknown-precision: the format %s holds no threshold: write %s", to, format.W2V)
}

// A calibration is what is printed of one. Its JSON is read by scripts.
type calibration struct {
	Texts       uint64   `json:"texts"`
	LeftOut     uint64   `json:"left_out"`
	Temperature float64  `json:"temperature"`
	LossBefore  float64  `json:"log_loss_before"`
	Loss        float64  `json:"log_loss"`
	ErrorBefore float64  `json:"calibration_error_before"`
	Error       float64  `json:"calibration_error"`
	Threshold   *float64 `json:"unknown_threshold,omitempty"`
	Precision   *float64 `json:"precision,omitempty"`
	Coverage    *float64 `json:"coverage,omitempty"`
}

func calibrationOf(c classify.Calibration) calibration {
	of := calibration{Texts: c.Texts, LeftOut: c.LeftOut, Temperature: c.Temperature, LossBefore: c.LossBefore, Loss: c.Loss, ErrorBefore: c.ErrorBefore, Error: c.Error}
	if c.Threshold > 0 {
		of.Threshold, of.Precision, of.Coverage = &c.Threshold, &c.Precision, &c.Coverage
	}
	return of
}

func (c calibration) String() string {
	text := fmt.Sprintf("calibrated on %s: temperature %.4f, log loss %.4f (before %.4f), calibration error %.4f (before %.4f)",
		wording.Count(c.Texts, "text", "texts"), c.Temperature, c.Loss, c.LossBefore, c.Error, c.ErrorBefore)
	if c.Threshold != nil {
		text += fmt.Sprintf("; unknown below %.4f, which leaves %.1f %% of the texts a label, right for %.1f %%", *c.Threshold, 100**c.Coverage, 100**c.Precision)
	}
	return text
}
