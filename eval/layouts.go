package eval

import "io"

// A layout is a way to write the sets of a task as a file.
type layout struct {
	task  Task
	form  string             // what a file of it looks like, for errors
	sniff func(t *text) bool // whether most lines of a file are of this layout
	read  func(r io.Reader, name string) (Set, error)
}

// layouts returns all layouts. If several layouts of one task fit a file, the first one reads it.
// If layouts of several tasks fit, the file is ambiguous. A layout that takes what fits another
// task, too, should say no.
func layouts() []layout {
	return []layout{
		{TaskSimilarity, "two words and a number a line", sniffPairs, reader(ReadPairs)},
		{TaskAnalogy, "four words a line, with lines of a colon and a name before sections", sniffQuestions, reader(ReadQuestions)},
		{TaskRelation, "a word, a tab and its answers with slashes between them, as in BATS", sniffRelations, reader(ReadRelations)},
		{TaskCategorization, "a word and its category a line", sniffCategories, reader(ReadCategories)},
		{TaskOutliers, "words, a blank line and outliers; or JSON with words and outliers", sniffOutliers, reader(ReadOutliers)},
		{TaskBias, "JSON of word lists or tests; or lines that begin with X, Y, A or B and a colon", sniffBias, reader(ReadBias)},
		{TaskSentences, "two sentences and a number in columns separated by tabs or commas", sniffSentences, reader(ReadSentences)},
	}
}

// reader makes a reader of any set of the reader of one kind.
func reader[T Set](read func(r io.Reader, name string) (T, error)) func(io.Reader, string) (Set, error) {
	return func(r io.Reader, name string) (Set, error) {
		set, err := read(r, name)
		if err != nil {
			return nil, err
		}
		return set, nil
	}
}
