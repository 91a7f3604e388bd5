package variant

import (
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/settings"
)

// freeze is what the rows of known words need to stay as they are.
func freeze(r settings.Run) (part capability.Part, chosen bool) {
	return capability.Part{Needs: map[capability.Capability]string{
		capability.Freezes: "",
	}}, r.Freeze
}
