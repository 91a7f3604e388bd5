package train_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// farm is a small corpus: animals sleep, and food is eaten.
func farm() [][]string {
	var sentences [][]string
	for range 200 {
		for _, animal := range []string{"cat", "dog", "horse", "cow"} {
			sentences = append(sentences, strings.Fields("the "+animal+" sleeps at night"))
		}
		for _, food := range []string{"bread", "cheese", "soup", "rice"} {
			sentences = append(sentences, strings.Fields("we eat "+food+" with pleasure"))
		}
	}
	return sentences
}

// tiny are settings for so small a corpus: all tokens, few dimensions, the same every time.
func tiny() train.Settings {
	s := train.Defaults()
	s.Model.Dim, s.Model.Epochs, s.Model.Sample, s.Model.Threads = 16, 10, 0, 1
	return s
}

// Sentences in memory become vectors in memory.
func ExampleRun() {
	result, err := train.Run(context.Background(), train.Sentences(farm()), train.Options{Settings: tiny()}, train.Hooks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Tokens, "tokens of", result.Words, "words")
	vector := make([]float32, result.Vectors.Dim())
	result.Vectors.Vector(vector, "cat")
	id, _ := result.Vectors.ID("cat")
	var near []string
	nearest, err := result.Vectors.Nearest(context.Background(), vectors.Query{Vector: vector, K: 3, Skip: []int{id}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range nearest[0] {
		near = append(near, n.Word)
	}
	slices.Sort(near)
	fmt.Println("near cat:", near)
	// Output:
	// 8000 tokens of 16 words
	// near cat: [cow dog horse]
}

// A run that was interrupted goes on from its checkpoint.
func ExampleRun_resume() {
	dir, err := os.MkdirTemp("", "w2v-train")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	checkpoint := filepath.Join(dir, "farm.ck")

	ctx, interrupt := context.WithCancel(context.Background())
	options := train.Options{Settings: tiny(), Checkpoint: train.Checkpoint{File: checkpoint}}
	_, err = train.Run(ctx, train.Sentences(farm()), options, train.Hooks{
		Start: func(train.Start) { interrupt() }, // somebody presses Ctrl-C
	})
	fmt.Println("interrupted:", errors.Is(err, context.Canceled))

	// The checkpoint has the settings of the run.
	options = train.Options{Checkpoint: train.Checkpoint{Resume: checkpoint}, Output: filepath.Join(dir, "farm.w2v")}
	result, err := train.Run(context.Background(), train.Sentences(farm()), options, train.Hooks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("complete:", result.Complete, "with", result.Vectors.Dim(), "dimensions in", filepath.Base(result.Output))
	// Output:
	// interrupted: true
	// complete: true with 16 dimensions in farm.w2v
}

// Training starts from vectors that are there already, and its vocabulary grows.
func ExampleRun_warmStart() {
	ctx := context.Background()
	first, err := train.Run(ctx, train.Sentences(farm()), train.Options{Settings: tiny()}, train.Hooks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	news := train.Sentences(slices.Repeat([][]string{{"the", "goat", "sleeps", "at", "night"}}, 50))
	options := train.Options{Settings: tiny(), Init: train.Init{Vectors: first.Vectors, UpdateVocab: true}}
	second, err := train.Run(ctx, news, options, train.Hooks{
		Warm: func(w train.Warm) { fmt.Println(w.Known, "of", w.Words, "words are known") },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, goat := second.Vectors.ID("goat")
	_, cheese := second.Vectors.ID("cheese")
	fmt.Println("goat:", goat, "cheese:", cheese)
	// Output:
	// 16 of 17 words are known
	// goat: true cheese: true
}

// Vectors are scored while they are trained, and the best are kept.
func ExampleRun_earlyStopping() {
	set, err := train.ReadSet("animals", strings.NewReader("cat\tdog\t9\ncat\tbread\t1\nsoup\trice\t9\nsoup\tcow\t1\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	settings := tiny()
	settings.Model.Epochs, settings.Model.Patience = 100, 2 // evaluations that are no better
	options := train.Options{Settings: settings, Evaluation: train.Evaluation{Sets: []train.Set{set}}}
	result, err := train.Run(context.Background(), train.Sentences(farm()), options, train.Hooks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ended early:", result.Progress.Early)
	fmt.Println("best after fewer tokens than were trained:", result.Best.Tokens < result.Progress.Tokens)
	// Output:
	// ended early: true
	// best after fewer tokens than were trained: true
}

// One text is read once and trained on twice; a model goes to any writer.
func ExampleRead() {
	ctx := context.Background()
	text, err := train.Read(ctx, train.Sentences(farm()), tiny(), train.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer text.Close()
	for _, cut := range []subword.Indexer{nil, subword.FastText{MinN: 3, MaxN: 5, Buckets: 1000}} {
		c := tiny().Model
		c.Subword = cut
		model, err := text.Train(ctx, c, sgns.Hooks{})
		if err != nil {
			fmt.Println(err)
			return
		}
		var file bytes.Buffer
		if err := format.Encode(&file, model.Vectors, format.W2V); err != nil {
			fmt.Println(err)
			return
		}
		_, known := model.Vectors.ID("cats")
		knows := model.Vectors.Vector(make([]float32, 16), "cats")
		fmt.Printf("cats in the vocabulary: %v, with a vector: %v\n", known, knows)
	}
	// Output:
	// cats in the vocabulary: false, with a vector: false
	// cats in the vocabulary: false, with a vector: true
}

// Settings are fields, or have names, as flags do. What does not fit together is an error.
func ExampleSettings() {
	settings := train.Defaults()
	settings.Model.Dim = 50
	for name, text := range map[string]string{"window": "3", "subwords": "floret", "buckets": "10000"} {
		if err := settings.Set(name, text); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(settings.Complete())
	fmt.Println(settings.Model.Window, settings.Value("maxn"), settings.Given("window"), settings.Given("seed"))

	settings = train.Defaults()
	fmt.Println(settings.Set("window", "wide"))
	settings.Set("minn", "2")
	fmt.Println(settings.Complete())
	// Output:
	// <nil>
	// 3 6 true false
	// Settings.Model.Window: "wide" is not a whole number
	// minn of Settings.Model.Subword needs Settings.Model.Subword: fasttext, floret or hash
}
