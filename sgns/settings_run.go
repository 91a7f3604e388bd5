package sgns

import (
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
)

// run returns the settings that a variant depends on, resolved.
func (c Config) run() settings.Run {
	return settings.Run{
		Dim:             c.Dim,
		Window:          c.Window,
		WindowMode:      settings.WindowMode(c.WindowMode),
		Negatives:       c.Negatives,
		Draws:           c.Draws,
		NSExponent:      c.NSExponent,
		Seed:            c.Seed,
		Arch:            string(c.Arch),
		Loss:            string(c.Loss),
		PositionWeights: c.PositionWeights,
		WordNgrams:      c.WordNgrams,
		WordBuckets:     c.WordBuckets,
		Rank:            c.Rank,
		Tied:            c.Tied,
		Nested:          c.Nested,
		Subword:         subword.Value(c.Subword),
		Precision:       settings.Precision(c.Precision),
		Freeze:          c.Freeze != FreezeNone,
		Deterministic:   c.Deterministic,
		Threads:         c.threads(),
	}
}

// variant returns what the settings describe. It is an error if there is no such thing.
func (c Config) variant() (*variant.Variant, error) {
	v, err := variant.Of(c.run())
	if err != nil {
		return nil, fmt.Errorf("sgns: %w", err)
	}
	return v, nil
}
