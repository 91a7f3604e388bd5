package format

// Names of files and other marks of formats, as tests expect them.
const (
	projectorVectors  = "vectors.tsv"
	projectorMetadata = "metadata.tsv"
	projectorConfig   = "projector_config.pbtxt"

	sentenceModules       = "modules.json"
	sentenceConfig        = "config_sentence_transformers.json"
	model2VecConfig       = "config.json"
	model2VecMatrix       = "embeddings"
	staticMatrix          = "model.safetensors"
	staticTokenizer       = "tokenizer.json"
	staticTokenizerConfig = "tokenizer_config.json"
	torchInput            = "embedding.weight"

	npyMagic      = "\x93NUMPY"
	fastTextMagic = 793712314

	chunkQuantised = 4 // of finalfusion
	chunkNorms     = 6

	nativeAlign     = 64
	checksumSize    = 4
	tensorInput     = "input"
	tensorRows      = "state_rows_"
	tensorChecksum  = "state_crc32c"
	tensorOffsets   = "word_offsets"
	tensorWords     = "words"
	tensorBucketRow = "bucket_rows"
	tensorNgramAt   = "ngram_offsets"
	tensorSlots     = "word_slots"
	tensorState     = "state"

	longestConfig = 16 << 20
	longestToken  = 1 << 10

	betweenSeparators = `[^\x00\t-\r ]+`
	// firstUnicodeWord is what w2v wrote for the unicode tokenizer until November 2026.
	firstUnicodeWord = "[" + ideographs + hiragana + "]\\p{M}*|[" + katakana + "]+" +
		"|(?:(?![" + ideographs + hiragana + katakana + "])[\\p{L}\\p{N}]|(?<=[\\p{L}\\p{M}\\p{N}_])[\\p{M}_]|_(?=[\\p{L}\\p{N}])" +
		"|(?<=[\\p{L}\\p{M}])[.:\u00b7'\u2019](?=\\p{L})|(?<=\\p{N})[.,;'\u2019](?=\\p{N}))+" +
		"|\\p{So}[\\p{M}\\p{Sk}]*(?:\u200d\\p{So}[\\p{M}\\p{Sk}]*)*"
	ideographs = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
	hiragana   = "\u3041-\u309f"
	katakana   = "\u30a0-\u30ff"
)

// fastTextArgs are the settings of fastText in the order of the file.
type fastTextArgs struct {
	Dim, Window, Epochs, MinCount, Negatives int32
	WordNgrams, Loss, Model                  int32
	Buckets, MinN, MaxN, LRUpdateRate        int32
	Sample                                   float64
}

// fastTextSizes is what the dictionary of fastText begins with.
type fastTextSizes struct {
	Entries, Words, Labels int32
	Tokens, Pruned         int64
}

// addedToken is an entry of added_tokens in a tokenizer.json.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}
