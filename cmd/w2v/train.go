package main

import "github.com/spf13/cobra"

func newTrain(s streams) *cobra.Command {
	var f trainFlags
	c := &cobra.Command{
		Use:   "train [flags] CORPUS... -o MODEL",
		Short: "Train word vectors",
		Long: `Train word vectors on a corpus: skip-gram with negative sampling, a vector a word,
unless told otherwise:
  --arch cbow           the centre is predicted from the mean of its contexts, which
                        --position-weights and --word-ngrams 2 tell more about
  --arch structured     an output matrix for each relative position
  --loss hs             hierarchical softmax
  --subwords fasttext   character n-grams have vectors too, and compose words that the
                        corpus never had
  --subwords floret     n-grams and words share one small table, by several hashes
  --subwords hash       so they do, and it is learned how much each row counts
  --rank 32             rows of 32 numbers, times a learned matrix
  --tied                input and output vectors are the same
  --nested 32,64,128    the first 32 and 64 dimensions are good vectors themselves,
                        which convert --first and eval --first take
What makes no sense together is refused, with the reason.

` + corpusHelp + `

The extension of MODEL picks its format:
  .w2v .safetensors   native: everything, maps into memory; take this one unless another
                      program is to read the file
  .bin                fastText's binary for subwords, word2vec's for words
  .w2vbin             word2vec binary
  .vec .txt           text with a header
  .glove              text without
  .fifu               finalfusion's binary
  .floret             floret's table, for --subwords floret
  .npy                numpy matrix, the words in MODEL.vocab.txt
  NAME/               folder for TensorBoard's Embedding Projector
and .gz or .zst after any of them compresses. What a format leaves out is said at the end.

Ctrl-C saves the checkpoint if there is to be one; if not, the model as it is, as
partial-NAME if MODEL is there already, or partial-2-NAME if that is, too. Interrupting
again, a second or more later, ends at once. SIGTERM and SIGHUP do what Ctrl-C does, and
so does SIGQUIT, which prints the stacks of all goroutines first.`,
		Example: `  w2v train corpus.txt -o model.w2v
  w2v train --subwords fasttext --lowercase --tokenizer unicode wiki/*.gz -o wiki.w2v
  w2v train --subwords floret --lowercase wiki/*.gz -o wiki.floret
  w2v train --arch cbow --position-weights --window 10 wiki.txt -o cbow.w2v
  w2v train news.txt --init wiki.w2v --update-vocab -o newer.w2v
  zcat sessions.gz | w2v train - -o items.vec --min-count 1 --sample 0 --window 10
  w2v train wiki.txt -o wiki.w2v --checkpoint wiki.ck     # survives anything
  w2v train wiki.txt -o wiki.w2v --resume wiki.ck         # goes on
  w2v train wiki.txt -o wiki.w2v --validate 0.01 --eval ws353.tsv --early-stop 3`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args) },
	}
	f.add(c)
	return c
}
