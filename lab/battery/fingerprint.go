package battery

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"

	"github.com/w2v-go/w2v/vectors"
)

// Fingerprint is a checksum of the sets and of what scoring makes of them: it changes when a set
// does, and when the scores of a fixed model do. Results that were scored otherwise are not to be
// compared with new ones.
func (b Battery) Fingerprint(ctx context.Context) (string, error) {
	model, err := b.probe()
	if err != nil {
		return "", err
	}
	scores, err := b.Score(ctx, model)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(struct {
		Sets   Battery
		Scores []Score
	}{b, scores})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// probe is a model with fixed vectors for most words of the sets. It lacks every seventh word, so
// that its scores depend on what is done with unknown words.
func (b Battery) probe() (*vectors.Set, error) {
	const dim, lacking = 16, 7
	var words []string
	seen := make(map[string]bool)
	met := 0
	add := func(all ...string) {
		for _, w := range all {
			if seen[w] {
				continue
			}
			seen[w] = true
			if met++; met%lacking != 0 {
				words = append(words, w)
			}
		}
	}
	for _, set := range b.Similarity {
		for _, p := range set.Pairs {
			add(p.A, p.B)
		}
	}
	for _, set := range b.Analogy {
		for _, section := range set.Sections {
			for _, q := range section.Questions {
				add(q[:]...)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	rows := vectors.NewMatrix(len(words), dim)
	for i := range words {
		row := rows.Row(i)
		for j := range row {
			row[j] = float32(random.NormFloat64())
		}
	}
	return vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: rows})
}
