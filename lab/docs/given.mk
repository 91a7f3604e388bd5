# What the pages of the documentation say that their readers have. Pages name these files and folders
# in comments (<!-- given: corpus.txt sets/ -->), and each is made once for all pages, by the rule here.
# Texts are those of the demo, so that all models know the same words, and small, so that every command
# takes a second; what only has to be there in some form has a thousand lines. demo/ has the demo's text and evaluation sets; TESTDATA is testdata/ of the repository.

SHELL = bash
.SHELLFLAGS = -euo pipefail -c
.DELETE_ON_ERROR:

# Text, a sentence a line.
corpus.txt big.txt demo.txt mine.txt text.txt train.txt:
	head -n 8000 demo/corpus.txt >$@
new.txt more.txt news.txt old.txt test.txt:
	tail -n 8000 demo/corpus.txt >$@
# That pages train on dozens of times, with words that they ask for.
wiki.txt:
	(head -n 500 demo/corpus.txt; grep -m 200 -wE 'king|queen' demo/corpus.txt) >$@
corpus: wiki.txt
	mkdir $@ && split -l 240 --additional-suffix=.txt wiki.txt $@/
sentences.txt.gz: sentences.txt
	gzip -nc sentences.txt >$@
lines.txt sentences.txt:
	head -n 5 demo/corpus.txt >$@
norm.txt.gz text.gz corpus.txt.gz: corpus.txt
	gzip -nc corpus.txt >$@
wiki: corpus
	mkdir $@ && for f in corpus/*; do gzip -nc $$f >$@/$$(basename $$f).gz; zstd -q $$f -o $@/$$(basename $$f).zst; done
zh:
	mkdir $@ && for i in $$(seq 50); do echo '我们 喜欢 音乐 和 书。'; done | gzip -nc >$@/a.txt.gz

# Text as people write it, in tables and in JSON.
prose.txt:
	head -n 8000 demo/corpus.txt | sed -E 's/^./\U&/; s/ ([a-z]+)$$/, \1./' >$@
reviews.tsv: prose.txt
	awk -v OFS='\t' '{print NR, NR % 5, $$0}' prose.txt >$@
reviews.parquet: model.w2v reviews.tsv
	w2v embed model.w2v reviews.tsv --text-column 3 --id-column 1 -o $@
reviews: prose.txt
	mkdir $@ && head -n 1000 prose.txt | awk 'BEGIN {print "stars,text"} {print NR % 5 ",\"" $$0 "\""}' | gzip -nc >$@/a.csv.gz
reviews.csv.gz: reviews
	cp reviews/a.csv.gz $@
tweets.jsonl: prose.txt
	head -n 1000 prose.txt | jq -cR '{user: {description: .}}' >$@
tokens.jsonl: corpus.txt
	head -n 1000 corpus.txt | jq -cR '{tokens: split(" ")}' >$@
pages.jsonl: prose.txt
	head -n 1000 prose.txt | jq -cR '{text: ., tags: (if test("[Rr]iver") then ["water", "land"] else ["land"] end)}' >$@
pages.parquet:
	cp $(TESTDATA)/parquet/duckdb-v2.parquet $@
pages.jsonl.zst: pages.jsonl
	zstd -q pages.jsonl -o $@
pages: pages.jsonl.zst
	mkdir $@ && cp pages.jsonl.zst $@/a.jsonl.zst

# Texts with labels, and others to learn them from.
topics.train.txt: corpus.txt
	head -n 2000 corpus.txt | awk '{print "__label__" (/river/ ? "water" : "land"), $$0}' >$@
topics.test.txt: corpus.txt
	tail -n 500 corpus.txt | awk '{print "__label__" (/river/ ? "water" : "land"), $$0}' >$@

# Texts and words that are searched.
articles.txt:
	head -n 400 demo/corpus.txt >$@
words.index: model.w2v
	w2v index model.w2v -o $@
articles.index: model.w2v articles.txt
	w2v index model.w2v articles.txt -o $@
facts.tsv:
	printf 'word\tkind\nlondon\tcity\nparis\tcity\nberlin\tcity\nking\tperson\n' >$@

# Documents and queries, as in BEIR.
cranfield: corpus.txt
	mkdir $@
	head -n 300 corpus.txt | awk '{printf "{\"_id\": \"%d\", \"title\": \"\", \"text\": \"%s\"}\n", NR, $$0}' >$@/corpus.jsonl
	head -n 40 corpus.txt | awk '{printf "{\"_id\": \"q%d\", \"text\": \"%s %s %s\"}\n", NR, $$1, $$2, $$3}' >$@/queries.jsonl
	(printf 'query-id\tcorpus-id\tscore\n'; for i in $$(seq 40); do printf 'q%d\t%d\t1\n' $$i $$i; done) >$@/qrels.tsv

# Pairs of texts: each sentence with the next, perhaps with one that is wrong, or with a score.
pairs.tsv: prose.txt
	head -n 2000 prose.txt | paste - - >$@
scored.tsv: pairs.tsv
	awk -v OFS='\t' '{print $$0, NR % 6}' pairs.tsv >$@
questions.jsonl: pairs.tsv
	jq -cR 'split("\t") | {question: .[0], answer: .[1], wrong: [.[1] + " " + .[0]]}' pairs.tsv >$@

# A teacher's vectors of lines.txt.
teacher.npy: lines.txt
	awk '{printf "t%d", NR; for (i = 1; i <= 8; i++) printf " %f", sin(NR * i + length($$0)); print ""}' lines.txt >teacher.txt
	w2v convert teacher.txt $@

# Other sequences.
sessions.gz baskets.txt.gz: corpus.txt
	head -n 1000 corpus.txt | gzip -n >$@
baskets.txt: corpus.txt
	head -n 1000 corpus.txt | sed 's/ /, /g' >$@
orders.csv: baskets.txt
	awk '{print NR ",\"" $$0 "\""}' baskets.txt >$@
events.csv: corpus.txt
	head -n 1000 corpus.txt | awk 'BEGIN {print "user,time,item"} {for (i = 1; i <= NF; i++) print "u" NR "," i "," $$i}' >$@
clicks: corpus.txt
	mkdir $@ && head -n 1000 corpus.txt | awk '{for (i = 1; i <= NF; i++) print "{\"session\":" NR ",\"item\":{\"id\":\"" $$i "\"}}"}' | gzip -nc >$@/a.jsonl.gz
edges.tsv:
	awk 'BEGIN {split("alice bob carol dave eve frank grace heidi ivan judy", n); srand(1); \
	  for (i = 1; i <= 200; i++) for (j = 0; j < 3; j++) print (i <= 10 ? n[i] : "n" i) "\t" ((k = 1 + int(rand() * 200)) <= 10 ? n[k] : "n" k)}' >$@
edges.tsv.gz: edges.tsv
	gzip -nc edges.tsv >$@
weighted.tsv.gz: edges.tsv
	awk '{print $$0 "\t" 1 + NR % 3}' edges.tsv | gzip -nc >$@
genome.fa:
	awk 'BEGIN {srand(1); for (r = 1; r <= 3; r++) {print ">record" r; for (i = 0; i < 200; i++) {s = ""; for (j = 0; j < 60; j++) s = s substr("ACGT", 1 + int(rand() * 4), 1); print s}}}' >$@
genome.fa.gz: genome.fa
	gzip -nc genome.fa >$@

reads: genome.fa
	mkdir $@ && awk '/^>/ {n++; next} {print "@read" ++i; print; print "+"; gsub(/./, "I"); print}' genome.fa | gzip -nc >$@/a.fastq.gz
proteome.fa:
	awk 'BEGIN {srand(1); for (r = 1; r <= 3; r++) {print ">protein" r; for (i = 0; i < 50; i++) {s = ""; for (j = 0; j < 60; j++) s = s substr("ACDEFGHIKLMNPQRSTVWY", 1 + int(rand() * 20), 1); print s}}}' >$@

# Evaluation sets.
wordsim.tsv wordsim353.tsv ws353.tsv simlex999.tsv rw.tsv rw.txt set.tsv:
	tail -n +2 demo/sets/similarity.tsv >$@
questions.txt questions-words.txt:
	cp demo/sets/analogy.txt $@
sets:
	cp -R demo/sets $@
capitals.txt:
	cp demo/sets/relations/country-capital.txt $@
BATS:
	cp -R demo/sets/relations $@
triples.txt:
	printf '%s\n' 'france paris italy' 'king queen man' >$@
lists.txt:
	printf '%s\n' 'breakfast dinner lunch violin' 'cat dog horse piano' >$@
vocabulary.txt:
	printf '%s\n' paris rome king queen unheardofword >$@

# Models.
demo.w2v model.w2v wiki.w2v wiki-en.w2v wiki-new.w2v cities.w2v base.w2v before.w2v old.w2v earlier.w2v a.w2v words.w2v 1990s.w2v:
	[ -e first.w2v ] || head -n 20000 demo/corpus.txt | w2v train - -o first.w2v --epochs 5
	cp first.w2v $@
larger.w2v after.w2v new.w2v b.w2v big.w2v large.w2v 2010s.w2v:
	[ -e second.w2v ] || head -n 20000 demo/corpus.txt | w2v train - -o second.w2v --epochs 5 --seed 2
	cp second.w2v $@
seed1.w2v seed2.w2v seed3.w2v: corpus.txt
	w2v train corpus.txt -o $@ --dim 32 --epochs 5 --seed $(patsubst seed%.w2v,%,$@)
ngrams.w2v subwords.w2v:
	[ -e third.w2v ] || head -n 20000 demo/corpus.txt | w2v train - -o third.w2v --subwords fasttext --buckets 20000 --epochs 3
	cp third.w2v $@
nested.w2v: corpus.txt
	w2v train corpus.txt -o $@ --epochs 5 --nested 32,64
model.bin ngrams.bin english.bin cc.en.300.bin wiki-de.bin german.bin: ngrams.w2v
	w2v convert ngrams.w2v $@ --to fasttext
model.vec en.vec de.vec: model.w2v
	w2v convert model.w2v $@
vectors.bin: model.w2v
	w2v convert model.w2v $@ --to word2vec
GoogleNews-vectors.bin.gz: vectors.bin
	gzip -nc vectors.bin >$@
small.w2v: model.w2v
	w2v quantize model.w2v $@
run.ckpt: corpus.txt
	w2v train corpus.txt -o checkpointed.w2v --epochs 2 --checkpoint $@
run.jsonl: dim50.jsonl
	cp dim50.jsonl $@
seed1.jsonl seed2.jsonl: dim50.jsonl
	cp dim50.jsonl $@
dim50.w2v dim50.jsonl &: corpus.txt
	w2v train corpus.txt -o dim50.w2v --epochs 5 --dim 50 --validate 0.05 --log-json dim50.jsonl
dim200.w2v dim200.jsonl &: corpus.txt
	w2v train corpus.txt -o dim200.w2v --epochs 5 --dim 200 --validate 0.05 --log-json dim200.jsonl

# Facts about words.
countries.txt:
	printf '%s\n' france italy japan germany spain china egypt kenya peru canada >$@
words.txt:
	printf '%s\n' paris king guitar red bread >$@
cities.tsv: cities.txt
	(printf 'word\tcountry\n'; paste cities.txt <(printf '%s\n' france italy japan germany spain china egypt kenya peru canada britain austria portugal norway)) >$@
cities.txt:
	printf '%s\n' paris rome tokyo berlin madrid beijing cairo nairobi lima ottawa london vienna lisbon oslo >$@
countries.tsv: countries.txt
	(printf 'word\tcontinent\n'; paste countries.txt <(printf '%s\n' europe europe asia europe europe asia africa africa america america)) >$@
en-de.tsv en-de.test.tsv 100-words.tsv:
	printf '%s\t%s\n' king king queen queen paris paris rome rome red red cat cat dog dog horse horse bread bread milk milk >$@
tokenizer.json:
	cp $(TESTDATA)/tokenizers/bpe.json $@

# A classifier of fastText, and lines with labels.
classifier.bin:
	cp $(TESTDATA)/fasttext/class-ova.bin $@
lid.176.ftz:
	cp $(TESTDATA)/fasttext/class-runs.ftz $@
labelled.txt valid.txt:
	cp $(TESTDATA)/fasttext/labelled.txt $@

# Sentences with their language, and documents with a grade: bad ones want to sell something.
languages.txt:
	for i in $$(seq 20); do for w in 'water:Wasser:eau:agua' 'bread:Brot:pain:pan' 'wine:Wein:vin:vino' 'house:Haus:maison:casa' 'night:Nacht:nuit:noche'; do \
	  IFS=: read -r en de fr es <<<"$$w"; \
	  printf '%s\n' "__label__en where is the $$en of my friend" "__label__en we have no $$en today" \
	    "__label__de wo ist hier das $$de von gestern" "__label__de wir haben heute kein $$de" \
	    "__label__fr où est donc le $$fr de mon ami" "__label__fr nous avons du $$fr pour le soir" \
	    "__label__es dónde está el $$es de mi amigo" "__label__es no tenemos $$es para la noche"; done; done >$@
graded.jsonl: prose.txt
	awk '{n = split("Click here for|Buy now:|The best price of|Free offers about", s, "|"); print (NR % 2 ? "bad\t" s[1 + NR % n] " " : "good\t") $$0}' prose.txt | \
	  jq -cR 'split("\t") | {text: .[1], quality: .[0]}' >$@
crawl: graded.jsonl
	mkdir $@ && jq -c '{title: .text[0:20], text}' graded.jsonl | gzip -nc >$@/a.jsonl.gz
reviews.csv: prose.txt
	awk 'BEGIN {print "stars,review"} {print NR % 5 ",\"" $$0 "\""}' prose.txt >$@
stars1.w2v stars2.w2v: reviews.csv
	w2v classify train reviews.csv --header --text-column review --label-column stars -o $@ --epochs 1 --seed $(patsubst stars%.w2v,%,$@)
crawl.jsonl: graded.jsonl
	jq -c '{url: "https://example.org/\(input_line_number)", text}' graded.jsonl >$@

# A server's tokens, one a line.
tokens:
	echo secret-of-a-test >$@

# A sweep.
dims.toml: corpus.txt wordsim.tsv
	printf '%s\n' 'corpus = ["$(CURDIR)/corpus.txt"]' 'similarity = ["$(CURDIR)/wordsim.tsv"]' 'output = "dims"' '[settings]' 'epochs = 1' 'dim = [10, 20]' >$@

results.jsonl: dims.toml
	w2v sweep dims.toml -o dims-of-lessons >/dev/null && cp dims-of-lessons/results.jsonl $@

cert.pem key.pem &:
	openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out cert.pem 2>/dev/null
