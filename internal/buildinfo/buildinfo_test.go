package buildinfo

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	const commit = "7c6f7d5ee1db9b7c4eefdac3b7cc4919be316ae3"
	at := time.Date(2026, 11, 23, 20, 1, 56, 0, time.UTC)
	yes, no := true, false
	clone := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "-tags", Value: "nopdf"},
			{Key: "vcs", Value: "git"},
			{Key: "vcs.revision", Value: commit},
			{Key: "vcs.time", Value: "2026-11-23T20:01:56Z"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	for _, test := range []struct {
		name, version string
		settings      []debug.BuildSetting
		want          Facts
	}{
		{"a clone at a tag", "v0.1.0", clone("false"),
			Facts{Version: "v0.1.0", Commit: commit, Date: &at, Modified: &no, Tags: "nopdf"}},
		{"a clone with changes", "v0.1.0+dirty", clone("true"),
			Facts{Version: "v0.1.0+dirty", Commit: commit, Date: &at, Modified: &yes, Tags: "nopdf"}},
		{"a clone behind a tag: the commit is there in full", "v0.1.1-0.20261123200156-7c6f7d5ee1db", clone("false"),
			Facts{Version: "v0.1.1-0.20261123200156-7c6f7d5ee1db", Commit: commit, Date: &at, Modified: &no, Tags: "nopdf"}},
		{"go install of a tag", "v0.1.0", nil, Facts{Version: "v0.1.0"}},
		{"go install of a commit", "v0.1.1-0.20261123200156-7c6f7d5ee1db", nil,
			Facts{Version: "v0.1.1-0.20261123200156-7c6f7d5ee1db", Commit: commit[:12], Date: &at}},
		{"sources without a repository", "(devel)", nil, Facts{Version: "(devel)"}},
		{"nothing known", "", nil, Facts{Version: "(devel)"}},
	} {
		test.want.Go = "go1.26.8"
		got := Of(&debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: test.version}, Settings: test.settings})
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestRead(t *testing.T) {
	if f := Read(); f.Go != runtime.Version() || f.Version == "" {
		t.Errorf("%+v", f)
	}
}
