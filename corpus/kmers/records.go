package kmers

import (
	"fmt"
	"iter"
	"strings"
)

// Records gathers the lines of FASTA and FASTQ to records, each with its header, without qualities. A line that
// does not belong to a record, because no header came before, is a record of its own: a sequence. Lines have
// no newline at their ends; an empty line before all headers is a sequence without letters. An error of the
// lines ends the records, and so does a record of more than longest bytes, or of FASTQ without its qualities.
func Records(lines iter.Seq2[string, error], longest int) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var record strings.Builder
		fastq, letters, quality := false, 0, -1 // quality: letters without a quality so far; -1 outside qualities
		end := func() bool {
			if fastq && record.Len() > 0 && quality != 0 {
				yield("", fmt.Errorf("a record of FASTQ with %d letters has not as many qualities: the file is cut short", letters))
				return false
			}
			whole := record.String()
			record.Reset()
			letters, quality = 0, -1
			return whole == "" || yield(whole, nil)
		}
		for line, err := range lines {
			if err != nil {
				yield("", err)
				return
			}
			line = strings.TrimRight(line, "\r")
			first := byte(0)
			if line != "" {
				first = line[0]
			}
			switch {
			case quality > 0:
				quality -= len(line)
			case first == '>' && !fastq || first == '@' && (fastq || record.Len() == 0):
				if !end() {
					return
				}
				fastq = first == '@'
				record.WriteString(">" + line[1:]) // without qualities it is FASTA
			case first == '+' && fastq && quality < 0:
				quality = letters
			case record.Len() > 0:
				record.WriteString("\n" + line)
				letters += len(line)
			case !yield(line, nil):
				return
			}
			if record.Len() > longest {
				yield("", fmt.Errorf("a sequence has more than %d letters: cut it into pieces", longest))
				return
			}
		}
		end()
	}
}
