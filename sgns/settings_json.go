package sgns

// savedOrder is the order in which checkpoints have the settings that they had before there
// was a table; further ones come after these.
var savedOrder = []string{
	"dim", "window", "epochs", "negatives", "ns_exponent", "sample", "lr", "threads", "seed", "deterministic", "evaluate_every", "patience",
	"arch", "loss", "position_weights", "rank", "tied", "word_ngrams", "word_buckets", "nested", "freeze",
}

// MarshalJSON returns the settings as checkpoints have them: all but Force and Subword, which
// belongs to the vectors.
func (c Config) MarshalJSON() ([]byte, error) { return Settings().Marshal(&c, savedOrder) }

// UnmarshalJSON reads what MarshalJSON wrote, in this version or an older one.
func (c *Config) UnmarshalJSON(data []byte) error { return Settings().Unmarshal(data, c) }
