package train_test

import (
	"fmt"

	"github.com/w2v-go/w2v/train"
)

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
