package run

import (
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vocab"
)

// textTable returns the table of the rows that texts are made of, for which it reads the corpus once.
func (r *Run) textTable(v *variant.Variant) (*rowtable.Table, error) {
	words, labels, c := r.Data.Vocab, r.Data.Labels, r.Config
	use := rowtable.Texts{Words: make([]rowtable.Mark, words.Len())}
	var hashes []uint64
	ngrams := subword.WordNgrams{MaxN: v.Run.WordNgrams, Buckets: v.Run.WordBuckets}
	if n := v.RunBuckets(); n > 0 {
		use.Buckets = rowtable.NewUses(n)
		for _, word := range words.Tokens() {
			hashes = append(hashes, ngrams.Hash(word))
		}
	}
	reader, text, number := r.Data.IDs.Reader(), []uint32(nil), uint64(0)
	for chunk := range r.Data.IDs.Chunks() {
		for _, ids := range reader.Chunk(chunk) {
			for _, id := range ids {
				if is := labels.Of[id&^vocab.EndOfSentence]; is >= 0 {
					text = append(text, uint32(is))
				}
				if id&vocab.EndOfSentence == 0 {
					continue
				}
				signature := rowtable.SignatureOf(number)
				number++
				use.Longest = max(use.Longest, len(text))
				for i, word := range text {
					use.Words[word].Add(signature)
					if use.Buckets == nil {
						continue
					}
					run := hashes[word]
					for _, next := range text[i+1 : min(i+ngrams.MaxN, len(text))] {
						run = ngrams.Next(run, hashes[next])
						use.Buckets.Add(ngrams.Bucket(run), signature)
					}
				}
				text = text[:0]
			}
		}
	}
	if err := r.Data.IDs.Err(); err != nil {
		return nil, err
	}
	var marks []rowtable.Mark
	if start := r.origin.vectors; start != nil {
		if marks = start.Marks; marks == nil { // words have vectors, and buckets have none
			buckets := 0
			if c.Subword != nil {
				buckets = c.Subword.Rows()
			}
			marks = make([]rowtable.Mark, words.Len()+buckets)
			for w := range words.Len() {
				marks[w] = rowtable.SignatureOf(number + uint64(w))
			}
		}
	}
	return rowtable.NewTexts(words.Tokens(), c.Subword, use, marks), nil
}
