package eval

import (
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
)

// SetName is the name of a set for reports: that of its file, without folder and
// extensions.
func SetName(path string) string {
	name, _ := compression.SplitExt(filepath.Base(path))
	return strings.TrimSuffix(name, filepath.Ext(name))
}
