package eval_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

func TestReadQuestions(t *testing.T) {
	const text = "\ufeff# ours\r\n" +
		"a b c d\r\n" +
		"\r\n" +
		": capital-world\r\n" +
		"Athens Greece\tBaghdad  Iraq\r\n" +
		":empty\n" +
		" :  nouns: SI/PL \n" +
		"Gepäck Gepäcke Stuhl Stühle\n" +
		"Gep\xe4ck Gep\xe4cke Stuhl St\xfchle\n" + // ISO 8859-1
		": capital-world\nOslo Norway Rome Italy"
	got, err := eval.ReadQuestions(strings.NewReader(text), "set")
	if err != nil {
		t.Fatal(err)
	}
	german := eval.Question{"Gepäck", "Gepäcke", "Stuhl", "Stühle"}
	want := eval.QuestionSet{Name: "set", Sections: []eval.QuestionSection{
		{Name: eval.UnnamedSection, Questions: []eval.Question{{"a", "b", "c", "d"}}},
		{Name: "capital-world", Questions: []eval.Question{{"Athens", "Greece", "Baghdad", "Iraq"}, {"Oslo", "Norway", "Rome", "Italy"}}},
		{Name: "empty"},
		{Name: "nouns: SI/PL", Questions: []eval.Question{german, german}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestReadQuestionsErrors(t *testing.T) {
	tests := []struct{ name, text, err string }{
		{"empty", "", "q: no questions: want lines of four words"},
		{"only a section", ": a\n", "q: no questions: want lines of four words"},
		{"three words", "a b c d\n\na b c\n", `q:3: want four words or a colon and the name of a section, not "a b c"`},
		{"five words", "a b c d e", `q:1: want four words or a colon and the name of a section, not "a b c d e"`},
		{"section without a name", "a b c d\n:\n", "q:2: want the name of a section after the colon"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadQuestions(strings.NewReader(test.text), "q")
			var parse *eval.ParseError
			if !errors.As(err, &parse) || err.Error() != test.err {
				t.Errorf("got  %v\nwant %s", err, test.err)
			}
		})
	}
}

func FuzzReadQuestions(f *testing.F) {
	for _, seed := range []string{"a b c d\n", ": s\r\na b c d\n#\n\n: t\ne f g h", "\ufeff:x\n\xe4 b c d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadQuestions(strings.NewReader(text), "set")
		if err != nil {
			var parse *eval.ParseError
			if !errors.As(err, &parse) || parse.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		var plain strings.Builder
		for _, part := range set.Sections {
			fmt.Fprintf(&plain, ": %s\n", part.Name)
			for _, q := range part.Questions {
				if q[0][0] == ':' || q[0][0] == '#' {
					t.Fatalf("question %q", q)
				}
				fmt.Fprintln(&plain, strings.Join(q[:], " "))
			}
		}
		again, err := eval.ReadQuestions(strings.NewReader(plain.String()), "set")
		if err != nil || !reflect.DeepEqual(again, set) {
			t.Fatalf("read %q, wrote %q, read %q, %v", set, plain.String(), again, err)
		}
	})
}
