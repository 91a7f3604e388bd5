package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/buildinfo"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// A versionReport is what w2v version prints. Its JSON is read by scripts.
type versionReport struct {
	Version   string     `json:"version"`
	Commit    string     `json:"commit,omitempty"`
	Date      *time.Time `json:"date,omitempty"`
	Modified  *bool      `json:"modified,omitempty"`
	Go        string     `json:"go"`
	Tags      string     `json:"tags,omitempty"`
	OS        string     `json:"os"`
	Arch      string     `json:"arch"`
	Kernels   string     `json:"kernels"`
	Available []string   `json:"available_kernels"`
	Processor string     `json:"processor,omitempty"`
	Threads   int        `json:"threads"`
}

func newVersion(s streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version [flags]",
		Short: "Print the version, its commit, and the kernels this machine uses",
		Long: `Print which version this is, the commit it was built from, and what it computes with
on this machine. A report of a problem should have these lines.

The commit is unknown if w2v was built from sources without their repository.
"modified" means that files differed from the commit. The kernels are the inner loops
of training and search; w2v uses the best ones that the processor has. The environment
variable W2V_SIMD picks others, for tests and measurements: W2V_SIMD=portable.`,
		Example: `  w2v version
  w2v version --json`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			report := reportVersion()
			if asJSON {
				return printJSON(s.out, report)
			}
			return report.print(s)
		},
	}
	addJSON(c, &asJSON)
	return c
}

func version() string { return buildinfo.Read().Version }

func reportVersion() versionReport {
	built := buildinfo.Read()
	return versionReport{
		Version: built.Version, Commit: built.Commit, Date: built.Date, Modified: built.Modified, Go: built.Go, Tags: built.Tags,
		OS: runtime.GOOS, Arch: runtime.GOARCH,
		Kernels: simd.Kind(), Available: simd.Kinds(),
		Processor: sysinfo.Processor(), Threads: runtime.GOMAXPROCS(0),
	}
}

func (r versionReport) print(s streams) error {
	commit := "unknown"
	if r.Commit != "" {
		commit = r.Commit
	}
	if r.Modified != nil && *r.Modified {
		commit += ", modified"
	}
	kernels := r.Kernels
	if len(r.Available) > 1 {
		kernels += fmt.Sprintf(" (of %s)", strings.Join(r.Available, ", "))
	}
	w := newTable(s.out)
	fmt.Fprintf(w, "version\t%s\ncommit\t%s\n", r.Version, commit)
	if r.Date != nil {
		fmt.Fprintf(w, "date\t%s\n", r.Date.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(w, "go\t%s\n", r.Go)
	if r.Tags != "" {
		fmt.Fprintf(w, "tags\t%s\n", r.Tags)
	}
	fmt.Fprintf(w, "system\t%s/%s\nkernels\t%s\n", r.OS, r.Arch, kernels)
	if r.Processor != "" {
		fmt.Fprintf(w, "processor\t%s\n", r.Processor)
	}
	fmt.Fprintf(w, "threads\t%d\n", r.Threads)
	return w.Flush()
}
