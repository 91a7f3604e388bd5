package eval_test

import (
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

// recognizes checks that a set is taken for one of a task by its content.
func recognizes(t *testing.T, text string, task eval.Task) {
	t.Helper()
	if set, err := eval.ReadSet(strings.NewReader(text), "birds.txt"); err != nil || set.Task() != task {
		t.Errorf("not recognised as %s: %v, %v", task, set, err)
	}
}

// What has the columns of another task is not taken for it.
func TestRecognizeTasksThatAreAlike(t *testing.T) {
	tests := []struct {
		name, text string
		task       eval.Task
	}{
		{"analogies that begin alike", "king queen man woman\nking queen boy girl\nking queen son daughter\nking queen cock hen\n", eval.TaskAnalogy},
		{"analogies with tabs", "athens\tgreece\toslo\tnorway\nathens\tgreece\trome\titaly\nrome\titaly\toslo\tnorway\nrome\titaly\tathens\tgreece\n", eval.TaskAnalogy},
		{"pairs that begin alike", "car bus 3\ncar tree 1\ncar van 4\nowl wren 3\nowl car 0\n", eval.TaskSimilarity},
		{"pairs with tabs", "car\tbus\t3\ncar\ttree\t1\ncar\tvan\t4\nowl\twren\t3\nowl\tcar\t0\n", eval.TaskSimilarity},
		{"pairs of names", "New York\tBig Apple\t3\nLos Angeles\tNew York\t1\n", eval.TaskSimilarity},
		{"pairs of sentences", "A man is eating.\tSomeone eats something.\t4\nAn owl flies.\tThe axe is sharp.\t0.5\n", eval.TaskSentences},
		{"levels of categories", "owl bird animal natural\nwren bird animal natural\noak tree plant natural\nelm tree plant natural\naxe tool thing made\nsaw tool thing made\n", eval.TaskCategorization},
		{"categories in any order", "owl\tbird\naxe\ttool\nwren\tbird\nsaw\ttool\nauk\tbird\nfile\ttool\nhen\tbird\nawl\ttool\ndove\tbird\nadze\ttool\n", eval.TaskCategorization},
		{"a word apart from its category", "bird\towl\nbird\twren\nbird\tauk\ntool\taxe\ntool\tsaw\ntool\tadze\nbird\them\n", eval.TaskCategorization},
		{"lists of WEAT", `{"math": ["sum"], "arts": ["poem"], "male_terms": ["man"], "female_terms": ["woman"]}`, eval.TaskBias},
		{"outliers with a space", "Oslo\nRome\nNew York\nParis\nBern\n\naxe\nsaw\nowl\n", eval.TaskOutliers},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { recognizes(t, test.text, test.task) })
	}
}
