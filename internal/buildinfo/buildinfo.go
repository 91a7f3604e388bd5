// Package buildinfo says what a program was built from: which version and commit, by which Go.
package buildinfo

import (
	"runtime/debug"
	"time"

	"golang.org/x/mod/module"
)

// Facts are what the Go tool writes into a program when it builds it.
type Facts struct {
	Version  string     `json:"version"`            // the tag, a pseudo-version, or "(devel)" if neither is known
	Commit   string     `json:"commit,omitempty"`   // empty if it is not known; the first 12 digits if the version is all that is known
	Date     *time.Time `json:"date,omitempty"`     // when the commit was made; nil if it is not known
	Modified *bool      `json:"modified,omitempty"` // whether files differed from the commit; nil if it is not known
	Go       string     `json:"go"`                 // version of Go
	Tags     string     `json:"tags,omitempty"`     // build tags, separated by commas
}

// Read returns the facts about the running program.
func Read() Facts {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return Of(info)
}

// Of returns the facts that info has. A build in a clone has the commit; that of a module has a
// version, which names the commit and its date if it has no tag.
func Of(info *debug.BuildInfo) Facts {
	f := Facts{Version: info.Main.Version, Go: info.GoVersion}
	if f.Version == "" {
		f.Version = "(devel)"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			f.Commit = s.Value
		case "vcs.time":
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil {
				f.Date = &at
			}
		case "vcs.modified":
			modified := s.Value == "true"
			f.Modified = &modified
		case "-tags":
			f.Tags = s.Value
		}
	}
	if f.Commit != "" || !module.IsPseudoVersion(f.Version) {
		return f
	}
	if commit, err := module.PseudoVersionRev(f.Version); err == nil {
		f.Commit = commit
	}
	if at, err := module.PseudoVersionTime(f.Version); err == nil {
		f.Date = &at
	}
	return f
}
