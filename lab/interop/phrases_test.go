package interop

import (
	"strings"
	"testing"
)

// joinByGensim joins the phrases of a text by so many passes.
const joinByGensim = `
import re, sys
from gensim.models.phrases import Phrases
text, passes, scoring, threshold, connectors = sys.argv[1:]
sys.stdout.reconfigure(encoding='latin-1', newline='\n')
# Each byte is a character, so that words that are not valid UTF-8 stay as they are.
lines = [re.findall(r'[^ \n\r\t\v\f\0]+', line) for line in open(text, encoding='latin-1', newline='\n')]
for _ in range(int(passes)):
    model = Phrases(lines, scoring=scoring, threshold=float(threshold), connector_words=frozenset(connectors.split(',')))
    lines = [model[line] for line in lines]
for line in lines:
    print(*line)
`

// The text with its phrases joined is that of gensim, pass by pass.
func TestPhrasesAreGensims(t *testing.T) {
	text := corpus(t, t.TempDir())
	for _, test := range []struct{ passes, scoring, threshold, connectors string }{
		{"1", "default", "10", "the,of"},
		{"2", "default", "2", "a"},
		{"3", "npmi", "0.2", "of,the,and"},
	} {
		want := output(t, "", python, "-c", joinByGensim, text, test.passes, test.scoring, test.threshold, test.connectors)
		got := output(t, "", w2v, "phrases", text, "-o", "-", "--passes", test.passes, "--scoring", test.scoring, "--threshold", test.threshold, "--connector-words", test.connectors)
		if got != want {
			t.Errorf("%+v: the joined texts differ", test)
		}
		if !strings.Contains(want, "_") {
			t.Errorf("%+v: there are no phrases", test)
		}
	}
}
