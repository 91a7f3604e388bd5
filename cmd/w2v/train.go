package main

import "github.com/spf13/cobra"

func newTrain(s streams) *cobra.Command {
	var f trainFlags
	c := &cobra.Command{
		Use:   "train [flags] CORPUS... -o MODEL",
		Short: "Train word vectors",
		Long: `Train word vectors on a corpus. Without flags, this is skip-gram with negative
sampling, one vector a word. These flags train variants:
  --arch cbow           predict the centre from the mean of its contexts; add
                        --position-weights or --word-ngrams 2 for word order
  --arch structured     one output matrix for each relative position
  --loss hs             hierarchical softmax
  --subwords fasttext   character n-grams have vectors too, so words outside the
                        vocabulary have vectors
  --subwords floret     words and n-grams share one small table, by several hashes
  --subwords hash       the same, and training learns how much each row counts
  --rank 32             rows of 32 numbers, times a learned matrix
  --tied                use one matrix for input and output vectors
  --nested 32,64,128    the first 32 and 64 dimensions are good vectors too; use
                        them with convert --first and eval --first
Combinations that make no sense are refused with the reason.

` + corpusHelp + `

The extension of MODEL picks its format:
  .w2v .safetensors   native: keeps everything, opens in milliseconds; use it unless
                      another program has to read the file
  .bin                fastText's binary for models with n-grams, else word2vec's
  .w2vbin             word2vec binary
  .vec .txt           text with a header
  .glove              text without a header
  .fifu               finalfusion's binary
  .floret             floret's table, for --subwords floret
  .npy                numpy matrix, the words in MODEL.vocab.txt
  NAME/               folder for TensorBoard's Embedding Projector
Add .gz or .zst to compress. At the end, w2v reports what the format leaves out.

` + bootstrapHelp + `

Ctrl-C saves the checkpoint if --checkpoint or --resume is given. Otherwise it saves
the model as it is: as MODEL, or as partial-NAME (partial-2-NAME, …) if MODEL exists.
A second Ctrl-C, a second or more later, ends at once. SIGTERM and SIGHUP do the same
as Ctrl-C. SIGQUIT does so too, and prints the stacks of all goroutines first.`,
		Example: `  w2v train corpus.txt -o model.w2v
  w2v train --subwords fasttext --lowercase --tokenizer unicode wiki/*.gz -o wiki.w2v
  w2v train --subwords floret --lowercase wiki/*.gz -o wiki.floret
  w2v train --arch cbow --position-weights --window 10 wiki.txt -o cbow.w2v
  w2v train news.txt --init wiki.w2v --update-vocab -o newer.w2v
  w2v train --graph edges.tsv.gz --sample 0 --p 0.5 --q 2 -o nodes.w2v
  w2v train --kmers 6 --subwords fasttext genome.fa.gz -o kmers.w2v
  w2v train pages.jsonl.zst --json-field text -o pages.w2v
  zcat sessions.gz | w2v train - -o items.vec --min-count 1 --sample 0 --window 10
  w2v train wiki.txt -o wiki.w2v --checkpoint wiki.ck     # can be interrupted
  w2v train wiki.txt -o wiki.w2v --resume wiki.ck         # and resumed
  w2v train wiki.txt -o wiki.w2v --validate 0.01 --eval ws353.tsv --early-stop 3
  w2v train wiki.txt --bootstrap 25 --eval ws353.tsv --bootstrap-words king,queen`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	f.add(c)
	return c
}
