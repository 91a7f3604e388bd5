package corpus

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/wordlimit"
)

// MaxToken is the length in bytes of the longest token that a corpus can have, in the form
// in which a Reader returns it. It is that of the longest word of a vocabulary and of
// a model (vectors.MaxWord), so that whatever is trained can be written and read.
const MaxToken = wordlimit.Bytes

// TooLong describes the tokens of a corpus that are left out because they have more than
// MaxToken bytes. Leaving out a token ends no sentence.
type TooLong struct {
	Tokens  uint64 // how many there are
	Longest uint64 // bytes of the longest of them
	Name    string // of the file or stream with the first of them
	Line    uint64 // that the first one is in, from 1
	Begins  string // how the first one begins
}

// String says all of it in one line.
func (t TooLong) String() string {
	tokens := "a token is"
	if t.Tokens != 1 {
		tokens = fmt.Sprintf("%d tokens are", t.Tokens)
	}
	where := ""
	if t.Name != "" {
		where = fmt.Sprintf("is in line %d of %s and ", t.Line, t.Name)
	}
	return fmt.Sprintf("%s left out because of more than %d bytes: the longest has %d, the first %sbegins with %q",
		tokens, MaxToken, t.Longest, where, t.Begins)
}

// TooLongIn returns what readers left out of shards. These must be all shards of
// a Source, in its order, and each must have been read to its end.
func TooLongIn(shards []Shard) TooLong {
	var all TooLong
	var lines uint64 // of the input before the shard
	for _, s := range shards {
		if s.begins {
			lines = 0
		}
		c := s.counted
		if t := c.tooLong; t.Tokens > 0 {
			if all.Tokens == 0 {
				all.Name, all.Line, all.Begins = s.input.name, lines+t.Line, t.Begins
			}
			all.Tokens += t.Tokens
			all.Longest = max(all.Longest, t.Longest)
		}
		lines += c.lines
	}
	return all
}

// counted is what a reader counted of its shard.
type counted struct {
	lines   uint64  // newlines, when it has been read to its end
	tooLong TooLong // its Line is that in the shard
}

// shownHead is how many bytes are kept of a token to say how it begins.
const shownHead = 24

// shorten drops the middle of a token that is too long and not ended yet. What stays is
// still too long, so that its length alone says so.
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

// leaveOut counts a token that is too long, in the bytes of buf from start to end.
func (r *Reader) leaveOut(start, end int) {
	head := r.head
	if r.dropped == 0 {
		head = string(r.buf[start : start+shownHead])
	}
	t := &r.counted.tooLong
	if t.Tokens == 0 {
		t.Line, t.Begins = r.lines+1, head
	}
	t.Tokens++
	t.Longest = max(t.Longest, r.dropped+uint64(end-start))
	r.dropped, r.head = 0, ""
}
