package corpus

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/wordlimit"
)

// MaxToken is the largest length of a token in bytes, after it was turned into lower case. The
// same limit holds for words of vocabularies and models (vectors.MaxWord), so that every
// trained model can be written and read.
const MaxToken = wordlimit.Bytes

// TooLong describes the tokens that were left out of a corpus because they have more than
// MaxToken bytes. The sentence goes on after such a token.
type TooLong struct {
	Tokens  uint64 // number of tokens that were left out
	Longest uint64 // length in bytes of the longest one
	Name    string // file or stream of the first one
	Line    uint64 // line of the first one, from 1; 0 where lines were cut into sentences
	Begins  string // beginning of the first one
}

// Add adds tokens that were left out of another part of the corpus, which comes after this one.
func (t *TooLong) Add(other TooLong) {
	if t.Tokens == 0 {
		*t = other
		return
	}
	t.Tokens += other.Tokens
	t.Longest = max(t.Longest, other.Longest)
}

// String describes the tokens in one line.
func (t TooLong) String() string {
	tokens := "a token is"
	if t.Tokens != 1 {
		tokens = fmt.Sprintf("%d tokens are", t.Tokens)
	}
	where := ""
	if t.Name != "" {
		where = fmt.Sprintf("is in line %d of %s and ", t.Line, t.Name)
		if t.Line == 0 {
			where = fmt.Sprintf("is in %s and ", t.Name)
		}
	}
	return fmt.Sprintf("%s left out because of more than %d bytes: the longest has %d, the first %sbegins with %q",
		tokens, MaxToken, t.Longest, where, t.Begins)
}

// TooLongIn sums up which tokens readers left out of shards. The shards must be all shards of
// a Source, in their order, and each must have been read to its end. For part of a corpus, lines are
// counted from the beginning of the file.
func TooLongIn(shards []Shard) TooLong {
	var all TooLong
	var lines uint64 // lines of the input before the shard
	for i, s := range shards {
		if s.begins || i == 0 || shards[i-1].input.number != s.input.number {
			lines = 0
		}
		c := s.counted
		if t := c.tooLong; t.Tokens > 0 {
			if all.Tokens == 0 {
				all.Name, all.Line, all.Begins = s.input.name, lines+t.Line, t.Begins
				before, err := s.input.linesBefore()
				if all.Line += before; err != nil || s.options.Sentences == UnicodeSentences {
					all.Line = 0 // newlines are more than there are lines
				}
			}
			all.Tokens += t.Tokens
			all.Longest = max(all.Longest, t.Longest)
		}
		lines += c.lines
	}
	return all
}

// linesBefore returns how many lines of the input another part has that come before.
func (in input) linesBefore() (uint64, error) {
	if !in.tail || in.sentences != nil {
		return in.skipped, nil
	}
	return linesBefore(in.name, in.text)
}

// counted is what a reader has counted in its shard.
type counted struct {
	some    bool    // there was something else than white space
	lines   uint64  // newlines; set when the shard has been read to its end
	tooLong TooLong // with Line counted from the beginning of the shard
}

// lineOfFile returns the line in which the reader is, from the beginning of its shard.
func (r *Reader) lineOfFile() uint64 {
	return r.lineAt(r.lines + 1)
}

// shownHead is how many of a token's first bytes are kept for messages.
const shownHead = 24

// shorten drops the middle of an unfinished token that is already too long. The rest stays
// longer than MaxToken, so that the token is still recognized as too long at its end.
func (r *Reader) shorten() {
	const kept = MaxToken + 1
	n := r.end - r.pos - kept
	if n <= 0 {
		return
	}
	if r.dropped == 0 {
		r.head = string(r.buf[r.pos : r.pos+shownHead])
	}
	r.dropped += uint64(n)
	r.pos += n
}

// leaveOut counts a token that is too long. It is in buf from start to end.
func (r *Reader) leaveOut(start, end int) {
	head := r.head
	if r.dropped == 0 {
		head = string(r.buf[start : start+shownHead])
	}
	t := &r.counted.tooLong
	if t.Tokens == 0 {
		t.Line, t.Begins = r.lineOfFile(), head
	}
	t.Tokens++
	t.Longest = max(t.Longest, r.dropped+uint64(end-start))
	r.dropped, r.head = 0, ""
}
